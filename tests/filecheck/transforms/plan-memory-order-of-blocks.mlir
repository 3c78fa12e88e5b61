// RUN: xdsl-opt %s -p 'plan-memory{arena=argument},verify-memory-plan' --split-input-file | filecheck %s

// The block that a loop passes the new buffer on in is the first one in the text. The loop
// needs the buffer of the iteration before nevertheless.

// CHECK-LABEL: func.func @backwards(
// CHECK:       ^again:
// CHECK:       ^loop(%o: memref<4xi64>, %i: index):
// CHECK:         %[[B:.*]] = arith.select
// CHECK-NEXT:    linalg.fill ins(%k : i64) outs(%[[B]] : memref<4xi64>)
func.func @backwards(%x: memref<4xi64>, %out: memref<4xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  memref.copy %x, %a : memref<4xi64> to memref<4xi64>
  cf.br ^loop(%a, %c0 : memref<4xi64>, index)
^again:
  cf.br ^loop(%b, %j : memref<4xi64>, index)
^loop(%o: memref<4xi64>, %i: index):
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  linalg.add ins(%o, %out : memref<4xi64>, memref<4xi64>) outs(%out : memref<4xi64>)
  linalg.add ins(%o, %o : memref<4xi64>, memref<4xi64>) outs(%b : memref<4xi64>)
  memref.dealloc %o : memref<4xi64>
  %j = arith.addi %i, %c1 : index
  %g = arith.cmpi ult, %j, %n : index
  cf.cond_br %g, ^again, ^exit
^exit:
  memref.dealloc %b : memref<4xi64>
  return
}

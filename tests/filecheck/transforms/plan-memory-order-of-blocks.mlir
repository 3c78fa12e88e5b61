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

// -----

// The addresses of both earlier buffers are compared after the next one is allocated: it
// must be at neither of them until then.

// CHECK-LABEL: func.func @compared_later(
// CHECK:         scf.for
// CHECK-COUNT-3:   memref.view
// CHECK:           arith.cmpi eq
func.func @compared_later(%n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %k = arith.constant 7 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %y = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%y : memref<4xi64>)
  %a, %b, %r = scf.for %i = %c0 to %n step %c1
      iter_args(%v = %x, %w = %y, %e = %false) -> (memref<4xi64>, memref<4xi64>, i1) {
    %p = memref.extract_aligned_pointer_as_index %v : memref<4xi64> -> index
    %q = memref.extract_aligned_pointer_as_index %w : memref<4xi64> -> index
    %z = memref.alloc() : memref<4xi64>
    linalg.add ins(%v, %v : memref<4xi64>, memref<4xi64>) outs(%z : memref<4xi64>)
    %equal = arith.cmpi eq, %p, %q : index
    %f = arith.ori %equal, %e : i1
    memref.dealloc %w : memref<4xi64>
    scf.yield %z, %v, %f : memref<4xi64>, memref<4xi64>, i1
  }
  memref.dealloc %a : memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  return %r : i1
}

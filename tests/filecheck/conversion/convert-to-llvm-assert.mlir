// RUN: xdsl-opt %s -p convert-to-llvm | filecheck %s --check-prefix ABORT
// RUN: xdsl-opt %s -p "convert-to-llvm{assert-function=fail}" | filecheck %s

// RUN: xdsl-opt %s -p "convert-to-llvm{assert-function=fail check-allocations}" | filecheck %s --check-prefix ALLOC

// A failed assertion prints its message and aborts, or calls a function with the message
// and the numbers that were compared.

// ABORT:       llvm.cond_br
// ABORT:       llvm.call @puts
// ABORT-NEXT:  llvm.call @abort
// ABORT-NEXT:  llvm.unreachable

// "x\nrequired: 0 <= {} < {}"
// CHECK:       llvm.mlir.global private constant @assert_msg(dense<[120, 10, 114, 101, 113, 117, 105, 114, 101, 100, 58, 32, 48, 32, 60, 61, 32, 123, 125, 32, 60, 32, 123, 125, 0]>
// CHECK:       llvm.func @f(%i: i64, %n: i64)
// CHECK:         llvm.call @fail(%{{.*}}, %i, %n, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, i64, i64, i64) -> ()
// CHECK-NEXT:    llvm.unreachable
func.func @f(%i: index, %n: index) {
  %0 = arith.cmpi ult, %i, %n : index
  cf.assert %0, "x"
  return
}

// CHECK:       llvm.func @no_comparison(%c: i1)
// CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(0) : i64
// CHECK:         llvm.call @fail(%{{.*}}, %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
func.func @no_comparison(%c: i1) {
  cf.assert %c, "y"
  return
}

// ALLOC-LABEL: llvm.func @allocation
// ALLOC:         %[[MEMORY:.*]] = llvm.call @malloc
// ALLOC:         %[[ADDRESS:.*]] = llvm.ptrtoint %[[MEMORY]]
// ALLOC-NEXT:    llvm.icmp "ne" %[[ADDRESS]], %{{.*}} : i64
// ALLOC-NEXT:    llvm.cond_br
// ALLOC:         llvm.call @fail
// CHECK-LABEL: llvm.func @allocation
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.return
func.func @allocation(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}

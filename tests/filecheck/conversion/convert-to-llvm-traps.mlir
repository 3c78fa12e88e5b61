// RUN: xdsl-opt %s -p "convert-to-llvm{assert-function=fail check-divisions stack-limit-function=limit}" | filecheck %s
// RUN: xdsl-opt %s -p "convert-to-llvm" | filecheck %s --check-prefix PLAIN

// PLAIN-NOT: @limit
// PLAIN-NOT: llvm.cond_br

// CHECK-LABEL: llvm.func @divide
// CHECK:         %[[ZERO:.*]] = llvm.icmp "eq" %b,
// CHECK:         llvm.cond_br
// CHECK:         %[[LEAST:.*]] = llvm.icmp "eq" %a,
// CHECK-NEXT:    %[[ONE:.*]] = llvm.icmp "eq" %b,
// CHECK-NEXT:    llvm.and %[[LEAST]], %[[ONE]]
// CHECK:         llvm.cond_br
// CHECK:         llvm.sdiv %a, %b
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.sdiv
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.divsi %a, %c3 : i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: llvm.func @again
// CHECK:         llvm.call @limit()
// CHECK:         llvm.intr.stacksave
// CHECK:         llvm.cond_br
// CHECK:         llvm.call @again
func.func @again(%a: i32) -> i32 {
  %0 = func.call @again(%a) : (i32) -> i32
  return %0 : i32
}

// CHECK-LABEL: llvm.func @buffers
// CHECK:         llvm.alloca %{{.*}} x f32
// CHECK:         llvm.call @limit()
// CHECK:         llvm.cond_br
// CHECK:         llvm.alloca %{{.*}} x f64
func.func @buffers(%n: index, %x: f32, %y: f64) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloca() : memref<4xf32>
  memref.store %x, %0[%c0] : memref<4xf32>
  %1 = memref.alloca(%n) : memref<?xf64>
  memref.store %y, %1[%c0] : memref<?xf64>
  return
}

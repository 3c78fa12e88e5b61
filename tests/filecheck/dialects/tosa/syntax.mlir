// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

func.func @shapes(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %s = tosa.const_shape {values = dense<[6, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %s : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK:      %s = tosa.const_shape {values = dense<[6, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// CHECK-NEXT: %{{.*}} = tosa.reshape %x, %s : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>

// Modes are keywords, or attributes as in the generic form; PROPAGATE may be absent.
func.func @modes(%x: tensor<3xf32>, %v: i32, %m: i32, %s: i8) {
  %0 = tosa.maximum %x, %x {nan_mode = #tosa.nan_mode<IGNORE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = tosa.minimum %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = tosa.apply_scale %v, %m, %s {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
  return
}

// CHECK:      tosa.maximum %x, %x {nan_mode = IGNORE} :
// CHECK-NEXT: tosa.minimum %x, %x :
// CHECK-NEXT: tosa.apply_scale %v, %m, %s {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32

func.func @while(%a: tensor<i32>, %b: tensor<i1>) -> tensor<i32> {
  %0 = tosa.while_loop (%i = %a) : (tensor<i32>) -> tensor<i32> {
    tosa.yield %b : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    tosa.yield %i : tensor<i32>
  }
  %1 = tosa.cond_if %b (%x = %0) : tensor<i1> (tensor<i32>) -> tensor<i32> {
  ^bb0(%x: tensor<i32>):
    tosa.yield %x : tensor<i32>
  } else {
  ^bb0(%x: tensor<i32>):
    tosa.yield %a : tensor<i32>
  }
  return %1 : tensor<i32>
}

// CHECK:      %{{.*}} = tosa.while_loop (%[[I:.*]] = %a) : (tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:   tosa.yield %b : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^{{.*}}(%{{.*}}: tensor<i32>):
// CHECK:      tosa.cond_if %b (%{{.*}} = %{{.*}}) : tensor<i1> (tensor<i32>) -> tensor<i32> {

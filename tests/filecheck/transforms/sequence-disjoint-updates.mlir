// RUN: xdsl-opt %s -p sequence-disjoint-updates --split-input-file | filecheck %s

// Both halves are taken before one is inserted: the second is taken from the first result.
// In a function of several blocks, the analysis does not compare slices itself.

func.func private @f(%t: tensor<?xf64>, %x: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %x into %t[%c0] : tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func @halves(%t: tensor<?xf64>, %h: index, %p: f64, %c: i1) -> tensor<?xf64> {
  cf.cond_br %c, ^update, ^end(%t : tensor<?xf64>)
^update:
  %a = tensor.extract_slice %t[0] [%h] [1] : tensor<?xf64> to tensor<?xf64>
  %b = tensor.extract_slice %t[%h] [%h] [1] : tensor<?xf64> to tensor<?xf64>
  %x = func.call @f(%a, %p) : (tensor<?xf64>, f64) -> tensor<?xf64>
  %y = func.call @f(%b, %p) : (tensor<?xf64>, f64) -> tensor<?xf64>
  %u = tensor.insert_slice %x into %t[0] [%h] [1] : tensor<?xf64> into tensor<?xf64>
  %w = tensor.insert_slice %y into %u[%h] [%h] [1] : tensor<?xf64> into tensor<?xf64>
  cf.br ^end(%w : tensor<?xf64>)
^end(%r: tensor<?xf64>):
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @halves(
// CHECK:         %x = func.call @f
// CHECK-NEXT:    %u = tensor.insert_slice %x into %t[0]
// CHECK-NEXT:    [[B:%.*]] = tensor.extract_slice %u[%h] [%h] [1]
// CHECK-NEXT:    %y = func.call @f([[B]], %p)
// CHECK-NEXT:    tensor.insert_slice %y into %u[%h]

// -----

// The slices overlap: the second one is that of the original tensor.

func.func private @f(%t: tensor<4xf64>, %x: f64) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %x into %t[%c0] : tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @overlap(%t: tensor<8xf64>, %p: f64) -> tensor<8xf64> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %b = tensor.extract_slice %t[3] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %x = func.call @f(%a, %p) : (tensor<4xf64>, f64) -> tensor<4xf64>
  %y = func.call @f(%b, %p) : (tensor<4xf64>, f64) -> tensor<4xf64>
  %u = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf64> into tensor<8xf64>
  %w = tensor.insert_slice %y into %u[3] [4] [1] : tensor<4xf64> into tensor<8xf64>
  return %w : tensor<8xf64>
}

// CHECK-LABEL: func.func @overlap(
// CHECK:         %b = tensor.extract_slice %t[3]
// CHECK:         %y = func.call @f(%b, %p)
// CHECK-NEXT:    %u = tensor.insert_slice

// -----

// The first update needs both slices: the second slice is taken before it.

func.func @needs_both(%t: tensor<8xf64>) -> tensor<8xf64> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %x = linalg.add ins(%a, %b : tensor<4xf64>, tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %y = linalg.exp ins(%b : tensor<4xf64>) outs(%b : tensor<4xf64>) -> tensor<4xf64>
  %u = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf64> into tensor<8xf64>
  %w = tensor.insert_slice %y into %u[4] [4] [1] : tensor<4xf64> into tensor<8xf64>
  return %w : tensor<8xf64>
}

// CHECK-LABEL: func.func @needs_both(
// CHECK:         %b = tensor.extract_slice %t[4]
// CHECK-NEXT:    %x = linalg.add

// -----

// Nothing is copied: nothing is moved.

func.func @free(%t: tensor<8xf64>, %p: f64) -> tensor<8xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %x = linalg.fill ins(%p : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %v = tensor.empty() : tensor<4xf64>
  %y = linalg.exp ins(%b : tensor<4xf64>) outs(%v : tensor<4xf64>) -> tensor<4xf64>
  %u = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf64> into tensor<8xf64>
  %w = tensor.insert_slice %y into %u[4] [4] [1] : tensor<4xf64> into tensor<8xf64>
  return %w : tensor<8xf64>
}

// CHECK-LABEL: func.func @free(
// CHECK:         %y = linalg.exp
// CHECK-NEXT:    %u = tensor.insert_slice

// -----

// Two slices are swapped: no order lets one be updated before the other is taken.

// CHECK-LABEL: func.func @swapped(
// CHECK-NEXT:    %a = tensor.extract_slice %t[0]
// CHECK-NEXT:    %b = tensor.extract_slice %t[4]
// CHECK-NEXT:    %v = tensor.insert_slice %b into %t[0]
// CHECK-NEXT:    %w = tensor.insert_slice %a into %v[4]
func.func @swapped(%t: tensor<8xi32>) -> tensor<8xi32> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %v = tensor.insert_slice %b into %t[0] [4] [1] : tensor<4xi32> into tensor<8xi32>
  %w = tensor.insert_slice %a into %v[4] [4] [1] : tensor<4xi32> into tensor<8xi32>
  return %w : tensor<8xi32>
}

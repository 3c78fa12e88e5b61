// PASSES: eliminate-empty-tensors
// The result goes into a slice.
func.func @slice(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %2 : tensor<10xf32>
}

// -----
// A slice of dynamic size and stride, of lower rank.
func.func @dynamic_slice(%t: tensor<?x?xf32>, %f: f32, %i: index, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 0] [1, %n] [1, %i] : tensor<?xf32> into tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----
// The result is materialized in a buffer.
func.func @buffer(%m: memref<4xf32>, %f: f32) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----
// The buffer may be reached in other ways.
func.func @buffer_without_restrict(%m: memref<4xf32>, %f: f32) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----
// The result is materialized in a tensor.
func.func @tensor(%t: tensor<?xf32>, %f: f32, %n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = bufferization.materialize_in_destination %1 in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----
// A reshape is in the way.
func.func @reshape(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<2x2xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %3 = tensor.insert_slice %2 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// -----
// A cast is not.
func.func @cast(%t: tensor<10xf32>, %f: f32, %i: index, %n: index) -> tensor<10xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<4xf32>
  %3 = tensor.insert_slice %2 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// -----
// The tensor.empty is used twice.
func.func @two_uses(%t: tensor<10xf32>, %f: f32, %g: f32) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[0] [4] [1] : tensor<4xf32> into tensor<10xf32>
  %3 = linalg.fill ins(%g : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %4 = tensor.insert_slice %3 into %2[4] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %4 : tensor<10xf32>
}

// -----
// Where it goes is known only after it has been computed.
func.func @too_late(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = arith.fptosi %2 : f32 to i32
  %4 = arith.index_cast %3 : i32 to index
  %5 = tensor.insert_slice %1 into %t[%4] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %5 : tensor<10xf32>
}

// -----
// Where it goes is known after the tensor.empty, but before it is used.
func.func @in_between(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = arith.addi %i, %i : index
  %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.insert_slice %2 into %t[%1] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// -----
// Through a loop.
func.func @loop(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %1) -> (tensor<4xf32>) {
    %4 = tensor.insert %f into %a[%k] : tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  }
  %3 = tensor.insert_slice %2 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// -----
// Inside a loop.
func.func @in_loop(%t: tensor<16xf32>, %f: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %0 = scf.for %k = %c0 to %c16 step %c4 iter_args(%a = %t) -> (tensor<16xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.insert_slice %2 into %a[%k] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %3 : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// -----
// A parallel loop.
func.func @forall(%t: tensor<16xf32>, %f: f32) -> tensor<16xf32> {
  %0 = scf.forall (%k) = (0) to (16) step (4) shared_outs(%a = %t) -> (tensor<16xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %a[%k] [4] [1] : tensor<4xf32> into tensor<16xf32>
    }
  }
  return %0 : tensor<16xf32>
}

// -----
// The place is inserted into is still read: the insertion is out of place, its source not.
func.func @conflict(%t: tensor<10xf32>, %f: f32, %i: index) -> (f32, tensor<10xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  %3 = tensor.extract %t[%i] : tensor<10xf32>
  return %3, %2 : f32, tensor<10xf32>
}

// -----
// A tensor.empty goes into the slice itself.
func.func @nothing_computed(%t: tensor<10xf32>, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %1 : tensor<10xf32>
}

// -----
// linalg.copy replaces its destination.
func.func @copy(%t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.copy ins(%1 : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----
// A vector is written, no tensor.
func.func @vector(%t: tensor<16xf32>, %v: vector<4xf32>, %i: index) -> tensor<16xf32> {
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----
// Through a branch.
func.func @branches(%t: tensor<10xf32>, %f: f32, %g: f32, %c: i1, %i: index) -> tensor<10xf32> {
  %0 = scf.if %c -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  } else {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%g : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.insert_slice %0 into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// -----
// PASSES: eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries}
// The tutorial's example: no allocation and no copy is left.
func.func @then_bufferized(%a: memref<17x19xf32>, %b: memref<19x29xf32>, %c: memref<17x29xf32>, %f: f32) {
  %0 = bufferization.to_tensor %a restrict : memref<17x19xf32> to tensor<17x19xf32>
  %1 = bufferization.to_tensor %b restrict : memref<19x29xf32> to tensor<19x29xf32>
  %2 = tensor.empty() : tensor<17x29xf32>
  %3 = linalg.fill ins(%f : f32) outs(%2 : tensor<17x29xf32>) -> tensor<17x29xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<17x19xf32>, tensor<19x29xf32>) outs(%3 : tensor<17x29xf32>) -> tensor<17x29xf32>
  bufferization.materialize_in_destination %4 in restrict writable %c : (tensor<17x29xf32>, memref<17x29xf32>) -> ()
  return
}

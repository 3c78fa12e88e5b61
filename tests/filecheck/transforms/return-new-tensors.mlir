// RUN: xdsl-opt %s -p return-new-tensors --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'bufferization-pipeline{verify-result}' --split-input-file | filecheck %s --check-prefix=PIPELINE

// In place, deallocation would return a copy of the argument.

// CHECK-LABEL: func.func @twice(
// CHECK:         %[[M:.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:    %[[E:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK:         linalg.add ins(%t, %t : {{.*}}) outs(%[[E]] :
// PIPELINE-LABEL: func.func @twice(
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
func.func @twice(%t: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.add ins(%t, %t : tensor<8xf64>, tensor<8xf64>)
      outs(%t : tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// The old elements become an input. The last of two updates is changed.

// CHECK-LABEL: func.func @old_elements(
// CHECK:         linalg.add {{.*}} outs(%t :
// CHECK:         %[[M:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK-NEXT:    %[[E:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK-NEXT:    linalg.map { arith.mulf } ins(%a, %{{.*}} : {{.*}}) outs(%[[E]] :
// PIPELINE-LABEL: func.func @old_elements(
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
func.func @old_elements(%t: tensor<?xf64>, %a: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.add ins(%a, %t : tensor<?xf64>, tensor<?xf64>)
      outs(%t : tensor<?xf64>) -> tensor<?xf64>
  %1 = linalg.map ins(%a : tensor<?xf64>) outs(%0 : tensor<?xf64>)
    (%in: f64, %old: f64) {
      %2 = arith.mulf %in, %old : f64
      linalg.yield %2 : f64
    }
  return %1 : tensor<?xf64>
}

// -----

// A permutation of the elements.

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @transposed(
// CHECK:         linalg.generic
// CHECK-SAME:      affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>]{{.*}} ins(%a, %t :
// PIPELINE-LABEL: func.func @transposed(
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
func.func @transposed(%t: tensor<4x6xf64>, %a: tensor<6x4xf64>) -> tensor<4x6xf64> {
  %0 = linalg.generic {indexing_maps = [#id, #turned],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<6x4xf64>) outs(%t : tensor<4x6xf64>) {
    ^bb0(%in: f64, %old: f64):
      %1 = arith.addf %in, %old : f64
      linalg.yield %1 : f64
  } -> tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}

// -----

// A sum over rows does not replace each element independently. The callers of a private
// function own nothing that it returns. What the function updates in a loop afterwards
// may need more memory, and what it allocates itself is not copied.

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @unchanged(
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func private @private(
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @loop_afterwards(
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @new_already(
// CHECK-NOT:     memref.alloc
// CHECK:         return
// PIPELINE-LABEL: func.func @unchanged(
func.func @unchanged(%t: tensor<4xf64>, %a: tensor<4x6xf64>) -> tensor<4xf64> {
  %0 = linalg.generic {indexing_maps = [#ij, #i],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x6xf64>) outs(%t : tensor<4xf64>) {
    ^bb0(%in: f64, %old: f64):
      %1 = arith.addf %in, %old : f64
      linalg.yield %1 : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func private @private(%t: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.add ins(%t, %t : tensor<8xf64>, tensor<8xf64>)
      outs(%t : tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
func.func @loop_afterwards(%t: tensor<8xf64>, %n: index) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  %0 = linalg.add ins(%t, %t : tensor<8xf64>, tensor<8xf64>)
      outs(%t : tensor<8xf64>) -> tensor<8xf64>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %0) -> (tensor<8xf64>) {
    %2 = tensor.insert %x into %u[%i] : tensor<8xf64>
    scf.yield %2 : tensor<8xf64>
  }
  return %1 : tensor<8xf64>
}
func.func @new_already(%t: tensor<8xf64>) -> tensor<8xf64> {
  %e = tensor.empty() : tensor<8xf64>
  %0 = linalg.add ins(%t, %t : tensor<8xf64>, tensor<8xf64>)
      outs(%e : tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// What is copied back into the argument is computed there.
// CHECK-LABEL: func.func @into_the_argument(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.abs ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>)
func.func @into_the_argument(%t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.abs ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %1 = bufferization.materialize_in_destination %0 in %t
    : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// The clone of a part of a new buffer would have the gaps of its layout.

// CHECK-LABEL: func.func @part_as_well(
// CHECK-NOT:     memref.alloc
// CHECK:         return
// PIPELINE-LABEL: func.func @part_as_well(
// PIPELINE-SAME:    -> (memref<100x100xf64, strided<[?, ?], offset: ?>>, memref<100xf64, strided<[?], offset: ?>>)
func.func @part_as_well(%t: tensor<100x100xf64>) -> (tensor<100x100xf64>, tensor<100xf64>) {
  %0 = linalg.map { math.exp } ins(%t : tensor<100x100xf64>) outs(%t : tensor<100x100xf64>)
  %1 = tensor.extract_slice %0[0, 3] [100, 1] [1, 1] : tensor<100x100xf64> to tensor<100xf64>
  return %0, %1 : tensor<100x100xf64>, tensor<100xf64>
}

// -----

// In a function of several blocks.

// CHECK-LABEL: func.func @blocks(
// CHECK:         %[[M:.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:    %[[E:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK:         linalg.fill ins(%f : f64) outs(%[[E]] :
// PIPELINE-LABEL: func.func @blocks(
// PIPELINE-NOT:     memref.copy
// PIPELINE-NOT:     bufferization.clone
// PIPELINE:         return
func.func @blocks(%t: tensor<8xf64>, %u: tensor<8xf64>, %f: f64, %c: i1) -> tensor<8xf64> {
  %i = arith.constant 0 : index
  %0 = scf.if %c -> (tensor<8xf64>) {
    %1 = tensor.insert %f into %u[%i] : tensor<8xf64>
    scf.yield %1 : tensor<8xf64>
  } else {
    scf.yield %t : tensor<8xf64>
  }
  %2 = linalg.fill ins(%f : f64) outs(%0 : tensor<8xf64>) -> tensor<8xf64>
  cf.cond_br %c, ^bb1(%0 : tensor<8xf64>), ^bb2(%2 : tensor<8xf64>)
^bb1(%3: tensor<8xf64>):
  cf.br ^bb2(%0 : tensor<8xf64>)
^bb2(%4: tensor<8xf64>):
  return %2 : tensor<8xf64>
}

// -----

// Not in a loop of blocks: each iteration would need memory.

// CHECK-LABEL: func.func @loop_of_blocks(
// CHECK-NOT:     memref.alloc
func.func @loop_of_blocks(%t: tensor<8xf64>, %f: f64, %c: i1) -> tensor<8xf64> {
  cf.br ^bb1
^bb1:
  %0 = linalg.fill ins(%f : f64) outs(%t : tensor<8xf64>) -> tensor<8xf64>
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return %0 : tensor<8xf64>
}

// -----

// A loop that runs returns a tensor of its last iteration, which the function may return.

// CHECK-LABEL: func.func @new_in_each_iteration(
// CHECK-NOT:     memref.alloc
// CHECK:         return
// PIPELINE-LABEL: func.func @new_in_each_iteration(
// PIPELINE:         scf.for
// PIPELINE:         linalg.map { math.exp } ins(%v : {{.*}}) outs(%v : {{.*}})
// PIPELINE:         return
func.func @new_in_each_iteration(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %e = tensor.empty(%d) : tensor<?xf32>
    %f = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %w = linalg.map { math.exp } ins(%v : tensor<?xf32>) outs(%v : tensor<?xf32>)
  return %w : tensor<?xf32>
}

// -----

// A loop that updates the argument in place returns it.

// CHECK-LABEL: func.func @updated_in_each_iteration(
// CHECK:         memref.alloc
// CHECK:         return
// PIPELINE-LABEL: func.func @updated_in_each_iteration(
// PIPELINE:         return
func.func @updated_in_each_iteration(%t: tensor<8xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %f = tensor.insert %x into %a[%c0] : tensor<8xf32>
    scf.yield %f : tensor<8xf32>
  }
  %w = linalg.map { math.exp } ins(%v : tensor<8xf32>) outs(%v : tensor<8xf32>)
  return %w : tensor<8xf32>
}

// -----

// The argument is copied already, because the layout of its buffer is not known.

// CHECK-LABEL: func.func @copied_for_its_layout(
// CHECK-NOT:     memref.alloc
// CHECK:         return
// PIPELINE-LABEL: func.func @copied_for_its_layout(
// PIPELINE:         %[[M:.*]] = memref.alloc(
// PIPELINE-NOT:     memref.alloc
// PIPELINE:         return
func.func @copied_for_its_layout(%t: tensor<?x?xf32>) -> tensor<?xf32> {
  %v = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %w = linalg.map { math.exp } ins(%v : tensor<?xf32>) outs(%v : tensor<?xf32>)
  return %w : tensor<?xf32>
}

// -----

// On one path a new tensor is updated, which can be returned without a copy.

// CHECK-LABEL: func.func @new_in_a_branch(
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         linalg.map
// CHECK-LABEL: func.func @new_selected(
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         linalg.map
// CHECK-LABEL: func.func @new_in_a_block(
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         linalg.map
// CHECK-LABEL: func.func @new_in_a_callee(
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         linalg.map
// PIPELINE-LABEL: func.func @new_in_a_branch(
// PIPELINE:         } else {
// PIPELINE:           memref.alloc(
// PIPELINE-NOT:     memref.alloc(
// PIPELINE:         return
func.func @new_in_a_branch(%t: tensor<8xf32>, %c: i1, %x: f32) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    scf.yield %t : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %g = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %g : tensor<8xf32>
  }
  %w = linalg.map { math.exp } ins(%r : tensor<8xf32>) outs(%r : tensor<8xf32>)
  return %w : tensor<8xf32>
}
func.func @new_selected(%t: tensor<8xf32>, %c: i1, %x: f32) -> tensor<8xf32> {
  %g = tensor.splat %x : tensor<8xf32>
  %r = arith.select %c, %t, %g : tensor<8xf32>
  %w = linalg.map { math.exp } ins(%r : tensor<8xf32>) outs(%r : tensor<8xf32>)
  return %w : tensor<8xf32>
}
func.func @new_in_a_block(%t: tensor<8xf32>, %c: i1, %x: f32) -> tensor<8xf32> {
  cf.cond_br %c, ^bb2(%t : tensor<8xf32>), ^bb1
^bb1:
  %g = tensor.splat %x : tensor<8xf32>
  cf.br ^bb2(%g : tensor<8xf32>)
^bb2(%r: tensor<8xf32>):
  %w = linalg.map { math.exp } ins(%r : tensor<8xf32>) outs(%r : tensor<8xf32>)
  return %w : tensor<8xf32>
}
func.func private @choose(%t: tensor<8xf32>, %c: i1, %x: f32) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    scf.yield %t : tensor<8xf32>
  } else {
    %g = tensor.splat %x : tensor<8xf32>
    scf.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @new_in_a_callee(%t: tensor<8xf32>, %c: i1, %x: f32) -> tensor<8xf32> {
  %r = call @choose(%t, %c, %x) : (tensor<8xf32>, i1, f32) -> tensor<8xf32>
  %w = linalg.map { math.exp } ins(%r : tensor<8xf32>) outs(%r : tensor<8xf32>)
  return %w : tensor<8xf32>
}

// -----

// Whatever op replaces all of the argument: a vector, a slice, a softmax, or one of several
// results.

// PIPELINE-LABEL: func.func @vector(
// PIPELINE-NOT:     memref.copy
// PIPELINE-NOT:     bufferization.clone
// PIPELINE-LABEL: func.func @slice(
// PIPELINE-COUNT-1: memref.copy
// PIPELINE-NOT:     bufferization.clone
// PIPELINE-LABEL: func.func @softmax(
// PIPELINE-NOT:     bufferization.clone
// PIPELINE-LABEL: func.func @two_results(
// PIPELINE-NOT:     bufferization.clone
// PIPELINE:         return

// CHECK-LABEL: func.func @vector(
// CHECK:         %[[E:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NEXT:    vector.transfer_write %v, %[[E]][
func.func @vector(%t: tensor<8xf32>, %v: vector<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0] : vector<8xf32>, tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK:         %[[E:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NEXT:    tensor.insert_slice %s into %[[E]][
func.func @slice(%t: tensor<8xf32>, %s: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %s into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK:         %[[E:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NEXT:    linalg.softmax {{.*}} outs(%[[E]] :
func.func @softmax(%t: tensor<4x4xf32>, %s: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.softmax dimension(1)
      ins(%s : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @two_results(
// CHECK:         %[[E:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK:         %[[F:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK:         outs(%[[E]], %[[F]] :
func.func @two_results(%t: tensor<8xf32>, %u: tensor<8xf32>, %s: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %0, %1 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                     affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%s : tensor<8xf32>) outs(%t, %u : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %w = arith.negf %x : f32
    linalg.yield %w, %x : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// On one path the argument is returned, on the other two it is updated: no new tensor is
// needed for the second update of one path.

// PIPELINE-LABEL: func.func @sometimes(
// PIPELINE-COUNT-1: memref.alloc
// PIPELINE-COUNT-1: bufferization.clone
// PIPELINE-NOT:     memref.alloc
// PIPELINE:         return

// CHECK-LABEL: func.func @sometimes(
// CHECK:         ^[[_:.*]]:
// CHECK:         %[[E:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NEXT:    %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]] :
// CHECK:         linalg.exp ins(%a : {{.*}}) outs(%[[F]] :
func.func @sometimes(%t: tensor<8xf32>, %a: tensor<8xf32>, %x: f32, %c: i1, %d: i1)
    -> tensor<8xf32> {
  cf.cond_br %c, ^first, ^end(%t : tensor<8xf32>)
^first:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  cf.cond_br %d, ^second, ^end(%0 : tensor<8xf32>)
^second:
  %1 = linalg.exp ins(%a : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^end(%1 : tensor<8xf32>)
^end(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}

// -----

// In a branch that one-shot-bufferize would copy for, if a later op read its operand: the
// plain passes then compute the result in a new buffer. The other branch returns a copy.

// CHECK-LABEL: func.func @in_a_branch(
// CHECK:         scf.if
// CHECK:           %[[M:.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      %[[E:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK:           linalg.exp ins(%t : {{.*}}) outs(%[[E]] :
// PIPELINE-LABEL: func.func @in_a_branch(
// PIPELINE:         scf.if
// PIPELINE-NOT:       memref.copy
// PIPELINE:           linalg.exp ins(%t : {{.*}}) outs(%{{[^t]}}
// PIPELINE-NOT:       memref.copy
// PIPELINE:         } else {
func.func @in_a_branch(%t: tensor<8xf64>, %u: tensor<8xf64>, %c: i1) -> tensor<8xf64> {
  %0 = scf.if %c -> (tensor<8xf64>) {
    %1 = linalg.exp ins(%t : tensor<8xf64>) outs(%t : tensor<8xf64>) -> tensor<8xf64>
    scf.yield %1 : tensor<8xf64>
  } else {
    scf.yield %u : tensor<8xf64>
  }
  return %0 : tensor<8xf64>
}

// -----

// A branch that needs memory after its update stays as it is, and so does what is before it.

// CHECK-LABEL: func.func @memory_in_a_branch(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.if
// CHECK-NOT:       memref.alloc
// CHECK:         } else {
// CHECK:           memref.alloc
// CHECK:         }
func.func private @other(tensor<8xf64>) -> f64
func.func @memory_in_a_branch(%t: tensor<8xf64>, %c: i1) -> (tensor<8xf64>, f64) {
  %t1 = linalg.exp ins(%t : tensor<8xf64>) outs(%t : tensor<8xf64>) -> tensor<8xf64>
  %0, %r = scf.if %c -> (tensor<8xf64>, f64) {
    %1 = linalg.exp ins(%t1 : tensor<8xf64>) outs(%t1 : tensor<8xf64>) -> tensor<8xf64>
    %2 = func.call @other(%1) : (tensor<8xf64>) -> f64
    scf.yield %1, %2 : tensor<8xf64>, f64
  } else {
    %x = arith.constant 1.0 : f64
    %1 = linalg.exp ins(%t1 : tensor<8xf64>) outs(%t1 : tensor<8xf64>) -> tensor<8xf64>
    scf.yield %1, %x : tensor<8xf64>, f64
  }
  return %0, %r : tensor<8xf64>, f64
}

// -----

// A reshape never copies an unranked memref: it has no layout.

// CHECK-LABEL: func.func @unranked
// CHECK: %[[NEW:.*]] = memref.alloc(
// CHECK: linalg.exp {{.*}} outs(%{{.*}} : tensor<?x?xf32>)
func.func @unranked(%a: tensor<*xf32>, %sizes: tensor<2xindex>) -> tensor<?x?xf32> {
  %r = tensor.reshape %a(%sizes) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %y = linalg.exp ins(%r : tensor<?x?xf32>) outs(%r : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

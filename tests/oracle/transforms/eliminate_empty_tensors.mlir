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
// Parts of a concatenation: the destination is defined last.
func.func @moved_concat(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4xf32>
  %h = linalg.log ins(%b : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %p = tensor.insert_slice %g into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %q = tensor.insert_slice %h into %p[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %q : tensor<8xf32>
}

// -----
// Offsets that are computed between the insertions.
func.func @moved_concat3(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4xf32>
  %h = linalg.log ins(%b : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  %z = tensor.empty() : tensor<4xf32>
  %i = linalg.abs ins(%b : tensor<4xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = tensor.insert_slice %g into %e[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %o = affine.apply affine_map<()[s0] -> (s0 * 2 + 1)>()[%n]
  %q = tensor.insert_slice %h into %p[%o] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %o2 = affine.apply affine_map<()[s0] -> (s0 * 2 + 1)>()[%o]
  %r = tensor.insert_slice %i into %q[%o2] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----
// Sizes that are computed between the parts.
func.func @moved_concat_dims(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %x = tensor.empty(%d) : tensor<?xf32>
  %g = linalg.exp ins(%a : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %d2 = tensor.dim %b, %c0 : tensor<?xf32>
  %y = tensor.empty(%d2) : tensor<?xf32>
  %h = linalg.log ins(%b : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  %s = arith.addi %d, %d2 : index
  %e = tensor.empty(%s) : tensor<?xf32>
  %p = tensor.insert_slice %g into %e[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  %q = tensor.insert_slice %h into %p[%d] [%d2] [1] : tensor<?xf32> into tensor<?xf32>
  return %q : tensor<?xf32>
}

// -----
// The size is that of the result itself.
func.func @moved_dim_of_result(%a: tensor<?xf32>, %b: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %x = tensor.empty(%d) : tensor<?xf32>
  %g = linalg.exp ins(%a : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %dg = tensor.dim %g, %c0 : tensor<?xf32>
  %p = tensor.insert_slice %g into %e[0] [%dg] [1] : tensor<?xf32> into tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----
// So does a load.
func.func @moved_load(%a: tensor<4xf32>, %e: tensor<8xf32>, %m: memref<index>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %o = memref.load %m[] : memref<index>
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// A division by what may be zero stays.
func.func @moved_div(%a: tensor<4xf32>, %e: tensor<8xf32>, %i: index, %j: index) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %o = arith.divui %i, %j : index
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// A division by a constant moves.
func.func @moved_div_constant(%a: tensor<4xf32>, %e: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %j = arith.constant 4 : index
  %o = arith.divui %i, %j : index
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// Through a read of a tensor.
func.func @moved_extract(%a: tensor<4xf32>, %e: tensor<8xf32>, %i: index, %t: tensor<?xindex>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %o = tensor.extract %t[%i] : tensor<?xindex>
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// Through an op with regions, and what they use.
func.func @moved_if_slice(%a: tensor<4xf32>, %e: tensor<8xf32>, %i: index, %c: i1) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %k = arith.addi %i, %i : index
  %o = scf.if %c -> index {
    %u = arith.muli %k, %k : index
    scf.yield %u : index
  } else {
    scf.yield %i : index
  }
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// The regions need what is computed.
func.func @moved_if_uses_user(%a: tensor<4xindex>, %e: tensor<8xindex>, %i: index, %c: i1) -> tensor<8xindex> {
  %x = tensor.empty() : tensor<4xindex>
  %f = linalg.fill ins(%i : index) outs(%x : tensor<4xindex>) -> tensor<4xindex>
  %o = scf.if %c -> index {
    %u = tensor.extract %f[%i] : tensor<4xindex>
    scf.yield %u : index
  } else {
    scf.yield %i : index
  }
  %p = tensor.insert_slice %f into %e[%o] [4] [1] : tensor<4xindex> into tensor<8xindex>
  return %p : tensor<8xindex>
}

// -----
// Within a loop.
func.func @moved_in_loop(%a: tensor<4xf32>, %e: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> tensor<8xf32> {
    %x = tensor.empty() : tensor<4xf32>
    %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %p = tensor.insert_slice %g into %t[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %p : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----
// The user is a loop.
func.func @moved_user_in_loop(%a: tensor<4xf32>, %e: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<4xf32> {
    %g = linalg.exp ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  }
  %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %p = tensor.insert_slice %r into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// The user is in another block.
func.func @moved_user_inside_if(%a: tensor<4xf32>, %e: tensor<8xf32>, %n: index, %c: i1) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %x = tensor.empty() : tensor<4xf32>
    %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    %x = tensor.empty() : tensor<4xf32>
    %g = linalg.log ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  }
  %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %p = tensor.insert_slice %r into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// Definitions do not move across blocks.
func.func @moved_two_blocks(%a: tensor<4xf32>, %e: tensor<8xf32>, %n: index, %c: i1) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1
^bb1:
  %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// Within the second block of a function.
func.func @moved_one_of_two_blocks(%a: tensor<4xf32>, %e: tensor<8xf32>, %n: index, %c: i1) -> tensor<8xf32> {
  cf.br ^bb1
^bb1:
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %p = tensor.insert_slice %g into %e[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// The offset of a thread.
func.func @moved_forall(%t: tensor<16xf32>, %f: f32) -> tensor<16xf32> {
  %0 = scf.forall (%k) in (4) shared_outs(%a = %t) -> (tensor<16xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%k)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %a[%o] [4] [1] : tensor<4xf32> into tensor<16xf32>
    }
  }
  return %0 : tensor<16xf32>
}

// -----
// The buffer to materialize in is defined last.
func.func @moved_mat_memref_view(%n: index, %f: f32, %m: memref<?xf32>) {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %t = memref.subview %m[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %1 in restrict writable %t : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}

// -----
// linalg.copy into a tensor that is defined last.
func.func @moved_copy(%f: f32) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %t = tensor.empty() : tensor<4xf32>
  %2 = linalg.copy ins(%1 : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----
// Tiles of a matrix product.
func.func @moved_matmul_tiles(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %i: index) -> tensor<8x8xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a0 = tensor.extract_slice %a[0, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  %2 = linalg.matmul ins(%a0, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tensor.empty() : tensor<4x8xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a1 = tensor.extract_slice %a[4, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  %5 = linalg.matmul ins(%a1, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%cst : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = tensor.insert_slice %2 into %z[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %q = tensor.insert_slice %5 into %p[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----
// The destination is computed.
func.func @moved_generic_dest(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %h = linalg.log ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// An allocation stays.
func.func @moved_dest_from_effect(%a: tensor<4xf32>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %h = bufferization.alloc_tensor() : tensor<8xf32>
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// A padded destination.
func.func @moved_dest_pad(%a: tensor<4xf32>, %f: f32, %n: index, %s: tensor<4xf32>) -> tensor<?xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %h = tensor.pad %s low[%n] high[2] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<?xf32>
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----
// A loop that ends moves.
func.func @moved_dest_for(%a: tensor<4xf32>, %f: f32, %n: index, %s: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> tensor<8xf32> {
    %u = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// A loop that may not end stays.
func.func @moved_dest_for_var(%a: tensor<4xf32>, %f: f32, %n: index, %s: tensor<8xf32>, %st: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %h = scf.for %i = %c0 to %n step %st iter_args(%t = %s) -> tensor<8xf32> {
    %u = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// So does any scf.while.
func.func @moved_dest_while(%a: tensor<4xf32>, %f: f32, %n: index, %s: tensor<8xf32>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %h = scf.while (%t = %s) : (tensor<8xf32>) -> tensor<8xf32> {
    %v = tensor.extract %t[%n] : tensor<8xf32>
    %c = arith.cmpf olt, %v, %f : f32
    scf.condition(%c) %t : tensor<8xf32>
  } do {
  ^bb0(%t: tensor<8xf32>):
    scf.yield %t : tensor<8xf32>
  }
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----
// A slice of a slice.
func.func @moved_dest_slice(%a: tensor<4xf32>, %s: tensor<16xf32>, %i: index) -> tensor<16xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %j = arith.muli %i, %i : index
  %h = tensor.extract_slice %s[%j] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %p = tensor.insert_slice %g into %h[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %q = tensor.insert_slice %p into %s[%j] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %q : tensor<16xf32>
}

// -----
// The tensor.empty is also asked for its size.
func.func @moved_empty_used_by_its_size(%a: tensor<4xf32>, %s: tensor<16xf32>, %i: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.empty(%i) : tensor<?xf32>
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %f = arith.constant 0.0 : f32
  %g = linalg.fill ins(%f : f32) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %d2 = tensor.dim %g, %c0 : tensor<?xf32>
  %k = arith.addi %d, %d : index
  %p = tensor.insert_slice %g into %s[%k] [%d] [1] : tensor<?xf32> into tensor<16xf32>
  return %p : tensor<16xf32>
}

// -----
// Of lower rank.
func.func @moved_reduced(%a: tensor<4xf32>, %s: tensor<?x?xf32>, %i: index, %n: index) -> tensor<?x?xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %k = arith.addi %n, %i : index
  %p = tensor.insert_slice %g into %s[%k, 0] [1, 4] [1, %k] : tensor<4xf32> into tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----
// Through a cast.
func.func @moved_cast(%a: tensor<?xf32>, %s: tensor<16xf32>, %i: index, %n: index) -> tensor<16xf32> {
  %x = tensor.empty(%n) : tensor<?xf32>
  %g = linalg.exp ins(%a : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %h = tensor.cast %g : tensor<?xf32> to tensor<4xf32>
  %k = arith.addi %n, %i : index
  %p = tensor.insert_slice %h into %s[%k] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %p : tensor<16xf32>
}

// -----
// Two results of one op.
func.func @moved_several_results(%a: tensor<4xf32>, %s: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %y = tensor.empty() : tensor<4xf32>
  %g:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%x, %y : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%u: f32, %v: f32, %w: f32):
    %z = arith.addf %u, %u : f32
    linalg.yield %z, %u : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %k = arith.addi %n, %n : index
  %p = tensor.insert_slice %g#0 into %s[%k] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %l = arith.addi %k, %n : index
  %q = tensor.insert_slice %g#1 into %p[%l] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %q : tensor<16xf32>
}

// -----
// A concatenation of concatenations.
func.func @moved_concat_of_concats(%a: tensor<2xf32>) -> tensor<8xf32> {
  %x0 = tensor.empty() : tensor<2xf32>
  %g0 = linalg.exp ins(%a : tensor<2xf32>) outs(%x0 : tensor<2xf32>) -> tensor<2xf32>
  %x1 = tensor.empty() : tensor<2xf32>
  %g1 = linalg.log ins(%a : tensor<2xf32>) outs(%x1 : tensor<2xf32>) -> tensor<2xf32>
  %x2 = tensor.empty() : tensor<2xf32>
  %g2 = linalg.abs ins(%a : tensor<2xf32>) outs(%x2 : tensor<2xf32>) -> tensor<2xf32>
  %x3 = tensor.empty() : tensor<2xf32>
  %g3 = linalg.sqrt ins(%a : tensor<2xf32>) outs(%x3 : tensor<2xf32>) -> tensor<2xf32>
  %e0 = tensor.empty() : tensor<4xf32>
  %p0 = tensor.insert_slice %g0 into %e0[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %p1 = tensor.insert_slice %g1 into %p0[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %p2 = tensor.insert_slice %g2 into %e1[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %p3 = tensor.insert_slice %g3 into %p2[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %q0 = tensor.insert_slice %p1 into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %q1 = tensor.insert_slice %p3 into %q0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %q1 : tensor<8xf32>
}

// -----
// Offsets through casts and affine.min.
func.func @moved_ints(%a: tensor<4xi8>, %s: tensor<2x16xi8>, %n: index) -> tensor<2x16xi8> {
  %x = tensor.empty() : tensor<4xi8>
  %c = arith.constant 7 : i8
  %g = linalg.fill ins(%c : i8) outs(%x : tensor<4xi8>) -> tensor<4xi8>
  %i = arith.index_cast %n : index to i64
  %j = arith.index_cast %i : i64 to index
  %k = arith.minsi %j, %n : index
  %l = affine.min affine_map<(d0) -> (d0, 4)>(%k)
  %p = tensor.insert_slice %g into %s[1, %l] [1, 4] [1, 1] : tensor<4xi8> into tensor<2x16xi8>
  return %p : tensor<2x16xi8>
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

// -----
// PASSES: eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries},canonicalize
// A concatenation takes one allocation.
func.func @concatenation_then_bufferized(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %x = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4xf32>
  %h = linalg.log ins(%b : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %p = tensor.insert_slice %g into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %q = tensor.insert_slice %h into %p[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %q : tensor<8xf32>
}

// Programs that mlir-opt 22 compiles to something else than they say.

func.func @neighbour_read(%t: tensor<9xf32>) -> tensor<9xf32> {
  // DIFFERS: mlir-opt lets a thread read the element that the next one writes
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<9xf32>) {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %v = tensor.extract %o[%n] : tensor<9xf32>
    %e = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<9xf32>
    }
  }
  return %r : tensor<9xf32>
}

// -----

func.func @slice_written_and_not_inserted(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  // DIFFERS: mlir-opt lets a thread write %t where it inserts nothing
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %s = tensor.extract_slice %o[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %e = tensor.extract_slice %w[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @written_and_never_inserted(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>) {
  // DIFFERS: mlir-opt lets the threads write %t, although they insert nothing
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %w = tensor.insert %f into %o[%i] : tensor<8xf32>
    %e = tensor.extract %w[%i] : tensor<8xf32>
    func.call @use(%e) : (f32) -> ()
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<8xf32>
}

func.func private @use(f32)

// -----

func.func @inserted_elsewhere(%t: tensor<8xf32>, %u: tensor<2xf32>) -> tensor<8xf32> {
  // DIFFERS: mlir-opt replaces the slice at 0 before it inserts it at 4
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %o[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %s into %o[4] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @whole_output_written(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  // DIFFERS: mlir-opt lets every thread fill all of %t, although it inserts only two
  // elements
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %w = linalg.fill ins(%f: f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %s = tensor.extract_slice %w[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @parallel_shares_tensor(%m: memref<8xf32>, %f: f32) {
  // DIFFERS: mlir-opt lets all iterations fill the same buffer
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %g = memref.load %m[%i] : memref<8xf32>
    %w = linalg.fill ins(%g : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v = tensor.extract %w[%c0] : tensor<4xf32>
    memref.store %v, %m[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

func.func private @fill_and_read(%t: tensor<4xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %w = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.extract %w[%c0] : tensor<4xf32>
  return %v : f32
}
func.func @parallel_calls_share_tensor(%m: memref<8xf32>) {
  // DIFFERS: mlir-opt lets the calls of all iterations fill the same buffer
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %g = memref.load %m[%i] : memref<8xf32>
    %v = func.call @fill_and_read(%e, %g) : (tensor<4xf32>, f32) -> f32
    memref.store %v, %m[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

func.func @switch_result_written(%k: index, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  // DIFFERS: mlir-opt writes %u, which may be the result, although it is read afterwards
  %r = scf.index_switch %k -> tensor<8xf32>
  case 0 {
    scf.yield %t : tensor<8xf32>
  }
  default {
    scf.yield %u : tensor<8xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  %e = tensor.extract %u[%i] : tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// -----

func.func @argument_read_in_later_block(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  // DIFFERS: mlir-opt writes %t, although it is read afterwards
  cf.br ^later
^later:
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %v : tensor<8xf32>, f32
}

// -----

func.func @while_yields_outside_tensor(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index, %n: index) -> (tensor<8xf32>, f32) {
  // DIFFERS: mlir-opt writes %u, from the second iteration on
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %t, %j = %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    %c = arith.cmpi slt, %j, %n : index
    scf.condition(%c) %w, %j : tensor<8xf32>, index
  } do {
  ^bb0(%b: tensor<8xf32>, %k: index):
    %next = arith.addi %k, %c1 : index
    scf.yield %u, %next : tensor<8xf32>, index
  }
  %v = tensor.extract %u[%i] : tensor<8xf32>
  return %r#0, %v : tensor<8xf32>, f32
}

// -----

func.func @while_yields_tensor_twice(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  // DIFFERS: mlir-opt uses one buffer for both iter_args, and one of them is written
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%a = %t, %b = %u, %j = %c0) : (tensor<8xf32>, tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>, index) {
    %w = tensor.insert %f into %a[%j] : tensor<8xf32>
    %c = arith.cmpi slt, %j, %n : index
    scf.condition(%c) %w, %b, %j : tensor<8xf32>, tensor<8xf32>, index
  } do {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>, %k: index):
    %next = arith.addi %k, %c1 : index
    scf.yield %x, %x, %next : tensor<8xf32>, tensor<8xf32>, index
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @for_yields_new_tensor_twice(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  // DIFFERS: mlir-opt uses one buffer for both iter_args, and one of them is written
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %x = linalg.map { arith.addf } ins(%w, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>)
    scf.yield %x, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Compared as unsigned numbers, -1 is greater than 4: no iteration overwrites %t.
func.func @unsigned_bounds(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  // DIFFERS: mlir-opt compares the bounds as signed numbers, and does not copy the contents
  %lb = arith.constant -1 : index
  %ub = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for unsigned %i = %lb to %ub step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @for_yields_copied_value(%t: tensor<4xf32>, %f: f32, %n: index) -> (f32, tensor<4xf32>) {
  // DIFFERS: mlir-opt overlooks that the value copied before the loop comes from outside of
  // it
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %w = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v, %s = %f) -> (tensor<?xf32>, f32) {
    %x = tensor.extract %a[%c1] : tensor<?xf32>
    %y = arith.addf %x, %s : f32
    %u = tensor.insert %y into %a[%c1] : tensor<?xf32>
    %z = tensor.extract %u[%c1] : tensor<?xf32>
    scf.yield %v, %z : tensor<?xf32>, f32
  }
  return %r#1, %w : f32, tensor<4xf32>
}

// -----

// DIFFERS: mlir-opt lets the second insertion read elements that the first has
// overwritten.
func.func @insertions_swap(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.forall (%i) in (4) shared_outs(%o = %t, %p = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %a = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %b = tensor.extract_slice %p[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %p[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %b into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// DIFFERS: mlir-opt detects that %v may be %a, and overlooks that it may also be
// neighbouring elements.
func.func @elements_of_neighbours(%t: tensor<8xf32>, %c: i1) -> tensor<4xf32> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %v = scf.if %c -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %r = linalg.map { arith.addf } ins(%a, %v : tensor<4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----

// DIFFERS: mlir-opt computes two tensors in one buffer, as nothing defines what it holds before

func.func @empty_for_two_iter_args(%a: tensor<4xf32>, %n: index, %x: f32, %y: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a, %u = %e, %v = %e) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = linalg.fill ins(%x : f32) outs(%u : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.fill ins(%y : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %1, %p, %q : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

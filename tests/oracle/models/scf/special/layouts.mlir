// Layouts of what regions pass out: they are predicted before the ops inside are bufferized.
// PASSES: one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}

func.func @if_of_new_buffers(%c: i1, %f: f32) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    %e = tensor.splat %f : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @loop_of_new_buffers(%f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %e = tensor.from_elements %f, %f, %f, %f : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_alloc_tensors(%c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_in_if(%c: i1, %d: i1, %f: f32) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %a = tensor.empty() : tensor<4xf32>
    %s = scf.if %d -> tensor<4xf32> {
      %w = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  } else {
    %s = scf.if %d -> tensor<4xf32> {
      %e = tensor.splat %f : tensor<4xf32>
      scf.yield %e : tensor<4xf32>
    } else {
      %e = bufferization.alloc_tensor() : tensor<4xf32>
      scf.yield %e : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @loop_in_if(%c: i1, %f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> tensor<4xf32> {
      %w = tensor.insert %f into %a[%i] : tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    }
    scf.yield %l : tensor<4xf32>
  } else {
    %e = tensor.generate {
    ^bb0(%i: index):
      tensor.yield %f : f32
    } : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_slices(%c: i1, %i: index) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %s = tensor.extract_slice %e[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %e = bufferization.alloc_tensor() : tensor<8xf32>
    %s = tensor.extract_slice %e[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_reshaped(%c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.empty() : tensor<2x2xf32>
    %s = tensor.collapse_shape %e [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<2x2xf32>
    %s = tensor.collapse_shape %e [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_constants(%c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %e = arith.constant dense<2.0> : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @switch_of_new_buffers(%k: index, %f: f32) -> tensor<4xf32> {
  %r = scf.index_switch %k -> tensor<4xf32>
  case 2 {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  case 5 {
    %e = tensor.empty() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  default {
    %e = tensor.splat %f : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @arg_viewed_before_replaced(%f: f32, %n: index) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.splat %f : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %s = %f) -> (tensor<4xf32>, f32) {
    %v = tensor.extract_slice %a[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %x = func.call @use(%v) : (tensor<2xf32>) -> f32
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w, %x : tensor<4xf32>, f32
  }
  return %r#0, %r#1 : tensor<4xf32>, f32
}
func.func private @use(tensor<2xf32>) -> f32

// -----

func.func @while_of_new_buffers(%c: i1, %f: f32) -> tensor<4xf32> {
  %t = tensor.empty() : tensor<4xf32>
  %r = scf.while (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %w = tensor.splat %f : tensor<4xf32>
    scf.condition(%c) %w : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %x = tensor.empty() : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @blocks_of_new_buffers(%c: i1, %f: f32) -> tensor<4xf32> {
  cf.cond_br %c, ^left, ^right
^left:
  %a = tensor.empty() : tensor<4xf32>
  cf.br ^end(%a : tensor<4xf32>)
^right:
  %b = tensor.splat %f : tensor<4xf32>
  cf.br ^end(%b : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// -----

func.func @region_of_new_buffer(%f: f32) -> tensor<4xf32> {
  %r = scf.execute_region -> tensor<4xf32> {
    %a = tensor.splat %f : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_threads(%c: i1, %f: f32) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<4xf32>
    %l = scf.forall (%i) in (4) shared_outs(%o = %e) -> tensor<4xf32> {
      %p = tensor.splat %f : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %p into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    scf.yield %l : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_concat(%c: i1, %s: tensor<2xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.concat dim(0) %s, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %e = tensor.concat dim(0) %s, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// scf.for: iter_args that are written in place, copied, swapped, replaced by new buffers.

func.func @write_iter_arg(%t: tensor<?xf32>, %f: f32, %lb: index, %ub: index, %s: index) -> tensor<?xf32> {
  %r = scf.for %i = %lb to %ub step %s iter_args(%a = %t) -> tensor<?xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @iter_arg_not_writable(%t: tensor<?xf32> {bufferization.writable = false}, %f: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @init_read_after_loop(%t: tensor<?xf32>, %f: f32, %n: index) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %e = tensor.extract %t[%c0] : tensor<?xf32>
  return %r, %e : tensor<?xf32>, f32
}

// -----

func.func @init_read_inside_loop(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %e = tensor.extract %t[%i] : tensor<?xf32>
    %w = tensor.insert %e into %a[%c0] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @iter_arg_read_after_write(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %sum = %zero) -> (tensor<8xf32>, f32) {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    %e = tensor.extract %a[%i] : tensor<8xf32>
    %next = arith.addf %sum, %e : f32
    scf.yield %w, %next : tensor<8xf32>, f32
  }
  return %r#0, %r#1 : tensor<8xf32>, f32
}

// -----

func.func @zero_trip_possible(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> tensor<8xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %z[%c0] : tensor<8xf32>
  %x = tensor.insert %v into %r[%c0] : tensor<8xf32>
  return %x : tensor<8xf32>
}

// -----

// The loop runs and overwrites everything: the init operand is not read, so that the copy
// before the loop takes no contents.
func.func @at_least_one_iteration(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @no_iteration(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %c1 step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @negative_bounds(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  %lb = arith.constant -4 : i32
  %ub = arith.constant -1 : i32
  %s = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %lb to %ub step %s iter_args(%a = %t) -> tensor<8xf32> : i32 {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @swap(%s: tensor<?xf32>, %t: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @swap_and_write(%s: tensor<4xf32>, %t: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %a[%c0] : tensor<4xf32>
    scf.yield %b, %w : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @stencil_ping_pong(%s: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %e) -> (tensor<16xf32>, tensor<16xf32>) {
    %w = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]
    } ins(%a : tensor<16xf32>) outs(%b : tensor<16xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %x : f32
      linalg.yield %z : f32
    } -> tensor<16xf32>
    scf.yield %w, %a : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0 : tensor<16xf32>
}

// -----

func.func @same_init_twice(%t: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %a[%c0] : tensor<4xf32>
    %x = tensor.insert %f into %b[%c1] : tensor<4xf32>
    scf.yield %w, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @yield_new_buffer(%t: tensor<4xf32>, %f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.map { math.exp } ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)
    scf.yield %w : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @yield_of_outside_tensor(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %w = tensor.insert %f into %a[%c0] : tensor<4xf32>
    %e = tensor.extract %w[%i] : tensor<4xf32>
    func.call @print(%e) : (f32) -> ()
    scf.yield %u : tensor<4xf32>
  }
  %v = tensor.extract %u[%c0] : tensor<4xf32>
  return %r, %v : tensor<4xf32>, f32
}

func.func private @print(f32)

// -----

func.func @yield_other_iter_arg_twice(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %w, %w : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @new_tensor_yielded_twice_and_read(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %n: index, %c: i1) -> (f32, f32, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    %chosen = scf.if %c -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    } else {
      scf.yield %t : tensor<4xf32>
    }
    %e = tensor.empty() : tensor<4xf32>
    %x = linalg.map { arith.addf } ins(%chosen, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  %either = scf.if %c -> tensor<4xf32> {
    scf.yield %r#0 : tensor<4xf32>
  } else {
    scf.yield %u : tensor<4xf32>
  }
  %v = tensor.extract %either[%c0] : tensor<4xf32>
  %w = tensor.extract %r#1[%c1] : tensor<4xf32>
  return %v, %w, %t : f32, f32, tensor<4xf32>
}

// -----

func.func @nested(%t: tensor<8x8xf32>, %f: f32) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> tensor<8x8xf32> {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> tensor<8x8xf32> {
      %w = tensor.insert %f into %b[%i, %j] : tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

func.func @nested_reading_outer_iter_arg(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> tensor<8x8xf32> {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> tensor<8x8xf32> {
      %e = tensor.extract %a[%j, %i] : tensor<8x8xf32>
      %w = tensor.insert %e into %b[%i, %j] : tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

func.func @nested_new_buffer(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %w = linalg.map { math.exp } ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>)
      scf.yield %w : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @tiles(%t: tensor<64xf32>, %f: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> tensor<64xf32> {
    %s = tensor.extract_slice %a[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    %x = tensor.insert_slice %w into %a[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %x : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// -----

// A slice goes in, with offset and strides; a new contiguous buffer comes around.
func.func @layout_promotion(%t: tensor<16xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.map { math.exp } ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %r[%n] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @layout_kept(%t: tensor<16xf32>, %f: f32, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> tensor<4xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %x = tensor.insert_slice %r into %t[4] [4] [2] : tensor<4xf32> into tensor<16xf32>
  return %x : tensor<16xf32>
}

// -----

// The inner loop has a promoted layout, the outer one then too.
func.func @layout_promotion_nested(%t: tensor<16xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.empty() : tensor<4xf32>
  %f = arith.constant 1.0 : f32
  %z = linalg.fill ins(%f : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> tensor<4xf32> {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %e = tensor.extract_slice %t[%j] [4] [2] : tensor<16xf32> to tensor<4xf32>
      %c = arith.cmpi slt, %i, %j : index
      %y = scf.if %c -> tensor<4xf32> {
        scf.yield %e : tensor<4xf32>
      } else {
        scf.yield %b : tensor<4xf32>
      }
      scf.yield %y : tensor<4xf32>
    }
    scf.yield %q : tensor<4xf32>
  }
  %v = tensor.extract %r[%n] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @swapped_layouts(%t: tensor<16xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %u = tensor.extract_slice %t[2] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %v = tensor.extract %r#0[%n] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @cast_around_loop(%t: tensor<?xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.cast %t : tensor<?xf32> to tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> tensor<8xf32> {
    %q = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
    %w = tensor.insert %f into %q[%i] : tensor<?xf32>
    %p = tensor.cast %w : tensor<?xf32> to tensor<8xf32>
    scf.yield %p : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @loop_after_loop(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> tensor<8xf32> {
    %w = tensor.insert %f into %a[%c0] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @outside_tensor_written_inside(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %e = tensor.extract %u[%i] : tensor<8xf32>
    %w = tensor.insert %f into %u[%c0] : tensor<8xf32>
    %g = tensor.extract %w[%i] : tensor<8xf32>
    %h = arith.addf %e, %g : f32
    %x = tensor.insert %h into %a[%i] : tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @outside_empty_written_inside(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %w = linalg.fill ins(%f : f32) outs(%u : tensor<8xf32>) -> tensor<8xf32>
    %g = tensor.extract %w[%i] : tensor<8xf32>
    %x = tensor.insert %g into %a[%i] : tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @unused_iter_arg(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    scf.yield %a : tensor<8xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @select_of_iter_arg(%t: tensor<8xf32>, %u: tensor<8xf32>, %c: i1, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %s = arith.select %c, %a, %u : tensor<8xf32>
    %w = tensor.insert %f into %s[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @attributes_stay(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  } {my.note = "kept"}
  return %r : tensor<8xf32>
}

// -----

func.func @padded_in_loop(%t: tensor<?xf32>, %f: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %p = tensor.pad %a low[1] high[%i] {
    ^bb0(%k: index):
      tensor.yield %f : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @for_yields_new_tensor_twice_written_after_reads(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %x = linalg.map { arith.addf } ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>)
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    %y = tensor.extract %w[%c0] : tensor<8xf32>
    %z = tensor.insert %y into %x[%c1] : tensor<8xf32>
    scf.yield %z, %z : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// -----

func.func @for_yields_copy_written_at_last(%t: tensor<8xf32>, %u: tensor<4xf32>, %f: f32, %n: index) -> (tensor<8xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u) -> (tensor<4xf32>) {
    scf.yield %s : tensor<4xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<4xf32>
  %w = tensor.insert %f into %s[%c1] : tensor<4xf32>
  %y = tensor.extract %w[%c0] : tensor<4xf32>
  return %t, %x, %y : tensor<8xf32>, f32, f32
}

// -----

// The init operand is written, but not the constant.

func.func @for_yields_constant(%f: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> tensor<3xf32> {
    scf.yield %k : tensor<3xf32>
  }
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> tensor<3xf32> {
    %in = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
    scf.yield %in : tensor<3xf32>
  }
  %x = tensor.extract %r[%c1] : tensor<3xf32>
  %y = tensor.extract %o[%c1] : tensor<3xf32>
  return %x, %y : f32, f32
}

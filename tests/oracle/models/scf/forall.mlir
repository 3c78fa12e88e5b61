// scf.forall and scf.parallel: threads that share a buffer.

func.func @own_slice(%t: tensor<100xf32>, %f: f32) -> tensor<100xf32> {
  %r = scf.forall (%i) in (20) shared_outs(%o = %t) -> (tensor<100xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 5)>(%i)
    %s = tensor.extract_slice %o[%b] [5] [1] : tensor<100xf32> to tensor<5xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<5xf32>) -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%b] [5] [1] : tensor<5xf32> into tensor<100xf32>
    }
  }
  return %r : tensor<100xf32>
}

// -----

func.func @new_slice(%t: tensor<100xf32>, %f: f32) -> tensor<100xf32> {
  %r = scf.forall (%i) in (20) shared_outs(%o = %t) -> (tensor<100xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 5)>(%i)
    %e = tensor.empty() : tensor<5xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%b] [5] [1] : tensor<5xf32> into tensor<100xf32>
    }
  }
  return %r : tensor<100xf32>
}

// -----

func.func @output_read_later(%t: tensor<100xf32>, %f: f32, %k: index) -> (tensor<100xf32>, f32) {
  %r = scf.forall (%i) in (100) shared_outs(%o = %t) -> (tensor<100xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<100xf32> to tensor<1xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<100xf32>
    }
  }
  %e = tensor.extract %t[%k] : tensor<100xf32>
  return %r, %e : tensor<100xf32>, f32
}

// -----

func.func @two_outputs(%t: tensor<8x8xf32>, %u: tensor<8xf32>, %f: f32) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %t, %p = %u) -> (tensor<8x8xf32>, tensor<8xf32>) {
    %s = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
    %e = tensor.empty() : tensor<1xf32>
    %x = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
      tensor.parallel_insert_slice %x into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8xf32>
}

// -----

func.func @bounds_and_steps(%t: tensor<?xf32>, %f: f32, %lb: index, %ub: index, %s: index) -> tensor<?xf32> {
  %r = scf.forall (%i) = (%lb) to (%ub) step (%s) shared_outs(%o = %t) -> (tensor<?xf32>) {
    %e = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {my.note = "kept"}
  return %r : tensor<?xf32>
}

// -----

// Made outside, written inside: each thread needs its own.
func.func @private_copy(%t: tensor<10xf32>, %f: f32) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<10xf32>) {
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<10xf32>
    }
  }
  return %r : tensor<10xf32>
}

// -----

func.func @one_thread_needs_no_copy(%t: tensor<10xf32>, %f: f32) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<10xf32>) {
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<10xf32>
    }
  }
  return %r : tensor<10xf32>
}

// -----

func.func @constant_operands(%t: tensor<10xf32>, %f: f32) -> tensor<10xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (%c1) shared_outs(%o = %t) -> (tensor<10xf32>) {
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<10xf32>
    }
  }
  return %r : tensor<10xf32>
}

// -----

func.func @output_not_read(%f: f32) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<10xf32>
  %r = scf.forall (%i) in (10) shared_outs(%o = %e) -> (tensor<10xf32>) {
    %s = tensor.empty() : tensor<1xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<10xf32>
    }
  }
  return %r : tensor<10xf32>
}

// -----

func.func @no_insertion(%t: tensor<10xf32>, %k: index) -> (tensor<10xf32>, f32) {
  %r = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<10xf32>) {
    %v = tensor.extract %o[%i] : tensor<10xf32>
    func.call @print(%v) : (f32) -> ()
    scf.forall.in_parallel {
    }
  }
  %e = tensor.extract %t[%k] : tensor<10xf32>
  return %r, %e : tensor<10xf32>, f32
}

func.func private @print(f32)

// -----

func.func @inner_loop_on_own_slice(%t: tensor<64xf32>, %f: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<64xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %s = tensor.extract_slice %o[%b] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %q = scf.for %j = %c0 to %c8 step %c1 iter_args(%a = %s) -> tensor<8xf32> {
      %w = tensor.insert %f into %a[%j] : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%b] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}

// -----

func.func @nested(%t: tensor<8x8xf32>, %f: f32) -> tensor<8x8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %q = scf.forall (%j) in (8) shared_outs(%p = %s) -> (tensor<8xf32>) {
      %e = tensor.extract_slice %p[%j] [1] [1] : tensor<8xf32> to tensor<1xf32>
      %w = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[%j] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}

// -----

func.func @input_read_by_all(%t: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %v = tensor.extract %u[%i] : tensor<8xf32>
    %e = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

// A thread may read the element that it overwrites, also without a slice.
func.func @element_read_and_replaced(%t: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %v = tensor.extract %o[%i] : tensor<8xf32>
    %x = arith.addf %v, %v : f32
    %e = tensor.from_elements %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @written_in_own_slice(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %n = arith.addi %b, %c1 : index
    %v = tensor.extract %o[%n] : tensor<8xf32>
    %g = arith.addf %v, %f : f32
    %w = tensor.insert %g into %o[%b] : tensor<8xf32>
    %s = tensor.extract_slice %w[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @through_cast(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %d = tensor.cast %o : tensor<8xf32> to tensor<?xf32>
    %s = tensor.extract_slice %d[%b] [2] [1] : tensor<?xf32> to tensor<2xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%b] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @dimension_of_output(%t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<?xf32>) {
    %d = tensor.dim %o, %c0 : tensor<?xf32>
    %b = arith.remui %i, %d : index
    %s = tensor.extract_slice %o[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%b] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

func.func @init_read_inside(%t: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %v = tensor.extract %t[%k] : tensor<8xf32>
    %e = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @no_outputs(%t: tensor<8xf32>) {
  scf.forall (%i) in (8) {
    %v = tensor.extract %t[%i] : tensor<8xf32>
    func.call @print(%v) : (f32) -> ()
  }
  return
}

func.func private @print(f32)

// -----

func.func @parallel_reading(%t: tensor<8xf32>, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = tensor.extract %t[%i] : tensor<8xf32>
    memref.store %v, %m[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

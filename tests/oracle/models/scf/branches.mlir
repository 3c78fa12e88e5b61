// scf.if, scf.index_switch, scf.execute_region: their results are what they yield.

func.func @if_inplace(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @if_different(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %u : tensor<8xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

func.func @if_result_written_operand_read(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = scf.if %c -> tensor<8xf32> {
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %u : tensor<8xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  %e = tensor.extract %u[%i] : tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// -----

func.func @if_branches_exclude_each_other(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  %r = scf.if %c -> f32 {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    %e = tensor.extract %w[%i] : tensor<8xf32>
    scf.yield %e : f32
  } else {
    %e = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %e : f32
  }
  return %r : f32
}

// -----

func.func @if_without_results(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  scf.if %c {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    %e = tensor.extract %w[%i] : tensor<8xf32>
    func.call @print(%e) : (f32) -> ()
  }
  return %t : tensor<8xf32>
}

func.func private @print(f32)

// -----

func.func @if_layouts_differ(%c: i1, %t: tensor<16xf32>, %f: f32, %i: index) -> f32 {
  %r = scf.if %c -> tensor<4xf32> {
    %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @if_same_layouts(%c: i1, %t: tensor<16xf32>, %i: index) -> f32 {
  %r = scf.if %c -> tensor<4xf32> {
    %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @if_nested(%c: i1, %d: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %s = scf.if %d -> tensor<8xf32> {
      %w = tensor.insert %f into %t[%i] : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    } else {
      scf.yield %t : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  } else {
    %w = linalg.fill ins(%f : f32) outs(%u : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @if_in_loop(%t: tensor<8xf32>, %c: i1, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %s = scf.if %c -> tensor<8xf32> {
      %w = tensor.insert %f into %a[%i] : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    } else {
      scf.yield %a : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @if_two_results_same_tensor(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.if %c -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %t, %t : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %t, %u : tensor<8xf32>, tensor<8xf32>
  }
  %w = tensor.insert %f into %r#0[%i] : tensor<8xf32>
  return %w, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @if_mixed_results(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> (f32, tensor<8xf32>) {
  %r:2 = scf.if %c -> (f32, tensor<8xf32>) {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %f, %w : f32, tensor<8xf32>
  } else {
    %e = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %e, %t : f32, tensor<8xf32>
  }
  return %r#0, %r#1 : f32, tensor<8xf32>
}

// -----

func.func @switch_inplace(%k: index, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.index_switch %k -> tensor<8xf32>
  case 0 {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  case 3 {
    %w = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  default {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @switch_layouts_differ(%k: index, %t: tensor<16xf32>, %f: f32, %i: index) -> f32 {
  %r = scf.index_switch %k -> tensor<4xf32>
  case 2 {
    %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  case 5 {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  default {
    %s = tensor.extract_slice %t[2] [4] [1] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @switch_without_results(%k: index, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  scf.index_switch %k
  case 1 {
    %e = tensor.extract %t[%i] : tensor<8xf32>
    func.call @print(%e) : (f32) -> ()
    scf.yield
  }
  default {
    scf.yield
  }
  return %t : tensor<8xf32>
}

func.func private @print(f32)

// -----

func.func @region_inplace(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.execute_region -> tensor<8xf32> {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @region_no_inline(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r:2 = scf.execute_region -> (tensor<8xf32>, f32) no_inline {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %w, %f : tensor<8xf32>, f32
  }
  return %r#0, %r#1 : tensor<8xf32>, f32
}

// -----

func.func @region_result_written_operand_read(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = scf.execute_region -> tensor<8xf32> {
    scf.yield %t : tensor<8xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  %e = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// -----

func.func @region_with_blocks(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.execute_region -> tensor<8xf32> {
    cf.cond_br %c, ^write(%t : tensor<8xf32>), ^end(%t : tensor<8xf32>)
  ^write(%a: tensor<8xf32>):
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    cf.br ^end(%w : tensor<8xf32>)
  ^end(%y: tensor<8xf32>):
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @region_with_two_yields(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  // MLIR-REJECTS: mlir-opt requires scf.execute_region to have one yield
  %r = scf.execute_region -> tensor<8xf32> {
    cf.cond_br %c, ^write(%t : tensor<8xf32>), ^end
  ^write(%a: tensor<8xf32>):
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  ^end:
    %e = tensor.empty() : tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Nothing is read or written by a name that nobody uses.
func.func @unused_result_of_switch(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %t : tensor<4xf32>
  }
  default {
    scf.yield %u : tensor<4xf32>
  }
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %e = tensor.extract %u[%i] : tensor<4xf32>
  return %w, %e : tensor<4xf32>, f32
}

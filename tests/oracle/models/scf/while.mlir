// scf.while: buffers go through both regions, or are copied on the way.

func.func @write_before(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %r = scf.while (%a = %t) : (tensor<?xf32>) -> tensor<?xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<?xf32>
    %e = tensor.extract %w[%i] : tensor<?xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %w : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @write_after(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %r = scf.while (%a = %t) : (tensor<?xf32>) -> tensor<?xf32> {
    %e = tensor.extract %a[%i] : tensor<?xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %w = tensor.insert %f into %b[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @init_read_later(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.extract %a[%i] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    %w = tensor.insert %f into %b[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @swap_in_condition(%s: tensor<5xi1>, %t: tensor<5xi1>, %i: index) -> (tensor<5xi1>, tensor<5xi1>) {
  %r:2 = scf.while (%a = %s, %b = %t) : (tensor<5xi1>, tensor<5xi1>) -> (tensor<5xi1>, tensor<5xi1>) {
    %c = tensor.extract %a[%i] : tensor<5xi1>
    scf.condition(%c) %b, %a : tensor<5xi1>, tensor<5xi1>
  } do {
  ^bb0(%x: tensor<5xi1>, %y: tensor<5xi1>):
    scf.yield %x, %y : tensor<5xi1>, tensor<5xi1>
  }
  return %r#0, %r#1 : tensor<5xi1>, tensor<5xi1>
}

// -----

func.func @swap_in_yield(%s: tensor<5xi1>, %t: tensor<5xi1>, %i: index) -> (tensor<5xi1>, tensor<5xi1>) {
  %r:2 = scf.while (%a = %s, %b = %t) : (tensor<5xi1>, tensor<5xi1>) -> (tensor<5xi1>, tensor<5xi1>) {
    %c = tensor.extract %a[%i] : tensor<5xi1>
    scf.condition(%c) %a, %b : tensor<5xi1>, tensor<5xi1>
  } do {
  ^bb0(%x: tensor<5xi1>, %y: tensor<5xi1>):
    scf.yield %y, %x : tensor<5xi1>, tensor<5xi1>
  }
  return %r#0, %r#1 : tensor<5xi1>, tensor<5xi1>
}

// -----

func.func @new_buffer_before(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %n = tensor.empty() : tensor<8xf32>
    %w = linalg.map { math.exp } ins(%a : tensor<8xf32>) outs(%n : tensor<8xf32>)
    %e = tensor.extract %w[%i] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %w : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @new_buffer_after(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.extract %a[%i] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    %n = tensor.empty() : tensor<8xf32>
    %w = linalg.map { math.exp } ins(%b : tensor<8xf32>) outs(%n : tensor<8xf32>)
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Another number of values, of other types, leaves `before` than enters it.
func.func @different_types(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%n = %i, %a = %t) : (index, tensor<8xf32>) -> (tensor<4xf32>, index) {
    %e = tensor.extract %a[%n] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    %s = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.condition(%c) %s, %n : tensor<4xf32>, index
  } do {
  ^bb0(%b: tensor<4xf32>, %m: index):
    %u = tensor.empty() : tensor<8xf32>
    %w = tensor.insert_slice %b into %u[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %c0, %w : index, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, index
}

// -----

func.func @tensors_at_other_positions(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r:3 = scf.while (%n = %i, %a = %t) : (index, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, index) {
    %e = tensor.extract %a[%n] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %a, %u, %n : tensor<8xf32>, tensor<8xf32>, index
  } do {
  ^bb0(%b: tensor<8xf32>, %d: tensor<8xf32>, %m: index):
    %w = tensor.insert %f into %b[%m] : tensor<8xf32>
    %v = tensor.extract %d[%m] : tensor<8xf32>
    %x = tensor.insert %v into %w[%i] : tensor<8xf32>
    scf.yield %m, %x : index, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// -----

func.func @layout_promotion(%t: tensor<16xf32>, %f: f32, %i: index) -> f32 {
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %r = scf.while (%a = %s) : (tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.extract %a[%i] : tensor<4xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %n = tensor.empty() : tensor<4xf32>
    %w = linalg.map { math.exp } ins(%b : tensor<4xf32>) outs(%n : tensor<4xf32>)
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @nested_in_for(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %q = scf.while (%b = %a) : (tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.extract %b[%i] : tensor<8xf32>
      %c = arith.cmpf olt, %e, %f : f32
      scf.condition(%c) %b : tensor<8xf32>
    } do {
    ^bb0(%d: tensor<8xf32>):
      %w = tensor.insert %f into %d[%i] : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @outside_tensor_through_condition(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.extract %a[%i] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %u : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    %w = tensor.insert %f into %b[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %v = tensor.extract %u[%i] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// -----

func.func @tensor_copied_to_itself(%t: tensor<8xf32>, %i: index, %c: i1) -> tensor<8xf32> {
  %r:2 = scf.while (%k = %i, %a = %t) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %w = linalg.copy ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.condition(%c) %k, %t : index, tensor<8xf32>
  } do {
  ^bb0(%k: index, %a: tensor<8xf32>):
    scf.yield %k, %a : index, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}

// -----

func.func @new_tensor_chosen_with_outside(%t: tensor<8xf32>, %f: f32, %i: index, %n: index, %c: i1) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %t, %j = %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %w = tensor.insert %f into %a[%j] : tensor<8xf32>
    %more = arith.cmpi slt, %j, %n : index
    scf.condition(%more) %w, %j : tensor<8xf32>, index
  } do {
  ^bb0(%b: tensor<8xf32>, %j: index):
    %new = tensor.insert %f into %t[%i] : tensor<8xf32>
    %chosen = arith.select %c, %new, %t : tensor<8xf32>
    %next = arith.addi %j, %c1 : index
    scf.yield %new, %next : tensor<8xf32>, index
  }
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %r#0, %v : tensor<8xf32>, f32
}

// -----

func.func @new_tensor_yielded_to_unused_argument_too(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%a = %t, %b = %u, %j = %c0) : (tensor<8xf32>, tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>, index) {
    %w = tensor.insert %f into %a[%j] : tensor<8xf32>
    %more = arith.cmpi slt, %j, %n : index
    scf.condition(%more) %w, %w, %j : tensor<8xf32>, tensor<8xf32>, index
  } do {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>, %j: index):
    %new = tensor.insert %f into %u[%j] : tensor<8xf32>
    %next = arith.addi %j, %c1 : index
    scf.yield %new, %new, %next : tensor<8xf32>, tensor<8xf32>, index
  }
  return %r#0 : tensor<8xf32>
}

// -----

func.func @while_yields_tensor_twice_unobserved(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %a = %t, %b = %u) : (index, tensor<8xf32>, tensor<8xf32>) -> (index, tensor<8xf32>, tensor<8xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %b, %b : index, tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%i: index, %a: tensor<8xf32>, %b: tensor<8xf32>):
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b, %b : index, tensor<8xf32>, tensor<8xf32>
  }
  return %u : tensor<8xf32>
}

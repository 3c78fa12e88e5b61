// What cannot be bufferized; each error says what to do.
// PASSES: one-shot-bufferize{bufferize-function-boundaries}

func.func @for_yields_new_buffer(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // REJECTED: Yield operand #0 is not equivalent to the corresponding iter bbArg.*allow-return-allocs-from-loops
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

func.func @for_swaps(%s: tensor<4xf32>, %t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // REJECTED: Yield operand #1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0, %a = %s, %b = %t) -> (index, tensor<4xf32>, tensor<4xf32>) {
    scf.yield %i, %b, %a : index, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

func.func @for_copies_conditionally(%t: tensor<4xf32>, %c: i1, %f: f32, %n: index) -> tensor<4xf32> {
  // REJECTED: Yield operand #0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %s = scf.if %c -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    } else {
      %e = tensor.empty() : tensor<4xf32>
      %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @nested_loop_yields_new_buffer(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // REJECTED: Yield operand #0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %e = bufferization.alloc_tensor() copy(%b) : tensor<4xf32>
      scf.yield %e : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @while_passes_new_buffer(%t: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  // REJECTED: scf.condition: Condition arg #0 is not equivalent.*allow-return-allocs-from-loops
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %n = tensor.empty() : tensor<8xf32>
    %w = linalg.map { math.exp } ins(%a : tensor<8xf32>) outs(%n : tensor<8xf32>)
    scf.condition(%c) %w : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @while_yields_new_buffer(%t: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  // REJECTED: scf.yield: Yield operand #0 is not equivalent
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
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

func.func @while_passes_more_than_it_gets(%t: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  // REJECTED: Condition arg #1
  %r:2 = scf.while (%a = %t) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.condition(%c) %a, %a : tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>, %d: tensor<8xf32>):
    scf.yield %b : tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// -----

func.func @if_of_two_memory_spaces(%c: i1, %i: index) -> f32 {
  // REJECTED: scf.if: the buffers that its regions yield are in different memory spaces, 1 : i64 and 2 : i64
  %r = scf.if %c -> tensor<4xf32> {
    %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @switch_of_two_memory_spaces(%k: index, %i: index) -> f32 {
  // REJECTED: scf.index_switch: .*different memory spaces
  %r = scf.index_switch %k -> tensor<4xf32>
  case 0 {
    %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  default {
    %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @loop_of_two_memory_spaces(%n: index) -> f32 {
  // PASSES: one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}
  // REJECTED: scf.for: the init operand of a loop and the value it yields are in different memory spaces
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %e = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @blocks_of_two_memory_spaces(%c: i1, %i: index) -> f32 {
  // REJECTED: the values that branches forward to a block argument are in different memory spaces
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  cf.cond_br %c, ^end(%a : tensor<4xf32>), ^other
^other:
  cf.br ^end(%b : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// -----

func.func @reduction_of_tensors(%t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  // REJECTED: scf.parallel: a reduction of tensors cannot be bufferized. Use scf.for
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%t) -> tensor<4xf32> {
    scf.reduce(%t : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %e = tensor.empty() : tensor<4xf32>
      %w = linalg.map { arith.addf } ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
      scf.reduce.return %w : tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

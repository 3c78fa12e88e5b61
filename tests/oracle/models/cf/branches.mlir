// cf: tensors as arguments of blocks.

func.func @br(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  cf.br ^end(%w : tensor<8xf32>)
^end(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}

// -----

func.func @cond_br(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  cf.cond_br %c, ^end(%t : tensor<8xf32>), ^other
^other:
  cf.br ^end(%u : tensor<8xf32>)
^end(%a: tensor<8xf32>):
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

func.func @loop(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<8xf32>)
^head(%i: index, %a: tensor<8xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %w : index, tensor<8xf32>)
^end:
  return %a : tensor<8xf32>
}

// -----

func.func @loop_swapping(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  // DIFFERS: mlir-opt ignores writes to %b, which may be the buffer of %a, in ^body
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t, %u : index, tensor<8xf32>, tensor<8xf32>)
^head(%i: index, %a: tensor<8xf32>, %b: tensor<8xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %b, %w : index, tensor<8xf32>, tensor<8xf32>)
^end:
  return %a : tensor<8xf32>
}

// -----

// A slice and a contiguous buffer meet.
func.func @layouts_differ(%c: i1, %t: tensor<16xf32>, %f: f32, %i: index) -> f32 {
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^end(%s : tensor<4xf32>), ^other
^other:
  cf.br ^end(%w : tensor<4xf32>)
^end(%a: tensor<4xf32>):
  %v = tensor.extract %a[%i] : tensor<4xf32>
  return %v : f32
}

// -----

// The layout is known only after the loop has gone around once.
func.func @layout_of_back_edge(%t: tensor<16xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^head(%c0, %z : index, tensor<4xf32>)
^head(%i: index, %a: tensor<4xf32>):
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body(%a : tensor<4xf32>), ^end
^body(%b: tensor<4xf32>):
  %s = tensor.extract_slice %t[%i] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  %y = tensor.extract %b[%c1] : tensor<4xf32>
  func.call @print(%y) : (f32) -> ()
  cf.br ^head(%j, %s : index, tensor<4xf32>)
^end:
  return %v : f32
}

func.func private @print(f32)

// -----

func.func @chain_of_blocks(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  cf.br ^one(%t : tensor<8xf32>)
^one(%a: tensor<8xf32>):
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  cf.br ^two(%w : tensor<8xf32>)
^two(%b: tensor<8xf32>):
  %x = linalg.fill ins(%f : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^three(%x : tensor<8xf32>)
^three(%d: tensor<8xf32>):
  return %d : tensor<8xf32>
}

// -----

func.func @written_and_read_in_other_branch(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  cf.cond_br %c, ^write, ^read
^write:
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %e = tensor.extract %w[%i] : tensor<8xf32>
  return %e : f32
^read:
  %g = tensor.extract %t[%i] : tensor<8xf32>
  return %g : f32
}

// -----

func.func @written_then_read_in_later_block(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  cf.br ^later
^later:
  %e = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// -----

func.func @same_tensor_to_both_arguments(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  cf.br ^end(%t, %t : tensor<8xf32>, tensor<8xf32>)
^end(%a: tensor<8xf32>, %b: tensor<8xf32>):
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  return %w, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @structured_inside_blocks(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%t : tensor<8xf32>)
^loop(%a: tensor<8xf32>):
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<8xf32> {
    %w = tensor.insert %f into %b[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %e = tensor.extract %r[%c0] : tensor<8xf32>
  %c = arith.cmpf olt, %e, %f : f32
  cf.cond_br %c, ^loop(%r : tensor<8xf32>), ^end(%r : tensor<8xf32>)
^end(%x: tensor<8xf32>):
  return %x : tensor<8xf32>
}

// -----

func.func @two_returns(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  cf.cond_br %c, ^one(%t : tensor<8xf32>), ^two(%u : tensor<8xf32>)
^one(%a: tensor<8xf32>):
  %e = tensor.extract %a[%i] : tensor<8xf32>
  return %e : f32
^two(%b: tensor<8xf32>):
  %g = tensor.extract %b[%i] : tensor<8xf32>
  return %g : f32
}

// -----

func.func @switch(%k: i32, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  cf.switch %k : i32, [
    default: ^zero,
    1: ^one(%u : tensor<8xf32>),
    2: ^two(%t : tensor<8xf32>)
  ]
^zero:
  return %f : f32
^one(%a: tensor<8xf32>):
  %e = tensor.extract %a[%i] : tensor<8xf32>
  return %e : f32
^two(%b: tensor<8xf32>):
  %g = tensor.extract %b[%i] : tensor<8xf32>
  return %g : f32
}

// -----

// What is in %t is copied to itself, or passed through a loop, in a later block.
func.func @idle_writes_of_argument_in_later_block(%t: tensor<4xf32>, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^later
^later:
  %copied = linalg.copy ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %whole = tensor.insert_slice %t into %t[%c0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      scf.yield %b : tensor<4xf32>
    }
    scf.yield %a : tensor<4xf32>
  }
  %e = tensor.extract %t[%i] : tensor<4xf32>
  return %e : f32
}

// -----

func.func @unobserved_read_in_later_block(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  cf.br ^end(%i : index)
^end(%j: index):
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert %f into %t[%j] : tensor<8xf32>
  %2 = tensor.extract_slice %1[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<8xf32>
}

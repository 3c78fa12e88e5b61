// A returned argument, untouched.
func.func @identity(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}

// -----
// A write to an argument.
func.func @insert(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// An argument that must not be written.
func.func @read_only(%t: tensor<?xf32> {bufferization.writable = false}, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// The old contents are still needed.
func.func @old_and_new(%t: tensor<?xf32>, %i: index, %f: f32) -> (f32, tensor<?xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %1, %0 : f32, tensor<?xf32>
}

// -----
// The argument and its update are both returned.
func.func @both(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %t, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----
// A callee that only reads.
func.func private @reads(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}
func.func @calls_reader(%t: tensor<?xf32>, %i: index, %f: f32) -> (f32, tensor<?xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = call @reads(%0, %i) : (tensor<?xf32>, index) -> f32
  return %1, %0 : f32, tensor<?xf32>
}

// -----
// A callee that writes what the caller still reads.
func.func private @writes(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @calls_writer(%t: tensor<?xf32>, %i: index, %f: f32) -> (f32, tensor<?xf32>) {
  %0 = call @writes(%t, %i, %f) : (tensor<?xf32>, index, f32) -> tensor<?xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %1, %0 : f32, tensor<?xf32>
}

// -----
// A callee that writes, and nobody minds.
func.func private @updates(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @calls_twice(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = call @updates(%t, %i, %f) : (tensor<?xf32>, index, f32) -> tensor<?xf32>
  %1 = call @updates(%0, %i, %f) : (tensor<?xf32>, index, f32) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----
// A callee defined after its caller.
func.func @first(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = call @second(%t, %i) : (tensor<?xf32>, index) -> f32
  return %0 : f32
}
func.func private @second(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}

// -----
// An external function: anything may happen.
func.func private @external(tensor<?xf32>) -> tensor<?xf32>
func.func @calls_external(%t: tensor<?xf32>, %i: index) -> (f32, tensor<?xf32>) {
  %0 = call @external(%t) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %1, %0 : f32, tensor<?xf32>
}

// -----
// An external function that promises to read only.
func.func private @external_reader(tensor<?xf32> {bufferization.access = "read"}) -> f32
func.func @calls_external_reader(%t: tensor<?xf32>, %i: index) -> (f32, f32) {
  %0 = call @external_reader(%t) : (tensor<?xf32>) -> f32
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %0, %1 : f32, f32
}

// -----
// An external function that promises to overwrite.
func.func private @external_writer(tensor<?xf32> {bufferization.access = "write"}) -> ()
func.func @calls_external_writer(%t: tensor<?xf32>, %i: index, %f: f32) -> f32 {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  call @external_writer(%0) : (tensor<?xf32>) -> ()
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %1 : f32
}

// -----
// A new tensor is returned.
func.func private @makes(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @calls_maker(%n: index, %f: f32) -> tensor<?xf32> {
  %0 = call @makes(%n) : (index) -> tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----
// A slice of an argument is returned: its layout is that of the slice.
func.func @slice(%t: tensor<10xf32>) -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[2] [4] [1] : tensor<10xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @calls_slice(%t: tensor<10xf32>, %i: index) -> f32 {
  %0 = call @slice(%t) : (tensor<10xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----
// Two arguments of one buffer.
func.func private @two(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>
  %1 = tensor.extract %b[%i] : tensor<4xf32>
  return %1, %0 : f32, tensor<4xf32>
}
func.func @calls_two(%t: tensor<4xf32>, %i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %0:2 = call @two(%t, %t, %i, %f) : (tensor<4xf32>, tensor<4xf32>, index, f32) -> (f32, tensor<4xf32>)
  return %0#0, %0#1 : f32, tensor<4xf32>
}

// -----
// Arguments are returned in another order.
func.func private @swap(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}
func.func @calls_swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %0:2 = call @swap(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = tensor.insert %f into %0#0[%i] : tensor<4xf32>
  %2 = tensor.extract %b[%i] : tensor<4xf32>
  return %2, %1 : f32, tensor<4xf32>
}

// -----
// Several returns of different buffers.
func.func @returns(%t: tensor<?xf32>, %n: index, %c: i1) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %t : tensor<?xf32>
^b:
  return %0 : tensor<?xf32>
}

// -----
// A chain of calls.
func.func private @leaf(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @middle(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = call @leaf(%t, %i, %f) : (tensor<?xf32>, index, f32) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @root(%t: tensor<?xf32>, %i: index, %f: f32) -> (f32, tensor<?xf32>) {
  %0 = call @middle(%t, %i, %f) : (tensor<?xf32>, index, f32) -> tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1, %0 : f32, tensor<?xf32>
}

// -----
// An unranked argument.
func.func @unranked(%t: tensor<*xf32>) -> tensor<*xf32> {
  return %t : tensor<*xf32>
}

// -----
// A constant handed to a callee that writes.
func.func private @overwrites(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @calls_with_constant(%i: index, %f: f32) -> tensor<4xf32> {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  %1 = call @overwrites(%0, %i, %f) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// A layout demanded for an argument.
func.func @layout(%t: tensor<4x5xf32> {bufferization.buffer_layout = affine_map<(i, j) -> (j, i)>}, %i: index) -> f32 {
  %0 = tensor.extract %t[%i, %i] : tensor<4x5xf32>
  return %0 : f32
}


// -----
func.func @layout_with_symbols(%t: tensor<?xf32> {bufferization.buffer_layout = affine_map<(i)[s, t] -> (i)>}, %u: tensor<?xf32> {bufferization.buffer_layout = affine_map<(i)[s] -> (i + s)>}, %i: index, %f: f32) -> (tensor<?xf32>, f32, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  %2 = tensor.extract %u[%i] : tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, f32, f32
}

// -----
// DIFFERS: mlir-opt overwrites the constant that the call returns.
func.func private @returns_constant() -> tensor<4xf32> {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @writes_returned_constant(%i: index, %f: f32) -> tensor<4xf32> {
  %0 = call @returns_constant() : () -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// DIFFERS: mlir-opt overwrites the constant that a recursive call may return.
func.func private @constant_in_the_end(%c: i1, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %true = arith.constant true
    %1 = func.call @constant_in_the_end(%true, %t) : (i1, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func @writes_recursive_constant(%c: i1, %t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = call @constant_in_the_end(%c, %t) : (i1, tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// A copy of a constant is the caller's.
func.func private @returns_copy(%i: index, %f: f32) -> tensor<4xf32> {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @writes_returned_copy(%i: index, %f: f32) -> tensor<4xf32> {
  %0 = call @returns_copy(%i, %f) : (index, f32) -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// Only the callee must not write the argument that it returns.
func.func private @returns_read_only(%t: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
func.func @writes_own_tensor(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = call @returns_read_only(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// So it is for a function that calls itself.
func.func private @returns_copy_recursively(%c: i1, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    %2 = tensor.insert %f into %1[%i] : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  } else {
    %1 = func.call @returns_copy_recursively(%c, %i, %f) : (i1, index, f32) -> tensor<4xf32>
    %2 = tensor.insert %f into %1[%i] : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----
// A constant that comes to the same end as a tensor that is written is copied; the result
// of the call, which is never a constant then, is not.
func.func private @constant_or_written(%n: i32, %c: i1) -> tensor<3xi32> {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^zero, ^rec
^zero:
  %k = arith.constant dense<7> : tensor<3xi32>
  cf.br ^end(%k : tensor<3xi32>)
^rec:
  %x = func.call @constant_or_written(%n, %c) : (i32, i1) -> tensor<3xi32>
  %w = tensor.insert %n into %x[%c0] : tensor<3xi32>
  cf.br ^end(%w : tensor<3xi32>)
^end(%r: tensor<3xi32>):
  return %r : tensor<3xi32>
}

// -----
// DIFFERS: two results of a recursive call may be one buffer, and so may the tensors that they are chosen with; mlir-opt does not expect that.
func.func private @two_recursive_results(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  } else {
    %w = tensor.insert %x into %a[%c0] : tensor<4xf32>
    %q:2 = func.call @two_recursive_results(%w, %b, %c, %x) : (tensor<4xf32>, tensor<4xf32>, i1, f32) -> (tensor<4xf32>, tensor<4xf32>)
    scf.yield %q#0, %q#1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

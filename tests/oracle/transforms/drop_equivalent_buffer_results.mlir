// PASSES: drop-equivalent-buffer-results
// Public functions keep their results.
func.func @id(%a: memref<4xf32>, %b: memref<?xf32>) -> (memref<4xf32>, f32, memref<?xf32>) {
  %c = arith.constant 0.0 : f32
  return %a, %c, %b : memref<4xf32>, f32, memref<?xf32>
}
func.func private @cst(%a: memref<4xf32>) -> memref<?xf32> {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  return %c : memref<?xf32>
}
func.func @use(%a: memref<4xf32>, %b: memref<?xf32>) -> (memref<4xf32>, memref<?xf32>) {
  %0:3 = call @id(%a, %b) : (memref<4xf32>, memref<?xf32>) -> (memref<4xf32>, f32, memref<?xf32>)
  %1 = call @cst(%0#0) : (memref<4xf32>) -> memref<?xf32>
  return %0#0, %1 : memref<4xf32>, memref<?xf32>
}
func.func @two(%a: memref<4xf32>, %b: i1) -> memref<4xf32> {
  cf.cond_br %b, ^x, ^y
^x: return %a : memref<4xf32>
^y: return %a : memref<4xf32>
}

// -----
// Several returns, casts, one argument twice.
func.func private @two(%a: memref<4xf32>, %b: i1) -> memref<4xf32> {
  cf.cond_br %b, ^x, ^y
^x: return %a : memref<4xf32>
^y: return %a : memref<4xf32>
}
func.func private @casts(%a: memref<4xf32, strided<[1], offset: 3>>) -> (memref<4xf32, strided<[?], offset: ?>>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.cast %a : memref<4xf32, strided<[1], offset: 3>> to memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.cast %0 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  return %1, %c : memref<4xf32, strided<[?], offset: ?>>, f32
}
func.func private @dup(%a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @use(%a: memref<4xf32>, %b: i1, %c: memref<4xf32, strided<[1], offset: 3>>) -> (memref<4xf32>, memref<4xf32>) {
  %0 = call @two(%a, %b) : (memref<4xf32>, i1) -> memref<4xf32>
  %1:2 = call @casts(%c) : (memref<4xf32, strided<[1], offset: 3>>) -> (memref<4xf32, strided<[?], offset: ?>>, f32)
  %2:2 = call @dup(%0) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return %2#0, %2#1 : memref<4xf32>, memref<4xf32>
}

// -----
// Another argument at each return.
func.func private @either(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^x, ^y
^x:
  return %a : memref<4xf32>
^y:
  return %b : memref<4xf32>
}
func.func @use(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %0 = call @either(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// A slice of an argument is another buffer.
func.func private @slice(%a: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 2>> {
  %0 = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  return %0 : memref<4xf32, strided<[1], offset: 2>>
}
func.func @use(%a: memref<8xf32>, %i: index) -> f32 {
  %0 = call @slice(%a) : (memref<8xf32>) -> memref<4xf32, strided<[1], offset: 2>>
  %1 = memref.load %0[%i] : memref<4xf32, strided<[1], offset: 2>>
  return %1 : f32
}

// -----
// An external function.
func.func private @external(memref<8xf32>) -> memref<8xf32>
func.func @use(%a: memref<8xf32>) -> memref<8xf32> {
  %0 = call @external(%a) : (memref<8xf32>) -> memref<8xf32>
  return %0 : memref<8xf32>
}

// -----
// PASSES: drop-equivalent-buffer-results
// A chain of functions.
func.func private @first(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}
func.func private @second(%a: memref<8xf32>) -> memref<8xf32> {
  %0 = call @first(%a) : (memref<8xf32>) -> memref<8xf32>
  return %0 : memref<8xf32>
}
func.func @use(%a: memref<8xf32>) -> memref<8xf32> {
  %0 = call @second(%a) : (memref<8xf32>) -> memref<8xf32>
  return %0 : memref<8xf32>
}

// -----
// A function that calls itself.
func.func private @recursive(%a: memref<8xf32>, %c: i1) -> memref<8xf32> {
  cf.cond_br %c, ^x, ^y
^x:
  %0 = call @recursive(%a, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  cf.br ^y
^y:
  return %a : memref<8xf32>
}
func.func @use(%a: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %0 = call @recursive(%a, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  return %0 : memref<8xf32>
}

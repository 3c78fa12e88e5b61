// PASSES: buffer-results-to-out-params
func.func private @mk(%n: index) -> (memref<4xf32>, memref<?xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  return %0, %1, %c : memref<4xf32>, memref<?xf32>, f32
}
func.func private @st(%m: memref<4xf32>) -> (memref<4xf32>) {
  return %m: memref<4xf32>
}
func.func @use(%n: index) -> f32 {
  %0 = call @st2() : () -> memref<4xf32>
  %1 = memref.load %0[%n] : memref<4xf32>
  return %1 : f32
}
func.func private @st2() -> (memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c: f32) outs(%0 : memref<4xf32>)
  return %0: memref<4xf32>
}
func.func private @ext() -> memref<4xf32>
func.func @callext() -> memref<4xf32> {
  %0 = call @ext() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// PASSES: buffer-results-to-out-params{add-result-attr}
func.func private @mk(%n: index) -> (memref<4xf32>, memref<?xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  return %0, %1, %c : memref<4xf32>, memref<?xf32>, f32
}
func.func private @st(%m: memref<4xf32>) -> (memref<4xf32>) {
  return %m: memref<4xf32>
}
func.func @use(%n: index) -> f32 {
  %0 = call @st2() : () -> memref<4xf32>
  %1 = memref.load %0[%n] : memref<4xf32>
  return %1 : f32
}
func.func private @st2() -> (memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c: f32) outs(%0 : memref<4xf32>)
  return %0: memref<4xf32>
}
func.func private @ext() -> memref<4xf32>
func.func @callext() -> memref<4xf32> {
  %0 = call @ext() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs}
func.func private @mk(%n: index) -> (memref<4xf32>, memref<?xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  return %0, %1, %c : memref<4xf32>, memref<?xf32>, f32
}
func.func private @st(%m: memref<4xf32>) -> (memref<4xf32>) {
  return %m: memref<4xf32>
}
func.func @use(%n: index) -> f32 {
  %0 = call @st2() : () -> memref<4xf32>
  %1 = memref.load %0[%n] : memref<4xf32>
  return %1 : f32
}
func.func private @st2() -> (memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c: f32) outs(%0 : memref<4xf32>)
  return %0: memref<4xf32>
}
func.func private @ext() -> memref<4xf32>
func.func @callext() -> memref<4xf32> {
  %0 = call @ext() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
func.func private @mk(%n: index) -> (memref<4xf32>, memref<?xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  return %0, %1, %c : memref<4xf32>, memref<?xf32>, f32
}
func.func private @st(%m: memref<4xf32>) -> (memref<4xf32>) {
  return %m: memref<4xf32>
}
func.func @use(%n: index) -> f32 {
  %0 = call @st2() : () -> memref<4xf32>
  %1 = memref.load %0[%n] : memref<4xf32>
  return %1 : f32
}
func.func private @st2() -> (memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c: f32) outs(%0 : memref<4xf32>)
  return %0: memref<4xf32>
}
func.func private @ext() -> memref<4xf32>
func.func @callext() -> memref<4xf32> {
  %0 = call @ext() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// PASSES: buffer-results-to-out-params{modify-public-functions}
func.func private @mk(%n: index) -> (memref<4xf32>, memref<?xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  return %0, %1, %c : memref<4xf32>, memref<?xf32>, f32
}
func.func private @st(%m: memref<4xf32>) -> (memref<4xf32>) {
  return %m: memref<4xf32>
}
func.func @use(%n: index) -> f32 {
  %0 = call @st2() : () -> memref<4xf32>
  %1 = memref.load %0[%n] : memref<4xf32>
  return %1 : f32
}
func.func private @st2() -> (memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c: f32) outs(%0 : memref<4xf32>)
  return %0: memref<4xf32>
}
func.func private @ext() -> memref<4xf32>
func.func @callext() -> memref<4xf32> {
  %0 = call @ext() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs add-result-attr modify-public-functions}
func.func private @mk(%n: index) -> (memref<4xf32>, memref<?xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  return %0, %1, %c : memref<4xf32>, memref<?xf32>, f32
}
func.func private @st(%m: memref<4xf32>) -> (memref<4xf32>) {
  return %m: memref<4xf32>
}
func.func @use(%n: index) -> f32 {
  %0 = call @st2() : () -> memref<4xf32>
  %1 = memref.load %0[%n] : memref<4xf32>
  return %1 : f32
}
func.func private @st2() -> (memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c: f32) outs(%0 : memref<4xf32>)
  return %0: memref<4xf32>
}
func.func private @ext() -> memref<4xf32>
func.func @callext() -> memref<4xf32> {
  %0 = call @ext() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----
// PASSES: buffer-results-to-out-params
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
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
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
// PASSES: buffer-results-to-out-params
func.func private @layout(%n: index) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.cast %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %1 : memref<4xf32, strided<[?], offset: ?>>
}
func.func @usel(%n: index) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = call @layout(%n) : (index) -> memref<4xf32, strided<[?], offset: ?>>
  return %0 : memref<4xf32, strided<[?], offset: ?>>
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
func.func private @layout(%n: index) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.cast %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %1 : memref<4xf32, strided<[?], offset: ?>>
}
func.func @usel(%n: index) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = call @layout(%n) : (index) -> memref<4xf32, strided<[?], offset: ?>>
  return %0 : memref<4xf32, strided<[?], offset: ?>>
}

// -----
// PASSES: buffer-results-to-out-params
// REJECTED: cannot create out param for dynamically shaped result
func.func private @dyn(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @used(%n: index) -> memref<?xf32> {
  %0 = call @dyn(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
func.func private @dyn(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @used(%n: index) -> memref<?xf32> {
  %0 = call @dyn(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----
// PASSES: buffer-results-to-out-params
// REJECTED: cannot create out param for dynamically shaped result
func.func private @dyn2(%n: index) -> memref<?xf32> {
  %m = arith.addi %n, %n : index
  %0 = memref.alloc(%m) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @used2(%n: index) -> memref<?xf32> {
  %0 = call @dyn2(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
// REJECTED: cannot create out param for dynamically shaped result
func.func private @dyn2(%n: index) -> memref<?xf32> {
  %m = arith.addi %n, %n : index
  %0 = memref.alloc(%m) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @used2(%n: index) -> memref<?xf32> {
  %0 = call @dyn2(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----
// PASSES: buffer-results-to-out-params
func.func private @extern() -> memref<4xf32>
func.func private @twice(%c: i1) -> memref<4xf32> {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  cf.cond_br %c, ^x, ^y
^x: return %0 : memref<4xf32>
^y: 
  %1 = memref.alloc() : memref<4xf32>
  return %1 : memref<4xf32>
}
func.func @useext(%c: i1) -> f32 {
  %i = arith.constant 0 : index
  %0 = call @extern() : () -> memref<4xf32>
  %1 = call @twice(%c) : (i1) -> memref<4xf32>
  %2 = memref.load %1[%i] : memref<4xf32>
  return %2 : f32
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
// DIFFERS: mlir-opt turns two allocations that may both be live into one argument; here
// they are copied.
func.func private @extern() -> memref<4xf32>
func.func private @twice(%c: i1) -> memref<4xf32> {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  cf.cond_br %c, ^x, ^y
^x: return %0 : memref<4xf32>
^y: 
  %1 = memref.alloc() : memref<4xf32>
  return %1 : memref<4xf32>
}
func.func @useext(%c: i1) -> f32 {
  %i = arith.constant 0 : index
  %0 = call @extern() : () -> memref<4xf32>
  %1 = call @twice(%c) : (i1) -> memref<4xf32>
  %2 = memref.load %1[%i] : memref<4xf32>
  return %2 : f32
}

// -----
// PASSES: buffer-results-to-out-params
func.func private @same(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  return %0, %0 : memref<4xf32>, memref<4xf32>
}
func.func @usesame(%f: f32) -> f32 {
  %i = arith.constant 0 : index
  %0:2 = call @same(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
  %1 = memref.load %0#1[%i] : memref<4xf32>
  return %1 : f32
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
// MLIR-REJECTS: mlir-opt crashes
func.func private @same(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  return %0, %0 : memref<4xf32>, memref<4xf32>
}
func.func @usesame(%f: f32) -> f32 {
  %i = arith.constant 0 : index
  %0:2 = call @same(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
  %1 = memref.load %0#1[%i] : memref<4xf32>
  return %1 : f32
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
func.func private @m(%f: f32) -> (memref<4xf32>) {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  return %0 : memref<4xf32>
}
func.func private @n(%f: f32) -> (memref<4xf32>) {
  %0 = call @m(%f) : (f32) -> memref<4xf32>
  return %0 : memref<4xf32>
}
func.func @usesame(%f: f32) -> f32 {
  %i = arith.constant 0 : index
  %0 = call @n(%f) : (f32) -> (memref<4xf32>)
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
func.func private @two_dyn(%n: index, %m: index) -> (memref<?x?xf32>) {
  %0 = memref.alloc(%m, %n) : memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
func.func @usesame(%n: index) -> f32 {
  %i = arith.constant 0 : index
  %c = arith.constant 7 : index
  %0 = call @two_dyn(%n, %c) : (index, index) -> (memref<?x?xf32>)
  %1 = memref.load %0[%i, %i] : memref<?x?xf32>
  return %1 : f32
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
// REJECTED: cannot create out param for dynamically shaped result
func.func private @const(%n: index) -> (memref<?xf32>) {
  %c = arith.constant 7 : index
  %0 = memref.alloc(%c) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @usesame(%n: index) -> f32 {
  %i = arith.constant 0 : index
  %0 = call @const(%n) : (index) -> (memref<?xf32>)
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// -----
// PASSES: buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}
func.func private @unranked(%n: memref<*xf32>) -> (memref<*xf32>) {
  return %n : memref<*xf32>
}
func.func @usesame(%n: memref<*xf32>) {
  %0 = call @unranked(%n) : (memref<*xf32>) -> (memref<*xf32>)
  return
}

// -----
// PASSES: buffer-results-to-out-params
// REJECTED: cannot create out param for result 0 of @column with unsupported layout
func.func private @column(%a: memref<8xf32, strided<[8], offset: 3>>) -> memref<8xf32, strided<[8], offset: 3>> {
  return %a : memref<8xf32, strided<[8], offset: 3>>
}

// -----
// PASSES: buffer-results-to-out-params
// REJECTED: cannot create out param for result 0 of @column_of_unknown_offset with unsupported layout
func.func private @column_of_unknown_offset(%a: memref<8xf32, strided<[8], offset: ?>>) -> memref<8xf32, strided<[8], offset: ?>> {
  return %a : memref<8xf32, strided<[8], offset: ?>>
}

// -----
// PASSES: buffer-results-to-out-params
// REJECTED: cannot create out param for result 0 of @symbols with unsupported layout
func.func private @symbols(%a: memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 + s0)>>) -> memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 + s0)>> {
  return %a : memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 + s0)>>
}

// -----
// PASSES: buffer-results-to-out-params
// A new buffer can be cast to any layout that may be dense.
// MLIR-REJECTS: mlir-opt allocates only for fully dynamic layouts
func.func private @row(%a: memref<8xf32, strided<[1], offset: ?>>) -> memref<8xf32, strided<[1], offset: ?>> {
  return %a : memref<8xf32, strided<[1], offset: ?>>
}
func.func @call_row(%a: memref<8xf32, strided<[1], offset: ?>>) {
  %0 = call @row(%a) : (memref<8xf32, strided<[1], offset: ?>>) -> memref<8xf32, strided<[1], offset: ?>>
  return
}

// -----
// PASSES: buffer-results-to-out-params{add-result-attr}
// Attributes of a result become those of the argument.
func.func private @attributes(%c: i1 {my.arg}) -> (memref<4xf32> {my.res}, i1 {my.other}) {
  %0 = memref.alloc() : memref<4xf32>
  return %0, %c : memref<4xf32>, i1
}

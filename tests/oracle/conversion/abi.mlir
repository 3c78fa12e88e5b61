// The calling convention: arguments unpacked, results packed, C interfaces, declarations,
// allocation functions, globals. Signatures, linkage and visibility are MLIR's, and code
// from either side calls the other's.

func.func private @external(memref<?xf32>, index, i1) -> (memref<?xf32>, index)
func.func private @external_c(memref<2x?xf32>, i32, memref<*xf64>) -> (memref<?xf32>, index) attributes {llvm.emit_c_interface}
func.func private @external_scalar(f32) -> f32 attributes {llvm.emit_c_interface}
func.func private @external_void(memref<*xi8>) attributes {llvm.emit_c_interface}
func.func private @external_function((f32) -> f32, vector<4xf32>, complex<f32>) -> vector<2x3xf64>

memref.global "private" constant @weights : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> {alignment = 64 : i64}
memref.global "private" @scratch : memref<2xi32> = uninitialized
memref.global @elsewhere : memref<f32>
memref.global "private" @scalar : memref<i64> = dense<7>
memref.global @public : memref<2x2xindex> = dense<3>

func.func @strided(%a: memref<?x4xf32, strided<[?, 1], offset: ?>>, %i: index, %v: f32, %u: memref<*xf32>) -> (memref<4xf32>, f32) attributes {llvm.emit_c_interface} {
  %0 = memref.alloc() {alignment = 64} : memref<4xf32>
  %1 = memref.load %a[%i, %i] : memref<?x4xf32, strided<[?, 1], offset: ?>>
  %2 = arith.addf %1, %v : f32
  memref.store %2, %0[%i] : memref<4xf32>
  return %0, %2 : memref<4xf32>, f32
}

func.func @nothing() {
  return
}

func.func @one_buffer(%m: memref<2x3xi64>) -> memref<2x3xi64> attributes {llvm.emit_c_interface} {
  return %m : memref<2x3xi64>
}

func.func @scalars(%a: i1, %b: i8, %c: f16, %d: bf16, %e: index, %f: complex<f64>, %g: vector<4xi32>) -> (i1, f16, index) attributes {llvm.emit_c_interface} {
  return %a, %c, %e : i1, f16, index
}

func.func private @hidden(%x: i32) -> i32 {
  return %x : i32
}

func.func @rank_zero(%m: memref<f32>) -> f32 attributes {llvm.emit_c_interface} {
  %x = memref.load %m[] : memref<f32>
  memref.dealloc %m : memref<f32>
  return %x : f32
}

func.func @space(%m: memref<4xf32, 1>) -> memref<4xf32, 1> {
  return %m : memref<4xf32, 1>
}

func.func @attributes(%m: memref<4xf32> {llvm.noalias}, %n: i32 {llvm.noundef}, %o: memref<*xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

func.func private @linked(%x: i32) attributes {llvm.linkage = #llvm.linkage<internal>} {
  return
}

// Allocations of other kinds, and those that the program frees itself.

func.func private @use(memref<4xf32>)
func.func @clone(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  call @use(%0) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @stack(%m: memref<4xf32>) {
  %0 = memref.alloca() : memref<4xf32>
  memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  call @use(%0) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<?xf32>)
func.func @realloc(%n: index, %k: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  call @use(%0) : (memref<?xf32>) -> ()
  %1 = memref.realloc %0(%k) : memref<?xf32> to memref<?xf32>
  call @use(%1) : (memref<?xf32>) -> ()
  return
}

// -----

func.func private @use(memref<8xf32>)
func.func @realloc_grows(%m: memref<8xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.realloc %0 : memref<4xf32> to memref<8xf32>
  call @use(%1) : (memref<8xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @manual() {
  %0 = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  call @use(%0) : (memref<4xf32>) -> ()
  memref.dealloc %0 {bufferization.manual_deallocation} : memref<4xf32>
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @manual_in_loop(%m: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    memref.dealloc %x {bufferization.manual_deallocation} : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @unused_allocation() {
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func private @use(memref<?xf32>)
func.func @dynamic_sizes(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  call @use(%0) : (memref<?xf32>) -> ()
  memref.copy %0, %1 : memref<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @views_of_views(%m: memref<2x8xf32>, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %0 = memref.alloc() : memref<2x8xf32>
  memref.copy %m, %0 : memref<2x8xf32> to memref<2x8xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<2x8xf32> into memref<16xf32>
  %2 = memref.subview %1[%n] [%n] [1] : memref<16xf32> to memref<?xf32, strided<[1], offset: ?>>
  %3 = memref.subview %2[%n] [%n] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  return %3 : memref<?xf32, strided<[1], offset: ?>>
}

// -----

func.func private @use(memref<16xf32>)
func.func @transposed(%n: index) {
  %0 = memref.alloc() : memref<4x4xf32>
  %1 = memref.transpose %0 (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %2 = memref.reinterpret_cast %1 to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32, strided<[1, 4]>> to memref<16xf32>
  call @use(%2) : (memref<16xf32>) -> ()
  return
}

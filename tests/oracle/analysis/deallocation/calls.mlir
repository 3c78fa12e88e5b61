// Calls: the caller owns what it gets back, and nothing that it passes.

func.func private @make() -> memref<4xf32>
func.func private @use(memref<4xf32>)
func.func @result_is_freed() {
  %0 = call @make() : () -> memref<4xf32>
  call @use(%0) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @make() -> memref<4xf32>
func.func @result_is_passed_on() -> memref<4xf32> {
  %0 = call @make() : () -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @argument_is_cloned(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// -----

func.func @view_of_argument_is_cloned(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 4>> {
  %0 = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  return %0 : memref<4xf32, strided<[1], offset: 4>>
}

// -----

memref.global "private" @g : memref<4xf32> = dense<1.0>
func.func @global_is_cloned() -> memref<4xf32> {
  %0 = memref.get_global @g : memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @stack_is_cloned() -> memref<4xf32> {
  %0 = memref.alloca() : memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func private @use(memref<4xf32>)
func.func private @passthrough(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @private_callee(%m: memref<4xf32>) {
  %0 = call @passthrough(%m) : (memref<4xf32>) -> memref<4xf32>
  call @use(%0) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @either(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %0 = arith.select %c, %a, %m : memref<4xf32>
  return %0 : memref<4xf32>
}
func.func @private_select(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %0 = call @either(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func private @use(memref<4xf32>)
func.func private @countdown(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.cmpi eq, %n, %zero : index
  %r = scf.if %end -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  } else {
    %next = arith.subi %n, %one : index
    %0 = func.call @countdown(%next, %m) : (index, memref<4xf32>) -> memref<4xf32>
    scf.yield %0 : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

func.func private @use(memref<4xf32>)
func.func private @two(%m: memref<4xf32>) -> (memref<4xf32>, index, memref<4xf32>) {
  %i = arith.constant 7 : index
  %a = memref.alloc() : memref<4xf32>
  return %a, %i, %m : memref<4xf32>, index, memref<4xf32>
}
func.func @several_results(%m: memref<4xf32>) -> index {
  %0:3 = call @two(%m) : (memref<4xf32>) -> (memref<4xf32>, index, memref<4xf32>)
  call @use(%0#0) : (memref<4xf32>) -> ()
  call @use(%0#2) : (memref<4xf32>) -> ()
  return %0#1 : index
}

// -----

func.func private @make() -> memref<4xf32>
func.func private @use(memref<4xf32>)
func.func @results_of_two_calls(%c: i1) {
  %0 = call @make() : () -> memref<4xf32>
  %1 = call @make() : () -> memref<4xf32>
  call @use(%0) : (memref<4xf32>) -> ()
  call @use(%1) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @two_different_results() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  return %a, %b : memref<4xf32>, memref<4xf32>
}

// -----

func.func private @use(memref<*xf32>)
func.func private @make() -> memref<*xf32>
func.func @unranked(%m: memref<*xf32>, %c: i1) -> memref<*xf32> {
  %0 = call @make() : () -> memref<*xf32>
  %1 = arith.select %c, %0, %m : memref<*xf32>
  call @use(%1) : (memref<*xf32>) -> ()
  return %1 : memref<*xf32>
}

// -----

func.func private @from(memref<4xf32>) -> memref<4xf32>
func.func @results_of_two_calls_returned() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %0 = call @from(%a) : (memref<4xf32>) -> memref<4xf32>
  %1 = call @from(%0) : (memref<4xf32>) -> memref<4xf32>
  return %0, %1 : memref<4xf32>, memref<4xf32>
}

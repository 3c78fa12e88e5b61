// Ops with regions that give no buffers, and nests of those that do.

func.func private @use(memref<4xf32>)
func.func @forall(%n: index) {
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
  }
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    scf.reduce
  }
  return
}

// -----

func.func private @use(memref<2xf32>)
func.func @reduce(%m: memref<100xf32>) -> f32 {
  %init = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.parallel (%i) = (%c0) to (%c9) step (%c1) init (%init) -> f32 {
    %e = memref.load %m[%i] : memref<100xf32>
    scf.reduce(%e : f32) {
    ^bb0(%lhs: f32, %rhs: f32):
      %a = memref.alloc() : memref<2xf32>
      memref.store %lhs, %a[%c0] : memref<2xf32>
      memref.store %rhs, %a[%c1] : memref<2xf32>
      func.call @use(%a) : (memref<2xf32>) -> ()
      %0 = memref.load %a[%c0] : memref<2xf32>
      scf.reduce.return %0 : f32
    }
  }
  return %r : f32
}

// -----

func.func private @use(memref<4xf32>)
func.func @linalg_body(%m: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xf32>) {
  ^bb0(%x: f32):
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    %c0 = arith.constant 0 : index
    %0 = memref.load %a[%c0] : memref<4xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @loop_nest(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m) -> (memref<4xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> (memref<4xf32>) {
      func.call @use(%y) : (memref<4xf32>) -> ()
      %a = memref.alloc() : memref<4xf32>
      func.call @use(%a) : (memref<4xf32>) -> ()
      scf.yield %a : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

func.func private @use(memref<4xf32>)
func.func @double_buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  call @use(%b) : (memref<4xf32>) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @two_results(%c: i1, %m: memref<4xf32>) {
  %r:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    scf.yield %a, %a : memref<4xf32>, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    func.call @use(%b) : (memref<4xf32>) -> ()
    scf.yield %m, %b : memref<4xf32>, memref<4xf32>
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  call @use(%r#1) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @alloca_scope(%m: memref<4xf32>) {
  memref.alloca_scope {
    %a = memref.alloca() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    func.call @use(%b) : (memref<4xf32>) -> ()
  }
  return
}

// -----

// A new buffer or the given one, by an affine condition.
func.func @affine_if(%a: memref<10xf32>, %i: index) {
  %0 = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) -> memref<10xf32> {
    %m = memref.alloc() : memref<10xf32>
    affine.yield %m : memref<10xf32>
  } else {
    affine.yield %a : memref<10xf32>
  }
  memref.copy %0, %a : memref<10xf32> to memref<10xf32>
  return
}

// Acyclic control flow between blocks.

func.func private @use(memref<4xf32>)
func.func @live_in_one_successor(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @use(%b) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^first, ^second
^first:
  call @use(%a) : (memref<4xf32>) -> ()
  return
^second:
  call @use(%b) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func private @decide() -> i1
func.func @live_through_blocks() {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  %c = call @decide() : () -> i1
  cf.cond_br %c, ^b, ^c
^b:
  %x = memref.alloc() : memref<4xf32>
  call @use(%x) : (memref<4xf32>) -> ()
  cf.br ^d
^c:
  %d = call @decide() : () -> i1
  cf.cond_br %d, ^d, ^e
^d:
  call @use(%a) : (memref<4xf32>) -> ()
  cf.br ^e
^e:
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @select_in_later_block(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %x = arith.select %c, %a, %m : memref<4xf32>
  call @use(%x) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^b, ^c
^b:
  call @use(%x) : (memref<4xf32>) -> ()
  cf.br ^c
^c:
  call @use(%x) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func private @decide() -> i1
func.func @both_forwarded(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  %c = call @decide() : () -> i1
  cf.cond_br %c, ^x(%a, %b : memref<4xf32>, memref<4xf32>), ^y(%m : memref<4xf32>)
^x(%p: memref<4xf32>, %q: memref<4xf32>):
  call @use(%q) : (memref<4xf32>) -> ()
  cf.br ^y(%p : memref<4xf32>)
^y(%r: memref<4xf32>):
  call @use(%r) : (memref<4xf32>) -> ()
  return %r : memref<4xf32>
}

// -----

func.func private @use(memref<4xf32>)
func.func private @decide() -> i1
func.func @view_in_later_block() {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %w = memref.cast %v : memref<4xf32, strided<[1]>> to memref<4xf32>
  call @use(%w) : (memref<4xf32>) -> ()
  %c = call @decide() : () -> i1
  cf.cond_br %c, ^b, ^c
^b:
  call @use(%w) : (memref<4xf32>) -> ()
  cf.br ^c
^c:
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func private @decide() -> i1
func.func @blocks_inside_of_a_region(%m: memref<4xf32>, %n: index, %s: index) {
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %n to %s step %n {
    %r = scf.execute_region -> memref<4xf32> no_inline {
      %x = memref.alloc() : memref<4xf32>
      func.call @use(%x) : (memref<4xf32>) -> ()
      %c = func.call @decide() : () -> i1
      cf.cond_br %c, ^b, ^c
    ^b:
      func.call @use(%a) : (memref<4xf32>) -> ()
      scf.yield %x : memref<4xf32>
    ^c:
      scf.yield %m : memref<4xf32>
    }
    func.call @use(%r) : (memref<4xf32>) -> ()
  }
  return
}

// -----

func.func private @use(memref<4xf32>)
func.func @several_returns(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^b, ^c
^b:
  return %a : memref<4xf32>
^c:
  call @use(%a) : (memref<4xf32>) -> ()
  return %m : memref<4xf32>
}

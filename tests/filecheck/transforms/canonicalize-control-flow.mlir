// RUN: xdsl-opt %s --split-input-file -p canonicalize-control-flow | filecheck %s

func.func private @use(memref<4xf32>)

// What only one value flows into is that value; what nothing uses goes.
func.func @invariant(%n: index, %m: memref<4xf32>) {
  %r:2 = scf.for %i = %n to %n step %n iter_args(%x = %m, %y = %m) -> (memref<4xf32>, memref<4xf32>) {
    func.call @use(%x) : (memref<4xf32>) -> ()
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  func.call @use(%r#1) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @invariant
// CHECK-NEXT:    func.call @use(%m)
// CHECK-NEXT:    func.return

// -----

// An if that chooses is a select.
func.func @choice(%c: i1, %m: memref<4xf32>, %n: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %n : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @choice
// CHECK-NEXT:    %[[r:.*]] = arith.select %c, %m, %n
// CHECK-NEXT:    func.return %[[r]]

// -----

func.func private @use(memref<4xf32>)

// Blocks that nothing else goes to are merged, constant branches taken.
func.func @blocks(%m: memref<4xf32>) {
  %true = arith.constant true
  cf.cond_br %true, ^a(%m : memref<4xf32>), ^b
^a(%x: memref<4xf32>):
  func.call @use(%x) : (memref<4xf32>) -> ()
  cf.br ^b
^b:
  return
}

// CHECK-LABEL: func.func @blocks
// CHECK-NEXT:    func.call @use(%m)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// -----

// An ownership that is never acquired is known.
func.func @never(%n: index, %m: index, %c: i1) -> i1 {
  %false = arith.constant false
  %r:2 = scf.for %i = %n to %m step %n iter_args(%x = %false, %y = %false) -> (i1, i1) {
    %o = arith.ori %x, %y : i1
    scf.yield %o, %x : i1, i1
  }
  return %r#0 : i1
}

// CHECK-LABEL: func.func @never
// CHECK:         %[[false:.*]] = arith.constant false
// CHECK-NEXT:    func.return %[[false]]

// -----

// A choice between one and zero is the condition only among truth values.

func.func @selects(%c: i1) -> (i1, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %0 = arith.select %c, %true, %false : i1
  %1 = arith.select %c, %one, %zero : i32
  return %0, %1 : i1, i32
}

// CHECK-LABEL: func.func @selects(%c: i1)
// CHECK-NEXT:    %[[R:.*]] = arith.extui %c : i1 to i32
// CHECK-NEXT:    return %c, %[[R]] : i1, i32

// -----

func.func private @use(memref<4xf32>)

// An argument goes to a block inside another op, where nobody needs it: it can only be
// erased after the one inside.

// CHECK-LABEL: @forwarded_inside
// CHECK:       ^bb2:
// CHECK:         scf.execute_region
// CHECK-NEXT:      cf.switch %{{.*}} : i32, [
// CHECK-NEXT:        default: ^[[END:bb[0-9]+]],
// CHECK-NEXT:        0: ^{{.*}}
// CHECK:           ^[[END]]:
// CHECK-NEXT:        scf.yield
func.func @forwarded_inside(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1,
                            %z: index, %n: index, %s: index) {
  cf.cond_br %c, ^bb0, ^bb1(%b : memref<4xf32>)
^bb0:
  func.call @use(%a) : (memref<4xf32>) -> ()
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%m: memref<4xf32>):
  scf.for %k = %z to %n step %s {
    %i = arith.index_cast %k : index to i32
    scf.execute_region {
      cf.switch %i : i32, [
        default: ^bb1(%m : memref<4xf32>),
        0: ^bb0
      ]
    ^bb0:
      func.call @use(%b) : (memref<4xf32>) -> ()
      cf.br ^bb1(%b : memref<4xf32>)
    ^bb1(%unused: memref<4xf32>):
      scf.yield
    }
  }
  return
}

// -----

func.func private @use(memref<4xf32>)

// Cases that do what the default does go, and a block knows the case it was entered on.

// CHECK-LABEL: @switch_on_same_condition
// CHECK-SAME:  %[[M:[a-z0-9]+]]: memref<4xf32>, %[[N:[a-z0-9]+]]: memref<4xf32>
// CHECK-NEXT:    cf.switch %{{.*}} : i32, [
// CHECK-NEXT:      default: ^[[DEFAULT:bb[0-9]+]](%[[M]] : memref<4xf32>),
// CHECK-NEXT:      0: ^[[ZERO:bb[0-9]+]]
// CHECK-NEXT:    ]
// CHECK-NEXT:  ^[[DEFAULT]](%[[B:.*]]: memref<4xf32>):
// CHECK-NEXT:    func.call @use(%[[B]])
// CHECK-NEXT:    func.return
// CHECK-NEXT:  ^[[ZERO]]:
// CHECK-NEXT:    func.call @use(%[[N]])
// CHECK-NEXT:    func.return
func.func @switch_on_same_condition(%a: i32, %m: memref<4xf32>, %n: memref<4xf32>) {
  cf.switch %a : i32, [
    default: ^bb1(%m : memref<4xf32>),
    0: ^bb2,
    1: ^bb1(%m : memref<4xf32>)
  ]
^bb1(%b: memref<4xf32>):
  func.call @use(%b) : (memref<4xf32>) -> ()
  return
^bb2:
  func.call @use(%n) : (memref<4xf32>) -> ()
  cf.switch %a : i32, [
    default: ^bb1(%n : memref<4xf32>),
    0: ^bb3
  ]
^bb3:
  return
}

// -----

func.func private @use(memref<4xf32>)

// When an unreachable block goes, the result that only it has used goes as well.

// CHECK-LABEL: @used_in_unreachable_block
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
func.func @used_in_unreachable_block(%a: memref<4xf32>, %n: index, %m: index) {
  %true = arith.constant true
  %alloc = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %n to %m step %n iter_args(%x = %alloc) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    scf.yield %new : memref<4xf32>
  }
  cf.cond_br %true, ^bb1, ^bb2
^bb1:
  return
^bb2:
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// -----

// A block that only branches on once its dead ops are gone is not branched to.

// CHECK-LABEL: @emptied_block
// CHECK-NEXT:    func.return
func.func @emptied_block(%a: memref<4xf32>, %c: i1, %i: index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = memref.load %a[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  cf.br ^bb2
^bb2:
  return
}

// -----

func.func private @use_number(i32)

// The effects of an op with a body may be known as well: it allocates nothing in the scope.

// CHECK-LABEL: @scope_around_linalg
// CHECK-NOT:     memref.alloca_scope
// CHECK:         func.return
func.func @scope_around_linalg(%m: memref<5xi32>, %x: i32, %i: index) {
  %r = memref.alloca_scope -> (i32) {
    linalg.map outs(%m : memref<5xi32>) (%init: i32) { linalg.yield %x : i32 }
    %v = memref.load %m[%i] : memref<5xi32>
    memref.alloca_scope.return %v : i32
  }
  func.call @use_number(%r) : (i32) -> ()
  return
}

// -----

func.func private @effect(i1)

// Once the loop is known to return what goes into it, both branches yield one value.

// CHECK-LABEL: @yields_invariant
// CHECK-NEXT:    %[[TRUE:.*]] = arith.constant true
// CHECK:         scf.if %{{.*}} {
// CHECK:         func.return %[[TRUE]]
func.func @yields_invariant(%c: i1, %n: index, %m: index) -> i1 {
  %true = arith.constant true
  %r = scf.if %c -> i1 {
    %x = scf.for %i = %n to %m step %n iter_args(%a = %true) -> i1 {
      func.call @effect(%a) : (i1) -> ()
      scf.yield %a : i1
    }
    scf.yield %x : i1
  } else {
    scf.yield %true : i1
  }
  return %r : i1
}

// -----

// An if on the condition of a branch does not keep the branch from telling its successors.

// CHECK-LABEL: @decided_by_if_and_branch
// CHECK:         scf.if %c {
// CHECK:         cf.cond_br %c, ^[[BB1:.*]], ^[[BB2:.*]]
// CHECK-NEXT:  ^[[BB1]]:
// CHECK-NEXT:    memref.dealloc %m
// CHECK-NEXT:    func.return
// CHECK-NEXT:  ^[[BB2]]:
// CHECK-NEXT:    func.return
func.func @decided_by_if_and_branch(%c: i1, %m: memref<4xi32>, %n: memref<4xi32>) {
  scf.if %c {
    memref.dealloc %n : memref<4xi32>
  }
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  scf.if %c {
    memref.dealloc %m : memref<4xi32>
  }
  return
^bb2:
  scf.if %c {
    memref.dealloc %m : memref<4xi32>
  }
  return
}

// -----

// It tells the regions in its successors as well.

// CHECK-LABEL: @decided_for_regions_of_successors
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK:         scf.for
// CHECK-NEXT:      func.call @effect(%[[FALSE]])
func.func private @effect(i1)
func.func @decided_for_regions_of_successors(%c: i1, %n: index, %m: index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  scf.for %i = %n to %m step %n {
    func.call @effect(%c) : (i1) -> ()
  }
  return
}

// -----

// A value that turns out to be the condition is known as well.

// CHECK-LABEL: @turns_out_to_be_the_condition
// CHECK:         cf.cond_br %{{.*}}, ^[[BB1:.*]], ^[[BB2:.*]]
// CHECK-NEXT:  ^[[BB1]]:
// CHECK-NEXT:    memref.dealloc %m
// CHECK-NEXT:    func.return
func.func @turns_out_to_be_the_condition(%x: i32, %y: i32, %m: memref<4xi32>) {
  %true = arith.constant true
  %c = arith.cmpi ult, %x, %y : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %d = arith.andi %c, %true : i1
  %e = arith.ori %d, %d : i1
  scf.if %e {
    memref.dealloc %m : memref<4xi32>
  }
  return
^bb2:
  return
}

// -----

// The buffer that a call returns is freed at the end of the scope.

// CHECK-LABEL: @scope_with_buffer_of_call
// CHECK-NEXT:    memref.alloca_scope
func.func private @make() -> memref<4xi32>
func.func private @use(i32)
func.func @scope_with_buffer_of_call(%i: index) {
  %r = memref.alloca_scope -> (i32) {
    %m = func.call @make() : () -> memref<4xi32>
    %v = memref.load %m[%i] : memref<4xi32>
    memref.alloca_scope.return %v : i32
  }
  func.call @use(%r) : (i32) -> ()
  return
}

// -----

// While a loop that control no longer reaches is removed, an op in it uses its own result.
// CHECK-LABEL: func.func @own_result(
// CHECK-NEXT:    arith.constant 0
// CHECK-NEXT:    %r = memref.load
// CHECK-NEXT:    func.return %r
func.func @own_result(%m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant -7 : i32
  cf.br ^outer(%c0 : index)
^outer(%i: index):
  %0 = arith.cmpi ult, %i, %c0 : index
  cf.cond_br %0, ^enter, ^done
^enter:
  cf.br ^inner(%c0 : index)
^inner(%j: index):
  %1 = arith.cmpi ult, %j, %c0 : index
  cf.cond_br %1, ^body, ^leave
^body:
  %c1 = arith.constant 1 : index
  %2 = memref.load %m[%j] : memref<4xi32>
  memref.store %2, %m[%c0] : memref<4xi32>
  %k = arith.addi %j, %c1 : index
  cf.br ^inner(%k : index)
^leave:
  %3 = arith.cmpi uge, %c7, %c7 : i32
  cf.cond_br %3, ^return, ^again
^return:
  return %c7 : i32
^again:
  %c2 = arith.constant 1 : index
  cf.br ^outer(%c2 : index)
^done:
  %r = memref.load %m[%c0] : memref<4xi32>
  return %r : i32
}

// -----

// Four ifs in a row are one: on one condition or its negation, with and without results,
// where a branch uses the results of the ifs before it.
func.func private @take(f32)

func.func @in_a_row(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %0 = scf.if %c -> f32 {
    %sum = arith.addf %x, %y : f32
    scf.yield %sum : f32
  } else {
    %product = arith.mulf %x, %y : f32
    scf.yield %product : f32
  }
  scf.if %not {
    func.call @take(%0) : (f32) -> ()
  }
  %1 = scf.if %not -> f32 {
    %difference = arith.subf %0, %y : f32
    scf.yield %difference : f32
  } else {
    scf.yield %0 : f32
  }
  scf.if %c {
    func.call @take(%1) : (f32) -> ()
    func.call @take(%0) : (f32) -> ()
  }
  return %0, %1 : f32, f32
}

// CHECK-LABEL: @in_a_row
// CHECK-NEXT:    [[BOTH:%.*]], [[SECOND:%.*]] = scf.if %c -> (f32, f32) {
// CHECK-NEXT:      [[SUM:%.*]] = arith.addf %x, %y : f32
// CHECK-NEXT:      func.call @take([[SUM]])
// CHECK-NEXT:      func.call @take([[SUM]])
// CHECK-NEXT:      scf.yield [[SUM]], [[SUM]] : f32, f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      [[PRODUCT:%.*]] = arith.mulf %x, %y : f32
// CHECK-NEXT:      func.call @take([[PRODUCT]])
// CHECK-NEXT:      [[DIFFERENCE:%.*]] = arith.subf [[PRODUCT]], %y : f32
// CHECK-NEXT:      scf.yield [[PRODUCT]], [[DIFFERENCE]] : f32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[BOTH]], [[SECOND]] : f32, f32

// RUN: xdsl-opt %s --allow-unregistered-dialect --print-op-generic | filecheck %s

// A region that ends in an op that is not registered gets the terminator that its syntax
// leaves out, as any other does.

func.func @f(%c: i1, %n: index, %t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:      "foo.then"() : () -> ()
  // CHECK-NEXT: "scf.yield"() : () -> ()
  // CHECK:      "foo.else"() : () -> ()
  // CHECK-NEXT: "scf.yield"() : () -> ()
  scf.if %c { "foo.then"() : () -> () } else { "foo.else"() : () -> () }
  // CHECK:      "foo.for"() : () -> ()
  // CHECK-NEXT: "scf.yield"() : () -> ()
  scf.for %j = %c0 to %n step %c1 { "foo.for"() : () -> () }
  // CHECK:      "foo.parallel"() : () -> ()
  // CHECK-NEXT: "scf.reduce"() : () -> ()
  scf.parallel (%j) = (%c0) to (%n) step (%c1) { "foo.parallel"() : () -> () }
  // CHECK:      "foo.forall"() : () -> ()
  // CHECK-NEXT: "scf.forall.in_parallel"() ({
  scf.forall (%j) in (%n) { "foo.forall"() : () -> () }
  // CHECK:      "foo.default"() : () -> ()
  // CHECK-NEXT: "scf.yield"() : () -> ()
  // CHECK:      "foo.case"() : () -> ()
  // CHECK-NEXT: "scf.yield"() : () -> ()
  scf.index_switch %n case 0 { "foo.case"() : () -> () } default { "foo.default"() : () -> () }
  // CHECK:      "foo.scope"() : () -> ()
  // CHECK-NEXT: "memref.alloca_scope.return"() : () -> ()
  memref.alloca_scope { "foo.scope"() : () -> () }
  // CHECK:      "foo.affine.for"() : () -> ()
  // CHECK-NEXT: "affine.yield"() : () -> ()
  affine.for %j = 0 to 4 { "foo.affine.for"() : () -> () }
  // CHECK:      "foo.affine.then"() : () -> ()
  // CHECK-NEXT: "affine.yield"() : () -> ()
  // CHECK:      "foo.affine.else"() : () -> ()
  // CHECK-NEXT: "affine.yield"() : () -> ()
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
    "foo.affine.then"() : () -> ()
  } else {
    "foo.affine.else"() : () -> ()
  }
  // CHECK:      "foo.affine.parallel"() : () -> ()
  // CHECK-NEXT: "affine.yield"() : () -> ()
  affine.parallel (%j) = (0) to (4) { "foo.affine.parallel"() : () -> () }
  func.return
}

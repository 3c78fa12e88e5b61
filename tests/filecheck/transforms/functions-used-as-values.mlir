// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p buffer-results-to-out-params | filecheck %s
// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p 'buffer-results-to-out-params{modify-public-functions}' | filecheck %s
// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p drop-equivalent-buffer-results | filecheck %s
// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p 'buffer-deallocation-pipeline{private-function-dynamic-ownership}' | filecheck %s

// Whoever gets the function calls it with the type that it has.
func.func private @constant(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

func.func @user(%g: (memref<4xf32>) -> memref<4xf32>) -> ((memref<4xf32>) -> memref<4xf32>) {
  %f = func.constant @constant : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
}

// CHECK: func.func private @constant(%m: memref<4xf32>) -> memref<4xf32> {

// -----

func.func private @also_called(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

func.func @user(%m: memref<4xf32>) -> ((memref<4xf32>) -> memref<4xf32>) {
  %f = func.constant @also_called : (memref<4xf32>) -> memref<4xf32>
  %r = func.call @also_called(%m) : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
}

// CHECK: func.func private @also_called(%m: memref<4xf32>) -> memref<4xf32> {

// -----

func.func private @in_an_attribute(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

"my.table"() {functions = [{first = @in_an_attribute}]} : () -> ()

// CHECK: func.func private @in_an_attribute(%m: memref<4xf32>) -> memref<4xf32> {

// -----

func.func private @in_an_unknown_attribute(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

"my.table"() {functions = #my.list<@in_an_unknown_attribute>} : () -> ()

// CHECK: func.func private @in_an_unknown_attribute(%m: memref<4xf32>) -> memref<4xf32> {

// -----

builtin.module @inner {
  func.func private @in_a_module(%m: memref<4xf32>) -> memref<4xf32> {
    return %m : memref<4xf32>
  }
}
"my.table"() {functions = @inner::@in_a_module} : () -> ()

// CHECK: func.func private @in_a_module(%m: memref<4xf32>) -> memref<4xf32> {

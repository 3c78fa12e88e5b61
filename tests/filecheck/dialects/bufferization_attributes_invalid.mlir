// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'bufferization.writable' is expected to be a boolean attribute
func.func @writable_is_boolean(%t: tensor<4xf32> {bufferization.writable = 1 : i32}) {
  func.return
}

// -----

// CHECK: 'bufferization.writable' is invalid on external functions
func.func private @writable_of_external(tensor<4xf32> {bufferization.writable = false})

// -----

// CHECK: invalid value for 'bufferization.access'
func.func @access_is_known(%t: tensor<4xf32> {bufferization.access = "reads"}) {
  func.return
}

// -----

// CHECK: 'bufferization.buffer_layout' is expected to be a memref layout attribute
func.func @layout_is_layout(%t: tensor<4xf32> {bufferization.buffer_layout = 1}) {
  func.return
}

// -----

// CHECK: not supported as a region arg attribute by the bufferization dialect
func.func @argument_attribute(%t: tensor<4xf32> {bufferization.manual_deallocation}) {
  func.return
}

// -----

// CHECK: 'bufferization.writable' not supported as an op attribute by the bufferization dialect
func.func @op_attribute() {
  %c = arith.constant {bufferization.writable = true} 1 : index
  func.return
}

// -----

// CHECK: can be used only on ops that have an allocation and/or free side effect
func.func @manual_deallocation_of_region(%i: index) {
  scf.execute_region {
    %0 = memref.alloc(%i) : memref<?xf32>
    scf.yield
  } {bufferization.manual_deallocation}
  func.return
}

// Outputs of scf.forall, and nests of scf.parallel.

func.func @unused_results(%t: tensor<8xf32>, %u: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:3 = scf.forall (%i) in (8) shared_outs(%a = %t, %b = %u, %c = %w) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %1 = tensor.extract_slice %a[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %2 = tensor.extract_slice %c[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %3 = linalg.exp ins(%1 : tensor<1xf32>) outs(%2 : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %a[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %3 into %b[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0#1, %0#2 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @only_sizes_of_result(%s: tensor<1x5xf32>, %t: tensor<?x?xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?x?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    }
  }
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}

// -----

func.func @forall_without_dimensions(%t: tensor<16xf32>, %u: tensor<16xf32>) -> tensor<16xf32> {
  %0 = scf.forall () in () shared_outs(%o = %t) -> (tensor<16xf32>) {
    %1 = linalg.exp ins(%u : tensor<16xf32>) outs(%o : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  }
  return %0 : tensor<16xf32>
}

// -----

func.func @output_cast(%s: tensor<1xi32>, %t: tensor<2xi32>) -> tensor<2xi32> {
  %0 = tensor.cast %t : tensor<2xi32> to tensor<?xi32>
  %1 = scf.forall (%i) in (2) shared_outs(%o = %0) -> (tensor<?xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  }
  %2 = tensor.cast %1 : tensor<?xi32> to tensor<2xi32>
  return %2 : tensor<2xi32>
}

// -----

func.func @output_cast_and_read(%t: tensor<2xi32>, %k: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = tensor.cast %t : tensor<2xi32> to tensor<?xi32>
  %1:2 = scf.forall (%i) in (2) shared_outs(%o = %0, %p = %k) -> (tensor<?xi32>, tensor<?xi32>) {
    %2 = tensor.extract_slice %o[%i] [1] [1] : tensor<?xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
      tensor.parallel_insert_slice %2 into %p[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  }
  return %1#0, %1#1 : tensor<?xi32>, tensor<?xi32>
}

// -----

func.func @nest_of_parallel(%m: memref<?x?x?xf64>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 0.0 : f64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j, %l) = (%c0, %c1) to (%k, %n) step (%c1, %c2) {
      memref.store %f, %m[%i, %j, %l] : memref<?x?x?xf64>
    }
  }
  return
}

// -----

func.func @nests_that_stay(%m: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      memref.store %f, %m[%i, %j] : memref<?x?xf64>
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %m[%i, %c0] : memref<?x?xf64>
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %f, %m[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

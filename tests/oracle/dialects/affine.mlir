// Every op of the affine dialect in each of its forms.

func.func @affine_parallel(%i: index) {
  affine.parallel (%x, %y) = (0, %i) to (%i, 10) step (2, 1) { affine.yield }
  return
}

// -----

func.func @affine_parallel_2(%i: index, %s: f32) {
  %52 = affine.parallel (%x) = (0) to (min(%i, 10)) reduce ("addf") -> (f32) { affine.yield %s : f32 }
  return
}

// -----

func.func @affine_if(%i: index) {
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) { } else { }
  return
}

// -----

func.func @affine_if_2(%i: index) {
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%i] { }
  return
}

// -----

func.func @affine_if_3(%i: index, %s: f32) {
  %r = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%i] -> f32 { affine.yield %s : f32 } else { affine.yield %s : f32 }
  return
}

// -----

func.func @affine_parallel_3(%i: index) {
  affine.parallel (%x, %y) = (max(%i, 2), 0) to (%i, symbol(%i)) { affine.yield }
  return
}

// -----

func.func @affine_parallel_4(%i: index, %m: memref<?x?xf32>) {
  affine.parallel (%x, %y) = (0, 0) to (4, 4) { %q = affine.load %m[%x + %y * 2, %x floordiv 2] : memref<?x?xf32> 
    affine.store %q, %m[%x mod 3, symbol(%i) + 4] : memref<?x?xf32> 
    %z = affine.vector_load %m[%x, %y] : memref<?x?xf32>, vector<4xf32>
    affine.vector_store %z, %m[%x, %y] : memref<?x?xf32>, vector<4xf32>
    }
  return
}

// -----

func.func @affine_max(%i: index) {
  %49 = affine.max affine_map<(d0) -> (d0, 4)>(%i)
  return
}

// -----

func.func @affine_prefetch(%i: index, %m: memref<?x?xf32>) {
  affine.prefetch %m[%i, %i + 1], read, locality<3>, data : memref<?x?xf32>
  return
}

// -----

func.func @affine_delinearize_index(%i: index) {
  %53:2 = affine.delinearize_index %i into (2, 3) : index, index
  return
}

// -----

func.func @affine_linearize_index(%i: index) {
  %54 = affine.linearize_index [%i, %i] by (2, 3) : index
  return
}

// -----

func.func @affine_linearize_index_2(%i: index) {
  %55 = affine.linearize_index disjoint [%i, %i] by (2, %i) : index
  return
}

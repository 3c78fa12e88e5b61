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

// -----

// Semi-affine expressions: products, quotients and remainders by symbols.
func.func @semi_affine(%d: index, %e: index, %s: index, %t: index)
    -> (index, index, index, index, index) {
  %0 = affine.apply affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>(%d)[%s, %t]
  %1 = affine.apply affine_map<(d0)[s0] -> (s0 * d0)>(%d)[%s]
  %2 = affine.apply affine_map<()[s0, s1] -> (s0 * s1 * -3 + 5)>()[%s, %t]
  %3 = affine.min affine_map<(d0, d1)[s0] -> (d0 floordiv s0, d1 ceildiv (s0 + 1))>(%d, %e)[%s]
  %4 = affine.max affine_map<(d0)[s0] -> (d0 mod s0, (d0 * (s0 * s0)) mod (s0 * 2))>(%d)[%s]
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

// -----

func.func @semi_affine_control(%d: index, %s: index, %m: memref<?xf32>, %x: f32) {
  affine.if affine_set<(d0)[s0] : (d0 mod s0 == 0, d0 * s0 - 3 >= 0)>(%d)[%s] {
    affine.for %i = 0 to affine_map<(d0)[s0] -> (d0 floordiv s0)>(%d)[%s] {
      affine.store %x, %m[%i * symbol(%s) + %i ceildiv symbol(%s)] : memref<?xf32>
    }
    affine.parallel (%i) = (0) to (%d mod symbol(%s)) {
      affine.store %x, %m[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func private @semi_affine_layouts(
    memref<?xf32, affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>>,
    memref<?x4xf32, affine_map<(d0, d1)[s0] -> (d0 floordiv s0, d1, d0 mod s0)>>)

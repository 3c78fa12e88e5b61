// Every op of the vector dialect in each of its forms.

func.func @vector_print(%v: vector<8xf32>) {
  vector.print %v : vector<8xf32>
  return
}

// -----

func.func @vector_print_2(%x: i32) {
  vector.print %x : i32
  return
}

// -----

func.func @vector_print_3() {
  vector.print str "hello\n"
  return
}

// -----

func.func @vector_print_4() {
  vector.print
  return
}

// -----

func.func @vector_print_5() {
  vector.print punctuation <comma>
  return
}

// -----

func.func @vector_print_6(%f: f32) {
  vector.print %f : f32 punctuation <no_punctuation>
  return
}

// -----

func.func @vector_compressstore(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>) {
  vector.compressstore %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @vector_constant_mask() {
  %0 = vector.constant_mask [3] : vector<8xi1>
  return
}

// -----

func.func @vector_contract(%a: vector<4x8xf32>, %b: vector<8x16xf32>, %c: vector<4x16xf32>) {
  %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  return
}

// -----

func.func @vector_deinterleave(%v: vector<8xf32>) {
  %2:2 = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>
  return
}

// -----

func.func @vector_expandload(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>) {
  %3 = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @vector_extract_strided_slice(%a: vector<4x8xf32>) {
  %4 = vector.extract_strided_slice %a {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @vector_from_elements(%f: f32) {
  %5 = vector.from_elements %f, %f : vector<2xf32>
  return
}

// -----

func.func @vector_gather(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %ix: vector<8xi32>) {
  %6 = vector.gather %m[%i] [%ix], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @vector_insert_strided_slice(%a: vector<4x8xf32>, %a4: vector<4xf32>) {
  %7 = vector.insert_strided_slice %a4, %a {offsets = [0, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @vector_interleave(%v: vector<8xf32>) {
  %8 = vector.interleave %v, %v : vector<8xf32> -> vector<16xf32>
  return
}

// -----

func.func @vector_mask(%v: vector<8xf32>, %mask: vector<8xi1>) {
  %9 = vector.mask %mask { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  return
}

// -----

func.func @vector_multi_reduction(%v: vector<8xf32>, %a: vector<4x8xf32>) {
  %10 = vector.multi_reduction <mul>, %a, %v [0] : vector<4x8xf32> to vector<8xf32>
  return
}

// -----

func.func @vector_outerproduct(%v: vector<8xf32>, %a: vector<4x8xf32>, %a4: vector<4xf32>) {
  %11 = vector.outerproduct %a4, %v, %a : vector<4xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_outerproduct_2(%v: vector<8xf32>, %a4: vector<4xf32>) {
  %111 = vector.outerproduct %a4, %v {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_outerproduct_3(%f: f32, %a4: vector<4xf32>) {
  %112 = vector.outerproduct %a4, %f : vector<4xf32>, f32
  return
}

// -----

func.func @vector_scalable_extract(%sc: vector<[4]xf32>) {
  %12 = vector.scalable.extract %sc[0] : vector<4xf32> from vector<[4]xf32>
  return
}

// -----

func.func @vector_scalable_insert(%a4: vector<4xf32>, %sc: vector<[4]xf32>) {
  %13 = vector.scalable.insert %a4, %sc[0] : vector<4xf32> into vector<[4]xf32>
  return
}

// -----

func.func @vector_scan(%v: vector<8xf32>, %a: vector<4x8xf32>) {
  %14:2 = vector.scan <add>, %a, %v {inclusive = true, reduction_dim = 0} : vector<4x8xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_scatter(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %ix: vector<8xi32>) {
  vector.scatter %m[%i] [%ix], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @vector_shape_cast(%a: vector<4x8xf32>) {
  %15 = vector.shape_cast %a : vector<4x8xf32> to vector<32xf32>
  return
}

// -----

func.func @vector_step() {
  %16 = vector.step : vector<4xindex>
  return
}

// -----

func.func @vector_to_elements(%v: vector<8xf32>) {
  %17:8 = vector.to_elements %v : vector<8xf32>
  return
}

// -----

func.func @vector_transpose(%a: vector<4x8xf32>) {
  %18 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  return
}

// -----

func.func @vector_type_cast(%m2: memref<4x3xf32>) {
  %19 = vector.type_cast %m2 : memref<4x3xf32> to memref<vector<4x3xf32>>
  return
}

// -----

func.func @vector_vscale() {
  %20 = vector.vscale
  return
}

// -----

func.func @vector_transfer_read(%t: tensor<?xf32>, %i: index, %f: f32) {
  %21 = vector.transfer_read %t[%i], %f {in_bounds = [true]} : tensor<?xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_transfer_read_2(%i: index, %mask: vector<8xi1>, %f: f32, %m3: memref<4x8xf32>) {
  %22 = vector.transfer_read %m3[%i, %i], %f, %mask {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<4x8xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_transfer_write(%v: vector<8xf32>, %t: tensor<?xf32>, %i: index) {
  %23 = vector.transfer_write %v, %t[%i] : vector<8xf32>, tensor<?xf32>
  return
}

// -----

func.func @vector_transfer_write_2(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>) {
  vector.transfer_write %v, %m[%i], %mask {in_bounds = [true]} : vector<8xf32>, memref<?xf32>
  return
}

// -----

func.func @vector_load(%m: memref<?xf32>, %i: index) {
  %24 = vector.load %m[%i] {nontemporal = true} : memref<?xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_load_2(%m: memref<?xf32>, %i: index) {
  %244 = vector.load %m[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_store(%v: vector<8xf32>, %m: memref<?xf32>, %i: index) {
  vector.store %v, %m[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_maskedload(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>) {
  %25 = vector.maskedload %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @vector_maskedstore(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>) {
  vector.maskedstore %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @vector_create_mask(%i: index) {
  %26 = vector.create_mask %i : vector<8xi1>
  return
}

// -----

func.func @vector_extract(%a: vector<4x8xf32>) {
  %27 = vector.extract %a[2] : vector<8xf32> from vector<4x8xf32>
  return
}

// -----

func.func @vector_extract_2(%v: vector<8xf32>, %i: index) {
  %28 = vector.extract %v[%i] : f32 from vector<8xf32>
  return
}

// -----

func.func @vector_insert(%v: vector<8xf32>, %a: vector<4x8xf32>) {
  %29 = vector.insert %v, %a[1] : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @vector_insert_2(%v: vector<8xf32>, %i: index, %f: f32) {
  %30 = vector.insert %f, %v[%i] : f32 into vector<8xf32>
  return
}

// -----

func.func @vector_broadcast(%f: f32) {
  %31 = vector.broadcast %f : f32 to vector<4x8xf32>
  return
}

// -----

func.func @vector_bitcast(%v: vector<8xf32>) {
  %32 = vector.bitcast %v : vector<8xf32> to vector<8xi32>
  return
}

// -----

func.func @vector_shuffle(%v: vector<8xf32>) {
  %33 = vector.shuffle %v, %v [0, 1, 8] : vector<8xf32>, vector<8xf32>
  return
}

// -----

func.func @vector_fma(%v: vector<8xf32>) {
  %34 = vector.fma %v, %v, %v : vector<8xf32>
  return
}

// -----

func.func @vector_reduction(%v: vector<8xf32>, %f: f32) {
  %35 = vector.reduction <maximumf>, %v, %f : vector<8xf32> into f32
  return
}

// -----

func.func @vector_reduction_2(%v: vector<8xf32>) {
  %36 = vector.reduction <add>, %v fastmath<fast> : vector<8xf32> into f32
  return
}

// -----

func.func @vector_extract_3(%a: vector<4x8xf32>) {
  %37 = vector.extract %a[] : vector<4x8xf32> from vector<4x8xf32>
  return
}

// -----

func.func @vector_create_mask_2(%i: index) {
  %38 = vector.create_mask %i : vector<i1>
  return
}

// -----

func.func @vector_mask_2(%v: vector<8xf32>, %t: tensor<?xf32>, %i: index, %mask: vector<8xi1>, %f: f32) {
  %39 = vector.mask %mask, %v { vector.transfer_read %t[%i], %f {in_bounds = [true]} : tensor<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return
}

// -----

func.func @vector_mask_3(%v: vector<8xf32>, %m: memref<?xf32>, %i: index, %mask: vector<8xi1>) {
  vector.mask %mask { vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<8xf32>, memref<?xf32> } : vector<8xi1>
  return
}

// Integer arithmetic of constants whose elements differ, of extended values, of two parts,
// and of poison.

func.func @different_elements() -> (vector<3xi8>, vector<3xi8>, tensor<2xi64>, vector<2xindex>, vector<2xi1>) {
  %a = arith.constant dense<[100, -3, 7]> : vector<3xi8>
  %b = arith.constant dense<[100, 2, -1]> : vector<3xi8>
  %c = arith.constant dense<[1, -1]> : tensor<2xi32>
  %d = arith.constant dense<[-1, 5]> : vector<2xi32>
  %e = arith.constant dense<5> : vector<2xi32>
  %0 = arith.addi %a, %b : vector<3xi8>
  %1 = arith.divsi %a, %b : vector<3xi8>
  %2 = arith.extui %c : tensor<2xi32> to tensor<2xi64>
  %3 = arith.index_cast %d : vector<2xi32> to vector<2xindex>
  %4 = arith.cmpi ult, %e, %d : vector<2xi32>
  return %0, %1, %2, %3, %4 : vector<3xi8>, vector<3xi8>, tensor<2xi64>, vector<2xindex>, vector<2xi1>
}

// -----

func.func @division_by_zero_in_one_element() -> vector<2xi32> {
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[1, 0]> : vector<2xi32>
  %0 = arith.divui %a, %b : vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// DIFFERS: mlir-opt does not look through the extensions of vectors
func.func @comparisons_of_vectors(%x: vector<2xi32>, %y: vector<2xi8>, %z: vector<2xi8>) -> (vector<2xi1>, vector<2xi1>) {
  %c = arith.constant dense<3> : vector<2xi32>
  %0 = arith.cmpi slt, %c, %x : vector<2xi32>
  %a = arith.extui %y : vector<2xi8> to vector<2xi32>
  %b = arith.extui %z : vector<2xi8> to vector<2xi32>
  %1 = arith.cmpi uge, %a, %b : vector<2xi32>
  return %0, %1 : vector<2xi1>, vector<2xi1>
}

// -----

func.func @comparison_of_tensors(%t: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
  %c = arith.constant dense<true> : tensor<2xi1>
  %0 = arith.cmpi eq, %t, %c : tensor<2xi1>
  %1 = arith.cmpi ne, %t, %c : tensor<2xi1>
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}

// -----

func.func @extended_conditions(%c: i1, %d: vector<2xi1>) -> (i1, i1, vector<2xi1>, i64) {
  %z = arith.constant 0 : i16
  %o = arith.constant 1 : i64
  %l = arith.constant 0 : i64
  %v = arith.constant dense<0> : vector<2xi16>
  %a = arith.extsi %c : i1 to i16
  %b = arith.extui %c : i1 to i16
  %e = arith.extui %d : vector<2xi1> to vector<2xi16>
  %0 = arith.cmpi ne, %a, %z : i16
  %1 = arith.cmpi ne, %b, %z : i16
  %2 = arith.cmpi ne, %e, %v : vector<2xi16>
  %3 = arith.select %c, %o, %l : i64
  return %0, %1, %2, %3 : i1, i1, vector<2xi1>, i64
}

// -----

func.func @logic_of_extended_values(%x: i8, %y: i8, %u: vector<2xi8>, %v: vector<2xi8>) -> (i32, i32, vector<2xi16>) {
  %a = arith.extsi %x : i8 to i32
  %b = arith.extsi %y : i8 to i32
  %c = arith.extui %x : i8 to i32
  %d = arith.extui %y : i8 to i32
  %e = arith.extui %u : vector<2xi8> to vector<2xi16>
  %f = arith.extui %v : vector<2xi8> to vector<2xi16>
  %0 = arith.andi %a, %b : i32
  %1 = arith.ori %c, %d : i32
  %2 = arith.xori %e, %f : vector<2xi16>
  return %0, %1, %2 : i32, i32, vector<2xi16>
}

// -----

func.func @complements(%x: i32, %v: vector<2xindex>) -> (i32, i32, vector<2xindex>) {
  %m = arith.constant -1 : i32
  %n = arith.constant dense<-1> : vector<2xindex>
  %a = arith.xori %x, %m : i32
  %b = arith.xori %v, %n : vector<2xindex>
  %0 = arith.andi %a, %x : i32
  %1 = arith.ori %x, %a : i32
  %2 = arith.andi %v, %b : vector<2xindex>
  return %0, %1, %2 : i32, i32, vector<2xindex>
}

// -----

func.func @differences(%x: i32, %y: i32) -> (i32, i32) {
  %m = arith.constant -1 : i32
  %a = arith.muli %y, %m : i32
  %0 = arith.addi %x, %a : i32
  %1 = arith.addi %a, %x : i32
  return %0, %1 : i32, i32
}

// -----

func.func @quotients_of_products(%x: index, %y: index) -> (index, index, index) {
  %a = arith.muli %x, %y overflow<nsw> : index
  %b = arith.muli %x, %y overflow<nuw> : index
  %0 = arith.divsi %a, %x : index
  %1 = arith.divui %b, %y : index
  %2 = arith.divui %a, %y : index
  return %0, %1, %2 : index, index, index
}

// -----

func.func @sums_of_two_parts(%x: i32) -> (i32, i1, i8, i1, i32) {
  %z = arith.constant 0 : i32
  %a = arith.constant 200 : i8
  %b = arith.constant 100 : i8
  %s:2 = arith.addui_extended %z, %x : i32, i1
  %t:2 = arith.addui_extended %a, %b : i8, i1
  %u:2 = arith.addui_extended %x, %x : i32, i1
  return %s#0, %s#1, %t#0, %t#1, %u#0 : i32, i1, i8, i1, i32
}

// -----

func.func @sum_of_two_parts_with_one(%x: i32) -> (i32, i1) {
  %o = arith.constant 1 : i32
  %s:2 = arith.addui_extended %x, %o : i32, i1
  return %s#0, %s#1 : i32, i1
}

// -----

func.func @products_of_two_bits(%x: i1) -> (i1, i1, i1, i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %p:2 = arith.mului_extended %x, %t : i1
  %q:2 = arith.mulsi_extended %x, %t : i1
  %r:2 = arith.mului_extended %x, %f : i1
  return %p#0, %p#1, %q#0, %q#1, %r#0, %r#1 : i1, i1, i1, i1, i1, i1
}

// -----

func.func @products_of_two_parts(%x: i32, %v: vector<2xi8>) -> (i32, i32, i32, i32, vector<2xi8>, vector<2xi8>, i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %a = arith.constant dense<[-128, 57]> : vector<2xi8>
  %b = arith.constant dense<[-128, -13]> : vector<2xi8>
  %p:2 = arith.mulsi_extended %x, %z : i32
  %q:2 = arith.mului_extended %o, %x : i32
  %r:2 = arith.mulsi_extended %a, %b : vector<2xi8>
  %s:2 = arith.mului_extended %x, %x : i32
  return %p#0, %p#1, %q#0, %q#1, %r#0, %r#1, %s#0 : i32, i32, i32, i32, vector<2xi8>, vector<2xi8>, i32
}

// -----

func.func @signed_product_with_one(%x: i32) -> (i32, i32) {
  %o = arith.constant 1 : i32
  %p:2 = arith.mulsi_extended %x, %o : i32
  return %p#0, %p#1 : i32, i32
}

// -----

func.func @choices_of_constants() -> (vector<2xi32>, vector<2xf32>) {
  %c = arith.constant dense<[true, false]> : vector<2xi1>
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[3, 4]> : vector<2xi32>
  %x = arith.constant dense<[1.0, -0.0]> : vector<2xf32>
  %y = arith.constant dense<0.0> : vector<2xf32>
  %0 = arith.select %c, %a, %b : vector<2xi1>, vector<2xi32>
  %1 = arith.select %c, %y, %x : vector<2xi1>, vector<2xf32>
  return %0, %1 : vector<2xi32>, vector<2xf32>
}

// -----

func.func @poison(%x: i32, %c: i1) -> (i32, i32, i64) {
  %p = ub.poison : i32
  %0 = arith.addi %x, %p : i32
  %1 = arith.select %c, %p, %x : i32
  %2 = arith.extsi %p : i32 to i64
  return %0, %1, %2 : i32, i32, i64
}

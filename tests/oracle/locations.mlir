func.func @insert(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32> loc("model.py":10:3)
  return %0, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @loop(%t: tensor<8xf32>, %x: f32, %a: index, %b: index, %s: index) -> tensor<8xf32> {
  %0 = scf.for %i = %a to %b step %s iter_args(%c = %t) -> (tensor<8xf32>) {
    %2 = tensor.extract %c[%a] : tensor<8xf32>
    %1 = tensor.insert %x into %c[%i] : tensor<8xf32>
    %3 = tensor.insert %2 into %1[%b] : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @slices(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %0 = tensor.extract_slice %t[4] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %1 = linalg.fill ins(%x : f32)
    outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert_slice %1
    into %t[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

func.func private @callee(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = scf.if %c -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func @caller(%t: tensor<4xf32>, %c: i1, %n: index) -> tensor<?xf32> {
  %0 = func.call @callee(%t, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  %2 = tensor.empty(%n) : tensor<?xf32>
  %3 = linalg.add ins(%1, %1 : tensor<?xf32>, tensor<?xf32>)
                  outs(%2 : tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

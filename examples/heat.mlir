// Heat spreading through a plate whose boundary has a fixed temperature: an explicit
// 5-point scheme, for any size and any number of steps.
//
//   u[i, j] += r (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 u[i, j])
//
// The new temperatures are computed in a separate buffer, because the stencil still reads
// the old temperatures of neighbours, and are then copied into the plate: one copy per
// step. All steps use the same buffer for the plate. `bufferization.writable = false` states
// that the caller's array must not change; hence one copy before the loop.

#here = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%initial: tensor<?x?xf64> {bufferization.writable = false},
                %steps: index, %r: f64) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4.0 : f64
  %height = tensor.dim %initial, %c0 : tensor<?x?xf64>
  %width = tensor.dim %initial, %c1 : tensor<?x?xf64>
  %h = arith.subi %height, %c2 : index
  %w = arith.subi %width, %c2 : index
  %final = scf.for %step = %c0 to %steps step %c1
      iter_args(%u = %initial) -> (tensor<?x?xf64>) {
    %north = tensor.extract_slice %u[0, 1] [%h, %w] [1, 1]
        : tensor<?x?xf64> to tensor<?x?xf64>
    %south = tensor.extract_slice %u[2, 1] [%h, %w] [1, 1]
        : tensor<?x?xf64> to tensor<?x?xf64>
    %west = tensor.extract_slice %u[1, 0] [%h, %w] [1, 1]
        : tensor<?x?xf64> to tensor<?x?xf64>
    %east = tensor.extract_slice %u[1, 2] [%h, %w] [1, 1]
        : tensor<?x?xf64> to tensor<?x?xf64>
    %centre = tensor.extract_slice %u[1, 1] [%h, %w] [1, 1]
        : tensor<?x?xf64> to tensor<?x?xf64>
    %empty = tensor.empty(%h, %w) : tensor<?x?xf64>
    %next = linalg.generic {
        indexing_maps = [#here, #here, #here, #here, #here, #here],
        iterator_types = ["parallel", "parallel"]}
        ins(%north, %south, %west, %east, %centre
            : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
              tensor<?x?xf64>)
        outs(%empty : tensor<?x?xf64>) {
      ^bb0(%n: f64, %s: f64, %w_: f64, %e: f64, %c: f64, %out: f64):
        %ns = arith.addf %n, %s : f64
        %we = arith.addf %w_, %e : f64
        %around = arith.addf %ns, %we : f64
        %inside = arith.mulf %c, %four : f64
        %flow = arith.subf %around, %inside : f64
        %change = arith.mulf %flow, %r : f64
        %new = arith.addf %c, %change : f64
        linalg.yield %new : f64
    } -> tensor<?x?xf64>
    %updated = tensor.insert_slice %next into %u[1, 1] [%h, %w] [1, 1]
        : tensor<?x?xf64> into tensor<?x?xf64>
    scf.yield %updated : tensor<?x?xf64>
  }
  return %final : tensor<?x?xf64>
}

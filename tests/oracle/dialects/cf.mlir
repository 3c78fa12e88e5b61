// Every op of the cf dialect in each of its forms.

func.func @assert(%c: i1) {
  cf.assert %c, "message"
  return
}

// -----

func.func @br(%x: f32) -> f32 {
  cf.br ^bb1(%x : f32)
^bb1(%y: f32):
  return %y : f32
}

// -----

func.func @cond_br_weights(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c weights([3, 7]), ^bb1(%x : f32), ^bb2
^bb1(%y: f32):
  return %y : f32
^bb2:
  return %x : f32
}

// -----

func.func @switch(%flag: i32, %x: f32) -> f32 {
  cf.switch %flag : i32, [
    default: ^bb1(%x : f32),
    42: ^bb1(%x : f32),
    -7: ^bb2
  ]
^bb1(%y: f32):
  return %y : f32
^bb2:
  return %x : f32
}

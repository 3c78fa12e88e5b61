// RUN: xdsl-opt %s | xdsl-opt | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | xdsl-opt | filecheck %s

// CHECK: func.func private @read(tensor<?xf32> {bufferization.access = "read"}, i32) -> f32
func.func private @read(tensor<?xf32> {bufferization.access = "read"}, i32) -> f32
// CHECK: func.func private @result(i32) -> (f32 {some.attr}, i32) attributes {x.y}
func.func private @result(i32) -> (f32 {some.attr}, i32) attributes {x.y}
// CHECK: func.func private @plain(i32) -> ()
func.func private @plain(i32)
// CHECK: func.func @defined(%a: i32 {a.c = 1 : i32}, %b: i32) -> (i32 {a.b}, i32) attributes {x.y} {
func.func @defined(%a: i32 {a.c = 1 : i32}, %b: i32) -> (i32 {a.b}, i32) attributes {x.y} {
  func.return %a, %b : i32, i32
}

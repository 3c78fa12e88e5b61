// RUN: xdsl-opt %s -p bufferization-lower-deallocations --verify-diagnostics | filecheck %s

// CHECK: cannot tell at run time which buffer a memref belongs to
// CHECK-SAME: memref.view with a byte shift

func.func @moved(%c: i1, %s: index, %m: memref<64xi8>, %n: memref<4xf32>) -> i1 {
  %v = memref.view %m[%s][] : memref<64xi8> to memref<4xf32>
  %x = arith.select %c, %v, %n : memref<4xf32>
  %o = bufferization.dealloc (%n : memref<4xf32>) if (%c) retain (%x : memref<4xf32>)
  return %o : i1
}

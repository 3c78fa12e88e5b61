// RUN: xdsl-opt %s | filecheck %s

// An empty module passes through: the plug-in loads.

// CHECK: builtin.module {
// CHECK-NEXT: }
builtin.module {
}

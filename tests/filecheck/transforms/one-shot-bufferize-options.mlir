// RUN: xdsl-opt %s --verify-diagnostics -p 'one-shot-bufferize{copy-before-write test-analysis-only}' 2>&1 | filecheck %s --check-prefix COPY
// RUN: xdsl-opt %s --verify-diagnostics -p 'one-shot-bufferize{print-conflicts}' 2>&1 | filecheck %s --check-prefix CONFLICTS
// RUN: xdsl-opt %s --verify-diagnostics -p 'one-shot-bufferize{dump-alias-sets}' 2>&1 | filecheck %s --check-prefix ALIAS
// RUN: xdsl-opt %s --verify-diagnostics -p 'one-shot-bufferize{must-infer-memory-space use-encoding-for-memory-space}' 2>&1 | filecheck %s --check-prefix SPACE
// RUN: xdsl-opt %s --verify-diagnostics -p 'one-shot-bufferize{no-analysis-func-filter=f}' 2>&1 | filecheck %s --check-prefix FILTER

// COPY: one-shot-bufferize: copy-before-write makes no analysis that test-analysis-only could show
// CONFLICTS: one-shot-bufferize: print-conflicts annotates the analysed tensor program
// ALIAS: one-shot-bufferize: dump-alias-sets annotates the analysed tensor program
// SPACE: one-shot-bufferize: must-infer-memory-space and use-encoding-for-memory-space exclude each other
// FILTER: one-shot-bufferize: no-analysis-func-filter leaves functions out of the analysis of calls
func.func @f() {
  func.return
}

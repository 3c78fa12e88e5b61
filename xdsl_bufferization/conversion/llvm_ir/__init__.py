"""LLVM IR from the LLVM dialect: xDSL's translation (llvmlite), and what it lacks."""

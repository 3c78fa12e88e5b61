"""MLIR's bufferization for xDSL: from tensors to memrefs, deallocation, the LLVM
dialect and running code.

Importing the package costs next to nothing: every dialect, model and pass is loaded
when it is first used.
"""

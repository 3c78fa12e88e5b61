"""The parts of convert-to-llvm: types, descriptors, the builder and a table per
dialect.
"""

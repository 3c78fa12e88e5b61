"""Benchmarks: compile time against mlir-opt and against xDSL's own parser and printer."""

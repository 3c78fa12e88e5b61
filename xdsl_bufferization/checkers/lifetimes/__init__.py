"""The checker of deallocation: each allocation is freed once, after its last use."""

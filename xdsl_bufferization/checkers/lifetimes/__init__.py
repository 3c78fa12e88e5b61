"""The deallocation checker: each allocation is freed exactly once, after its last
use."""

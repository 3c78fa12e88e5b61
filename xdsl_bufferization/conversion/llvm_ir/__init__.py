"""LLVM IR from the LLVM dialect: xDSL's translation (llvmlite) and additions to it."""

try:
    import llvmlite as _llvmlite  # pyright: ignore[reportMissingTypeStubs]
except ImportError as error:
    raise ImportError(
        f"the target llvm needs {error.name}, which is not installed: "
        "pip install 'xdsl-bufferization[jit]'",
        name=error.name,
    ) from None

del _llvmlite

"""The pass llvm-request-c-wrappers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.module_pass import ModulePass

EMIT_C_INTERFACE = "llvm.emit_c_interface"


@dataclass(frozen=True)
class LLVMRequestCWrappersPass(ModulePass):
    """Mark every function with `llvm.emit_c_interface`, for calls from C.

        func.func @f(%a: memref<4xf32>) {
          return
        }

    becomes

        func.func @f(%a: memref<4xf32>) attributes {llvm.emit_c_interface} {
          return
        }

    `convert-to-llvm` then adds a function `_mlir_ciface_f`, whose memrefs are pointers to
    descriptors; of a declaration it makes a call of that function. Run it after
    bufferization, and on all functions that are to be called from C or defined there.
    Functions of nested modules are left alone, as mlir-opt does.
    """

    name = "llvm-request-c-wrappers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp):
                function.attributes[EMIT_C_INTERFACE] = UnitAttr()

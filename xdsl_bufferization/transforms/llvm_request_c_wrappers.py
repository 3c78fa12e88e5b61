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

    `convert-to-llvm` then adds a function `_mlir_ciface_f`, whose memrefs are pointers
    to descriptors; it turns a declaration into a call of that function. Run the pass
    after bufferization, and on all functions that are called from C or defined there.
    As in mlir-opt, functions of nested modules are left unchanged.
    """

    name = "llvm-request-c-wrappers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp):
                function.attributes[EMIT_C_INTERFACE] = UnitAttr()

"""The pass convert-to-llvm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.conversion.to_llvm.func import (
    Signature,
    convert_signature,
    lower_function,
)
from xdsl_bufferization.conversion.to_llvm.globals import lower_global
from xdsl_bufferization.conversion.to_llvm.lowering import (
    NEEDED_FIRST,
    PASS,
    ModuleLowering,
    Options,
    symbol_name,
)
from xdsl_bufferization.conversion.to_llvm.safety import recursive_functions
from xdsl_bufferization.conversion.to_llvm.table import LOWERINGS
from xdsl_bufferization.conversion.to_llvm.types import TypeConverter
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class ConvertToLLVMPass(Options, ModulePass):
    """Convert func, cf, arith, math, index, memref, complex, vector and ub to the LLVM
    dialect, in one walk over the module.

    Memrefs become MLIR's descriptors and functions use MLIR's calling convention, so
    that the result links with code compiled by mlir-opt: a memref argument is passed as
    its fields, several results as one struct, and a function with the attribute
    `llvm.emit_c_interface` gets a wrapper `_mlir_ciface_<name>` for C.

    ```mlir
    func.func @get(%m: memref<4x8xf32>, %i: index) -> f32 {
      %c2 = arith.constant 2 : index
      %x = memref.load %m[%c2, %i] : memref<4x8xf32>
      return %x : f32
    }
    ```

    becomes

    ```mlir
    llvm.func @get(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64,
                   %5: i64, %6: i64, %i: i64) -> f32 {
      %7 = llvm.mlir.constant(16) : i64
      %8 = llvm.add %7, %i overflow<nsw> : i64
      %9 = llvm.getelementptr inbounds %1[%8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %10 = llvm.load %9 : !llvm.ptr -> f32
      llvm.return %10 : f32
    }
    ```

    The fields of a memref stay separate values, and those that its type determines are
    folded; a descriptor is built only where a single value is needed, in the results of
    a call or function. A copy becomes a loop unless both layouts are contiguous. The
    only runtime functions called are malloc, free, those of libm, and puts and abort
    for `cf.assert`.

    Vectors of more than one dimension become arrays of LLVM vectors; a transfer that is
    masked or may be out of bounds becomes a branch for each element.

    Structured control flow, linalg and tensors must be lowered first;
    lower-to-llvm-pipeline includes the necessary passes. Unreachable blocks are
    dropped. vector.print calls the functions of MLIR's runner library; the JIT and the
    libraries that it saves have their own. Scalable vectors, most functions of complex
    numbers, rounding modes and DMA have no lowering. An op that lowers to a libm
    function is rejected if the module defines a function of that name (math.tanh in a
    module with @tanh).

    The descriptor of an unranked memref is on the stack. All executions of a memref.cast
    share one, and so do those of a memref.reshape if the length of its shape operand is
    known, unless a branch passes the memref on. All others allocate: in a loop of
    branches, their descriptors stay until the function returns.

    Options:
    - `index-bitwidth`: the width of the index type (64).
    - `use-aligned-alloc`: allocate with aligned_alloc instead of malloc.
    - `use-generic-functions`: allocate and free with _mlir_memref_to_llvm_alloc,
      _mlir_memref_to_llvm_aligned_alloc and _mlir_memref_to_llvm_free, for the linker to
      resolve.
    - `assert-function`: the function that a failing `cf.assert` calls instead of puts
      and abort, of type `void (ptr, i64, i64, i64, i64)`, with the message and up to
      four numbers. The message ends with the asserted comparisons, with `{}` for each
      number: `required: {} < {}`. The function must not return.
    - `check-allocations`: fail like a `cf.assert` if there is no memory for a buffer of
      dynamic size or of more than 64 KiB.
    - `check-divisions`: fail like a `cf.assert` if an integer is divided by zero, or
      the quotient does not fit into its type.
    - `freeze-poison`: replace results that are poison in LLVM, such as those of shifts
      by too many bits, by an arbitrary value that is the same at every use; `ub.poison`
      is zero.
    - `stack-limit-function`: fail like a `cf.assert` if the stack would grow below the
      address that this function, of type `ptr ()`, returns. Recursive functions are
      checked, and allocas of dynamic size or of more than 4 KiB.
    - `trust-alignments`: rely on the alignments that memref.assume_alignment and vector
      accesses state (the default); an access to a misaligned address may then end the
      process.
    """

    name = "convert-to-llvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_to_llvm(op, self)


def convert_to_llvm(module: ModuleOp, options: Options | None = None) -> None:
    """Convert a module to the LLVM dialect in place.

    Raises:
        PassFailedException: when an op or a type has no counterpart there.
    """
    options = options or Options()
    lowering = ModuleLowering(
        module, options, LOWERINGS, TypeConverter(options.index_bitwidth)
    )
    old = list(module.ops)
    if options.stack_limit_function:
        lowering.recursive = recursive_functions(module)
    signatures: dict[Operation, Signature] = {}
    for op in visiting(old):
        if isinstance(op, func.FuncOp):
            signatures[op] = convert_signature(op, lowering)
        elif (name := symbol_name(op)) is not None:
            lowering.symbols[name] = op
    for op in visiting(old):
        if op.name.startswith("llvm."):
            continue
        if isinstance(op, ModuleOp):
            convert_to_llvm(op, options)
            continue
        if isinstance(op, func.FuncOp):
            created = lower_function(signatures[op], lowering)
        elif op.name == "memref.global":
            created = [lower_global(op, lowering)]
        else:
            _refuse_top_level(op)
        module.body.block.insert_ops_before(created, op)
        op.detach()
        op.drop_all_references()
    lowering.finish()


def _refuse_top_level(op: Operation) -> NoReturn:
    reason = "it has no counterpart in the LLVM dialect outside of a function"
    first = NEEDED_FIRST.get(op.name.split(".", 1)[0])
    refuse(op, PASS, f"{reason}; {first}" if first else reason)

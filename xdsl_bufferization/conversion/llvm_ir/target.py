"""The target `llvm`: a module of the LLVM dialect as LLVM IR text.

Replaces xDSL's target of this name: it uses xDSL's translation for every op that xDSL
supports, and adds further ops, linkage, alignment and all initial values of globals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, Self, cast

import llvmlite.ir as _ir  # pyright: ignore[reportMissingTypeStubs]
from xdsl.backend.llvm.convert import convert_module as xdsl_convert_module
from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import LLVMTranslationException, PassFailedException
from xdsl.utils.target import Target

from xdsl_bufferization.conversion.llvm_ir.constants import (
    add_types,
    convert_type,
    initial_value,
    repeated_constant,
    text_constant,
)
from xdsl_bufferization.conversion.llvm_ir.debug_info import DebugInfo
from xdsl_bufferization.conversion.llvm_ir.filled_globals import fill_globals
from xdsl_bufferization.conversion.llvm_ir.ops import Body, convert_op
from xdsl_bufferization.conversion.utils.diagnostics import place
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.guest import is_in_use, take_over
from xdsl_bufferization.pass_options import read_options

ir: Any = _ir


@dataclass(frozen=True)
class LLVMTarget(Target):
    """Prints LLVM IR.

    Options:
    - debug-info: say of each instruction which line of the source it comes from.
    """

    name = "llvm"

    debug_info: bool = False

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        parameters = spec.normalize_parameter_names().parameters
        try:
            return super().from_spec(ArgSpec(spec.name, read_options(cls, parameters)))
        except PassFailedException:
            take_over()  # the command ends with a message of this package
            raise

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        theirs = not is_in_use() and not self.debug_info
        converted = _converted_by_xdsl(module) if theirs else None
        if converted is None:
            converted = convert_module(module, debug_info=self.debug_info)
        _check_names(converted)
        print(converted, file=output)


def _converted_by_xdsl(module: ModuleOp) -> Any:
    """Return xDSL's translation, which commands of xDSL keep, or None when it fails."""
    try:
        return xdsl_convert_module(module, fallback_target_triple=None)
    except Exception:  # the error that counts is that of the translation here
        return None


def convert_module(
    module: ModuleOp, target_triple: str | None = None, *, debug_info: bool = False
) -> Any:
    """The llvmlite module of a module of the LLVM dialect. Without a triple it is for the
    host. With debug info, it says where in the source instructions come from.

    Raises:
        LLVMTranslationException: when something in it has no translation.
    """
    add_types()
    header = ModuleOp([], dict(module.attributes))
    result: Any = xdsl_convert_module(header, fallback_target_triple=target_triple)
    globals_: list[llvm.GlobalOp] = []
    functions: list[llvm.FuncOp] = []
    for op in module.ops:
        if isinstance(op, llvm.GlobalOp):
            globals_.append(op)
        elif isinstance(op, llvm.FuncOp):
            functions.append(op)
        else:
            raise _untranslatable(op)
    filled = [
        (result.get_global(op.sym_name.data), *repeated)
        for op in globals_
        if (repeated := _convert_global(op, result)) is not None
    ]
    if filled:
        fill_globals(result, filled)
    for op in functions:
        _declare_function(op, result)
    info = DebugInfo(result) if debug_info else None
    for op in functions:
        if op.body.blocks:
            _convert_function(op, result, info)
    return result


_CALLED_FOR_INTRINSICS = frozenset(
    [
        "ceil",
        "cos",
        "exp",
        "exp10",
        "exp2",
        "floor",
        "fma",
        "log",
        "log10",
        "log2",
        "pow",
        "rint",
        "round",
        "roundeven",
        "sin",
        "sqrt",
        "trunc",
    ]
)
"""Functions of libm that LLVM may call for the intrinsic of the same name."""


def _check_names(module: Any) -> None:
    """Check that the code LLVM makes of an intrinsic will not call a function of the
    module that happens to have the name of libm's.
    """
    for name in list(module.globals):
        prefix, _, rest = str(name).partition(".")
        base = rest.partition(".")[0]
        if prefix != "llvm" or base not in _CALLED_FOR_INTRINSICS:
            continue
        for symbol in (base, base + "f"):
            if getattr(module.globals.get(symbol), "blocks", None):
                raise LLVMTranslationException(
                    f"LLVM calls libm's {symbol} for the intrinsic {name}, but the "
                    f"module defines @{symbol}; rename the function"
                )


def _untranslatable(op: Operation) -> LLVMTranslationException:
    message = f"'{name_of(op)}' in {place(op)} has no translation to LLVM IR"
    if not op.name.startswith("llvm."):
        message += (
            ": it is not an op of the LLVM dialect; run lower-to-llvm-pipeline first"
        )
    return LLVMTranslationException(message)


def _convert_global(op: llvm.GlobalOp, module: Any) -> tuple[Any, int] | None:
    """Declare a global. If it has to be filled, return with what and how often."""
    initial = None
    repeated = repeated_constant(op.global_type, op.value)
    if repeated is not None:
        initial = text_constant(convert_type(op.global_type), "zeroinitializer")
    elif op.value is not None:
        initial = initial_value(op.global_type, op.value)
    elif op.body.blocks:
        initial = text_constant(convert_type(op.global_type), _initial_text(op))
    type_ = convert_type(op.global_type) if initial is None else initial.type
    variable: Any = ir.GlobalVariable(
        module, type_, op.sym_name.data, op.addr_space.value.data
    )
    variable.linkage = op.linkage.linkage.data
    if variable.linkage == "external" and initial is not None:
        variable.linkage = ""
    variable.global_constant = op.constant is not None and repeated is None
    variable.initializer = initial
    if isinstance(op.alignment, IntegerAttr):
        variable.align = op.alignment.value.data
    return repeated


def _initial_text(op: llvm.GlobalOp) -> str:
    """The initial value that a region yields: undef or zero."""
    block = op.body.block
    value = block.last_op.operands[0].owner if block.last_op is not None else None
    names = {"llvm.mlir.undef": "undef", "llvm.mlir.poison": "poison"}
    if isinstance(value, llvm.ZeroOp):
        return "zeroinitializer"
    if isinstance(value, Operation) and value.name in names:
        return names[value.name]
    raise LLVMTranslationException(
        f"the global @{op.sym_name.data} is initialised by a region that computes its "
        "value, which is not supported"
    )


_POINTER_FLAGS = {
    "llvm.inreg": "inreg",
    "llvm.nest": "nest",
    "llvm.noalias": "noalias",
    "llvm.nocapture": "captures(none)",
    "llvm.nofree": "nofree",
    "llvm.nonnull": "nonnull",
    "llvm.noundef": "noundef",
    "llvm.readnone": "readnone",
    "llvm.readonly": "readonly",
    "llvm.returned": "returned",
    "llvm.signext": "signext",
    "llvm.writeonly": "writeonly",
    "llvm.zeroext": "zeroext",
}
_POINTER_NUMBERS = {
    "llvm.align": "align",
    "llvm.dereferenceable": "dereferenceable",
    "llvm.dereferenceable_or_null": "dereferenceable_or_null",
}


def _declare_function(op: llvm.FuncOp, module: Any) -> None:
    type_ = convert_type(op.function_type)
    function: Any = ir.Function(module, type_, op.sym_name.data)
    linkage = op.linkage.linkage.data
    if linkage != "external" and op.body.blocks:
        function.linkage = linkage
    if op.CConv.convention.data != "ccc":
        # Calls are translated with theirs.
        function.calling_convention = op.CConv.convention.data
    for argument, attributes in zip(function.args, op.arg_attrs or (), strict=False):
        for name, value in attributes.data.items():
            if name in _POINTER_FLAGS:
                _add_attribute(argument.attributes, _POINTER_FLAGS[name])
            elif name in _POINTER_NUMBERS and isinstance(value, IntegerAttr):
                setattr(argument.attributes, _POINTER_NUMBERS[name], value.value.data)
            elif name.startswith("llvm."):
                raise LLVMTranslationException(
                    f"the argument attribute {name} of @{op.sym_name.data} has no "
                    "translation to LLVM IR"
                )


_ADD = cast("Callable[[Any, str], None]", set.add)


def _add_attribute(attributes: Any, name: str) -> None:
    """Also those that llvmlite does not know."""
    _ADD(attributes, name)


def _convert_function(op: llvm.FuncOp, module: Any, info: DebugInfo | None) -> None:
    function = module.get_global(op.sym_name.data)
    scope = None if info is None else info.describe_function(op, function)
    body = Body({}, {})
    for position, block in enumerate(op.body.blocks):
        new = function.append_basic_block(block.name_hint or "")
        body.blocks[block] = new
        if position == 0:
            body.values.update(zip(block.args, function.args, strict=True))
            continue
        builder: Any = ir.IRBuilder(new)
        for argument in block.args:
            body.values[argument] = builder.phi(convert_type(argument.type))
    for block, new in list(body.blocks.items()):
        builder = ir.IRBuilder(new)
        for op_ in block.ops:
            if info is not None:
                builder.debug_metadata = info.location_of(op_, op, scope)
            try:
                convert_op(op_, builder, body)
            except NotImplementedError as error:
                raise _untranslatable(op_) from error

"""Properties of LLVM ops that MLIR 22 defines and xDSL lacks.

mlir-opt prints them in the generic form, which xDSL rejects::

    %0 = "llvm.load"(%p) <{ordering = 0 : i64, volatile_}> : (!llvm.ptr) -> f32

xDSL's own syntax of these ops has no words for them. There they are entries of the
attribute dictionary, from which mlir-opt and this package read properties as well::

    %0 = llvm.load %p {volatile_} : !llvm.ptr -> f32
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_attr_definition,
    opt_prop_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .definitions import refined_op_definition

OpT = TypeVar("OpT", bound=type[IRDLOperation])


def refined_with_properties(cls: OpT) -> OpT:
    """Complete the class of an op that refines xDSL's, as `refined_op_definition` does,
    with the properties that xDSL's lacks."""
    missing = _MISSING[cls.name]
    fields: dict[str, Any] = {name: opt_prop_def(kind) for name, kind in missing.items()}
    has_format = cls.get_irdl_definition().assembly_format is not None
    if has_format:
        fields["irdl_options"] = (ParsePropInAttrDict(),)
    for name, value in fields.items():
        setattr(cls, name, value)
    if has_format:
        return refined_op_definition(cls)
    refined_op_definition(cls)
    cls.print = _print_in_dictionary(cls.print, tuple(missing))
    return cls


def ops_with_properties(
    ops: Iterable[type[Operation]], refined: Iterable[type[Operation]]
) -> Sequence[type[Operation]]:
    """Return a refinement of each op of xDSL that lacks properties, those that `refined`
    refines excluded."""
    names = _MISSING.keys() - {op.name for op in refined}
    return [
        refined_with_properties(type(op.__name__, (op,), {"__module__": __name__}))
        for op in ops
        if op.name in names and issubclass(op, IRDLOperation)
    ]


def _print_in_dictionary(print_op: Any, names: Sequence[str]) -> Any:
    """Return `print_op` that prints the properties `names` among the attributes."""

    @wraps(print_op)
    def print_all(self: Operation, printer: Printer) -> None:
        with properties_in_dictionary(self, names):
            print_op(self, printer)

    return print_all


@contextmanager
def properties_in_dictionary(op: Operation, names: Sequence[str]) -> Generator[None]:
    """Let the attributes of an op include the properties `names`."""
    attributes = op.attributes
    given = {name: op.properties[name] for name in names if name in op.properties}
    if given:
        op.attributes = given | attributes
    try:
        yield
    finally:
        op.attributes = attributes


class _WordsAttr(ParametrizedAttribute):
    """An attribute whose parameters no pass reads: the text between its brackets."""

    words: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            words = [_word(parser)]
            while parser.parse_optional_punctuation(",") is not None:
                words.append(_word(parser))
        return [StringAttr(", ".join(words))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.words.data)


def _word(parser: AttrParser) -> str:
    """Parse `name`, `name = name`, `name = number` or `name = number : type`."""
    word = parser.parse_identifier()
    if parser.parse_optional_punctuation("=") is None:
        return word
    value = parser.parse_optional_integer()
    if value is None:
        return f"{word} = {parser.parse_identifier()}"
    if parser.parse_optional_punctuation(":") is None:
        return f"{word} = {value}"
    return f"{word} = {value} : {parser.parse_type()}"


@irdl_attr_definition
class MemoryEffectsAttr(_WordsAttr):
    name = "llvm.memory_effects"


@irdl_attr_definition
class UnwindTableKindAttr(_WordsAttr):
    name = "llvm.uwtableKind"


@irdl_attr_definition
class VScaleRangeAttr(_WordsAttr):
    name = "llvm.vscale_range"


@irdl_attr_definition
class DereferenceableAttr(_WordsAttr):
    name = "llvm.dereferenceable"


ADDED_ATTRIBUTES = (
    MemoryEffectsAttr,
    UnwindTableKindAttr,
    VScaleRangeAttr,
    DereferenceableAttr,
)

_Kinds = Mapping[str, Any]


def _each(kind: Any, names: str) -> _Kinds:
    return dict.fromkeys(names.split(), kind)


OF_ARGUMENTS = ArrayAttr[DictionaryAttr]
_ATTRIBUTES_OF_ARGUMENTS: _Kinds = _each(OF_ARGUMENTS, "arg_attrs res_attrs")

_MISSING: Mapping[str, _Kinds] = {
    "llvm.alloca": _each(UnitAttr, "inalloca"),
    "llvm.call": {
        **_ATTRIBUTES_OF_ARGUMENTS,
        **_each(UnitAttr, "always_inline convergent inline_hint no_inline"),
        **_each(UnitAttr, "no_unwind will_return"),
        "memory_effects": MemoryEffectsAttr,
    },
    "llvm.call_intrinsic": _ATTRIBUTES_OF_ARGUMENTS,
    "llvm.cond_br": {"branch_weights": DenseArrayBase.constr(i32)},
    "llvm.func": {
        **_each(UnitAttr, "always_inline convergent inline_hint will_return dso_local"),
        **_each(UnitAttr, "arm_in_za arm_inout_za arm_new_za arm_out_za"),
        **_each(UnitAttr, "arm_locally_streaming arm_preserves_za arm_streaming"),
        **_each(UnitAttr, "arm_streaming_compatible"),
        **_each(BoolAttr, "no_infs_fp_math no_nans_fp_math no_signed_zeros_fp_math"),
        **_each(StringAttr, "denormal_fp_math denormal_fp_math_f32 fp_contract"),
        **_each(StringAttr, "garbageCollector section prefer_vector_width"),
        **_each(StringAttr, "instrument_function_entry instrument_function_exit"),
        **_each(StringAttr, "reciprocal_estimates"),
        "personality": SymbolRefAttr,
        **_each(IntegerAttr, "alignment function_entry_count"),
        **_each(DenseArrayBase[I32], "reqd_work_group_size work_group_size_hint"),
        "intel_reqd_sub_group_size": IntegerAttr,
        "memory_effects": MemoryEffectsAttr,
        "uwtable_kind": UnwindTableKindAttr,
        "vscale_range": VScaleRangeAttr,
    },
    "llvm.load": {
        **_each(UnitAttr, "invariant invariantGroup nontemporal volatile_"),
        "dereferenceable": DereferenceableAttr,
        "syncscope": StringAttr,
    },
    "llvm.mlir.global": {"externally_initialized": UnitAttr},
    "llvm.store": {"invariantGroup": UnitAttr, "syncscope": StringAttr},
}

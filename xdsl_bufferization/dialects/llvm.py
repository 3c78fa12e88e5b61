"""The LLVM dialect: xDSL's, and the ops of MLIR's that xDSL lacks.

``from xdsl.dialects import llvm`` has the ops both know; this module defines those that
a lowering to the LLVM dialect needs besides: `llvm.switch`, float to integer casts,
atomics, `llvm.mlir.poison`, and the intrinsics (`llvm.intr.*`). ``llvm.fcmp`` and
``llvm.select`` are xDSL's with vector operands allowed. Syntax is mlir-opt's.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects import llvm as xdsl_llvm
from xdsl.dialects.builtin import (
    I1,
    I64,
    AnyFloatConstr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.llvm import (
    ATOMIC_ORDERING_KEYWORDS,
    LLVM as XDSL_LLVM,
    FastMathAttr,
    FCmpPredicateFlag,
    GenericCastOp,
    LinkageAttr,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
)
from xdsl.dialects.utils import print_dynamic_index_list
from xdsl.ir import Attribute, Block, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.guest import is_in_use

from .definitions import refined_op_definition
from .lazy_formats import op_definition
from .llvm_properties import (
    ADDED_ATTRIBUTES,
    OF_ARGUMENTS,
    ops_with_properties,
    properties_in_dictionary,
    refined_with_properties,
)

AnyIntOrVectorConstr = SignlessIntegerConstraint | VectorType.constr(
    SignlessIntegerConstraint
)
_LINKAGES = (
    *("private", "internal", "available_externally", "linkonce", "weak", "common"),
    *("appending", "extern_weak", "linkonce_odr", "weak_odr", "external"),
)
AnyFloatOrVectorConstr = AnyFloatConstr | VectorType.constr(AnyFloatConstr)


@op_definition
class PoisonOp(IRDLOperation):
    name = "llvm.mlir.poison"

    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($res)"

    def __init__(self, result_type: Attribute):
        super().__init__(result_types=[result_type])


@refined_with_properties
class FuncOp(xdsl_llvm.FuncOp):
    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        op = super().parse(parser)
        op.__class__ = cls  # xDSL builds one of its own
        return cast(FuncOp, op)


_VISIBILITIES = ("default", "hidden", "protected")
"""The keywords for `visibility_`; the index is the attribute's value."""


@refined_with_properties
class GlobalOp(xdsl_llvm.GlobalOp):
    """xDSL's has no keyword for the visibility. It prints the property as an attribute,
    which mlir-opt rejects."""

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        linkage = parser.parse_optional_keyword_in(_LINKAGES)
        visibility = parser.parse_optional_keyword_in(_VISIBILITIES)
        op = super().parse(parser)
        if linkage is not None:
            op.linkage = LinkageAttr(linkage)
        if visibility is not None:
            op.visibility_ = IntegerAttr(_VISIBILITIES.index(visibility), i64)
        return cast(GlobalOp, op)

    def print(self, printer: Printer) -> None:
        if not is_in_use():
            super().print(printer)
            return
        visibility = 0 if self.visibility_ is None else self.visibility_.value.data
        unnamed = 0 if self.unnamed_addr is None else self.unnamed_addr.value.data
        words = (
            self.linkage.linkage.data,
            _VISIBILITIES[visibility] if visibility else None,
            None if self.thread_local_ is None else "thread_local",
            xdsl_llvm.UNNAMED_ADDR_KEYWORD_BY_KEY.get(unnamed),
            None if self.constant is None else "constant",
        )
        printer.print_string(f" {' '.join(filter(None, words))} ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            if self.value is not None:
                printer.print_attribute(self.value)
        printer.print_op_attributes(
            self.properties | self.attributes,
            reserved_attr_names=(
                *("global_type", "sym_name", "linkage", "constant", "thread_local_"),
                *("unnamed_addr", "value", "visibility_"),
            ),
        )
        printer.print_string(" : ")
        printer.print_attribute(self.global_type)
        if self.body.blocks:
            printer.print_string(" ")
            printer.print_region(self.body)


@refined_with_properties
class StoreOp(xdsl_llvm.StoreOp):
    """xDSL's does not print the ordering."""

    def print(self, printer: Printer) -> None:
        atomic = self.ordering is not None and self.ordering.value.data != 0
        names = ("ordering",) if atomic and is_in_use() else ()
        with properties_in_dictionary(self, names):
            super().print(printer)


_NO_WRAP_FLAGS = {"inbounds": 3, "nusw": 2, "nuw": 4}
"""The bits of `noWrapFlags`; one of the two of `inbounds` is `nusw`."""


@refined_op_definition
class GEPOp(xdsl_llvm.GEPOp):
    """The address of an element. As in MLIR, `noWrapFlags` alone says whether it is in
    bounds; xDSL has a second property for it, which is read as well."""

    def flags(self) -> int:
        """Return the bits of `noWrapFlags`."""
        flags = self.noWrapFlags.value.data
        return flags if self.inbounds is None else flags | _NO_WRAP_FLAGS["inbounds"]

    @classmethod
    def parse(cls, parser: Parser) -> GEPOp:
        flags = 0
        while (name := parser.parse_optional_keyword_in(_NO_WRAP_FLAGS)) is not None:
            flags |= _NO_WRAP_FLAGS[name]
            if parser.parse_optional_punctuation("|") is None:
                break
        op = super().parse(parser)
        if flags == _NO_WRAP_FLAGS["inbounds"] and not is_in_use():
            op.properties["inbounds"] = UnitAttr()  # what passes of xDSL look at
        else:
            op.properties["noWrapFlags"] = IntegerAttr(flags, i32)
        return cast(GEPOp, op)

    def print(self, printer: Printer) -> None:
        flags = self.flags()
        names: list[str] = []
        for name, bits in _NO_WRAP_FLAGS.items():
            if flags & bits == bits:
                names.append(name)
                flags &= ~bits
        if names:
            printer.print_string(f" {'|'.join(names)}")
        printer.print_string(" ")
        printer.print_ssa_value(self.ptr)
        print_dynamic_index_list(
            printer,
            xdsl_llvm.GEP_USE_SSA_VAL,
            self.ssa_indices,
            self.rawConstantIndices.iter_values(),
        )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type(
            [self.ptr.type, *(index.type for index in self.ssa_indices)],
            [self.result.type],
        )
        printer.print_string(", ")
        printer.print_attribute(self.elem_type)


@op_definition
class FreezeOp(IRDLOperation):
    name = "llvm.freeze"

    T: ClassVar = VarConstraint("T", AnyAttr())

    val = operand_def(T)
    res = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$val attr-dict `:` type($val)"


@op_definition
class FPToSIOp(GenericCastOp):
    name = "llvm.fptosi"


@op_definition
class FPToUIOp(GenericCastOp):
    name = "llvm.fptoui"


@op_definition
class UIToFPOp(GenericCastOp):
    name = "llvm.uitofp"

    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")

    assembly_format = (
        "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($result)"
    )


@op_definition
class AddrSpaceCastOp(GenericCastOp):
    name = "llvm.addrspacecast"


@op_definition
class ExtractElementOp(IRDLOperation):
    name = "llvm.extractelement"

    vector = operand_def(base(VectorType))
    position = operand_def(SignlessIntegerConstraint)
    res = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ExtractElementOp:
        vector = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            position = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            position_type = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        vector_type = parser.parse_type()
        if not isinstance(vector_type, VectorType):
            parser.raise_error("llvm.extractelement takes a vector")
        typed = cast("VectorType[Attribute]", vector_type)
        return cls.create(
            operands=[
                parser.resolve_operand(vector, typed),
                parser.resolve_operand(position, position_type),
            ],
            result_types=[typed.element_type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        with printer.in_square_brackets():
            printer.print_operand(self.operands[1])
            printer.print_string(" : ")
            printer.print_attribute(self.operands[1].type)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)


@refined_op_definition
class ICmpOp(xdsl_llvm.ICmpOp):
    """xDSL's llvm.icmp takes no pointers."""

    T: ClassVar = VarConstraint(
        "T",
        AnyIntOrVectorConstr
        | base(LLVMPointerType)
        | VectorType.constr(base(LLVMPointerType)),
    )

    lhs = operand_def(T)
    rhs = operand_def(T)


@refined_op_definition
class ConstantOp(xdsl_llvm.ConstantOp):
    """xDSL's llvm.mlir.constant has numbers only, not the text of an array, say."""

    value = prop_def()

    def verify_(self) -> None:
        elements = (DenseIntOrFPElementsAttr, DenseResourceAttr)
        if not isinstance(self.value, (IntegerAttr, FloatAttr, *elements)) and (
            not isinstance(self.result.type, (LLVMArrayType, LLVMStructType))
        ):
            raise VerifyException(f"Unexpected attribute {self.value}")


@refined_op_definition
class FCmpOp(xdsl_llvm.FCmpOp):
    """xDSL's llvm.fcmp takes scalars only."""

    T: ClassVar = VarConstraint("T", AnyFloatOrVectorConstr)

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(base(I1) | VectorType.constr(base(I1)))

    @classmethod
    def parse(cls, parser: Parser) -> FCmpOp:
        predicate = FCmpPredicateFlag(parser.parse_str_literal()).to_int()
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        flags = attributes.pop("fastmathFlags", FastMathAttr(None))
        return cls.create(
            operands=[
                parser.resolve_operand(lhs, type_),
                parser.resolve_operand(rhs, type_),
            ],
            result_types=[i1_like(type_)],
            properties={
                "predicate": IntegerAttr(predicate, i64),
                "fastmathFlags": flags,
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        flag = FCmpPredicateFlag.from_int(self.predicate.value.data)
        printer.print_string(f' "{flag}" ')
        printer.print_operand(self.lhs)
        printer.print_string(", ")
        printer.print_operand(self.rhs)
        attributes = dict(self.attributes)
        if self.fastmathFlags.data:
            attributes["fastmathFlags"] = self.fastmathFlags
        printer.print_op_attributes(attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


def i1_like(type_: Attribute) -> Attribute:
    """The type of a comparison of two values of a type: i1, or a vector of it."""
    if isinstance(type_, VectorType):
        return VectorType(i1, type_.get_shape())
    return i1


@refined_op_definition
class SelectOp(xdsl_llvm.SelectOp):
    """xDSL's llvm.select takes a scalar condition only."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def(base(I1) | VectorType.constr(base(I1)))
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)


@op_definition
class SwitchOp(IRDLOperation):
    """A branch by the value of an integer. The operands of all cases follow one another;
    `case_operand_segments` says how many belong to each.
    """

    name = "llvm.switch"

    value = operand_def(SignlessIntegerConstraint)
    default_operands = var_operand_def()
    case_operands = var_operand_def()
    case_values = opt_prop_def(DenseIntElementsAttr)
    case_operand_segments = prop_def(DenseArrayBase.constr(i32))
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))
    default_destination = successor_def()
    case_destinations = var_successor_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator(), Pure())

    def __init__(
        self,
        value: SSAValue,
        default: tuple[Block, Sequence[SSAValue]],
        cases: Sequence[tuple[int, Block, Sequence[SSAValue]]],
    ):
        properties: dict[str, Attribute] = {
            "case_operand_segments": DenseArrayBase.from_list(
                i32, [len(operands) for _, _, operands in cases]
            )
        }
        if cases:
            properties["case_values"] = DenseIntElementsAttr.from_list(
                VectorType(cast(IntegerType, value.type), (len(cases),)),
                [case for case, _, _ in cases],
            )
        super().__init__(
            operands=[value, default[1], [v for _, _, vs in cases for v in vs]],
            successors=[default[0], [block for _, block, _ in cases]],
            properties=properties,
        )

    def cases(self) -> list[tuple[int, Block, tuple[SSAValue, ...]]]:
        """Each case's value, destination and operands."""
        if self.case_values is None:
            return []
        result: list[tuple[int, Block, tuple[SSAValue, ...]]] = []
        operands = tuple(self.case_operands)
        for value, block, count in zip(
            self.case_values.get_values(),
            self.case_destinations,
            self.case_operand_segments.iter_values(),
            strict=True,
        ):
            result.append((int(value), block, operands[: int(count)]))
            operands = operands[int(count) :]
        return result

    def verify_(self) -> None:
        count = 0 if self.case_values is None else len(self.case_values)
        if count != len(self.case_destinations) or count != len(
            self.case_operand_segments
        ):
            raise VerifyException(
                "llvm.switch needs one value and one operand segment for each case"
            )

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        value = parser.resolve_operand(unresolved, parser.parse_type())
        parser.parse_punctuation(",")
        default = _parse_destination(parser)

        def parse_case() -> tuple[int, Block, Sequence[SSAValue]]:
            case = parser.parse_integer()
            parser.parse_punctuation(":")
            return case, *_parse_destination(parser)

        cases = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parse_case)
        op = cls(value, default, cases)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        _print_destination(printer, self.default_destination, self.default_operands)
        printer.print_string(" [")
        with printer.indented():
            for index, (value, block, operands) in enumerate(self.cases()):
                printer.print_string(",\n" if index else "\n")
                printer.print_string(f"{value}: ")
                _print_destination(printer, block, operands)
        printer.print_string("\n]")
        with properties_in_dictionary(self, ("branch_weights",)):
            printer.print_op_attributes(self.attributes)


def _parse_destination(parser: Parser) -> tuple[Block, Sequence[SSAValue]]:
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, ()
    position = parser.pos
    operands: list[UnresolvedOperand] = parser.parse_comma_separated_list(
        Parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return block, parser.resolve_operands(operands, types, position)


def _print_destination(
    printer: Printer, block: Block, operands: Sequence[SSAValue]
) -> None:
    printer.print_block_name(block)
    if operands:
        with printer.in_parens():
            printer.print_list(operands, printer.print_operand)
            printer.print_string(" : ")
            printer.print_list([v.type for v in operands], printer.print_attribute)


ATOMIC_BIN_OPS = (
    *("xchg", "add", "sub", "_and", "nand", "_or", "_xor", "max", "min", "umax", "umin"),
    *("fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"),
    *("fmaximum", "fminimum"),
)
"""The operations of llvm.atomicrmw; the index is the attribute's value."""

_ORDERING_BY_KEYWORD = {word: key for key, word in ATOMIC_ORDERING_KEYWORDS.items()}


def _parse_syncscope(parser: Parser) -> dict[str, Attribute]:
    if parser.parse_optional_keyword("syncscope") is None:
        return {}
    with parser.in_parens():
        return {"syncscope": StringAttr(parser.parse_str_literal())}


def _print_syncscope(printer: Printer, scope: StringAttr | None) -> None:
    if scope is not None:
        printer.print_string(" syncscope")
        with printer.in_parens():
            printer.print_attribute(scope)


def _parse_flags(parser: Parser, names: Mapping[str, str]) -> dict[str, Attribute]:
    """Parse keywords, in their order, that stand for properties."""
    return {
        name: UnitAttr()
        for keyword, name in names.items()
        if parser.parse_optional_keyword(keyword) is not None
    }


def _print_flags(printer: Printer, op: Operation, names: Mapping[str, str]) -> None:
    for keyword, name in names.items():
        if name in op.properties:
            printer.print_string(f" {keyword}")


def _parse_ordering(parser: Parser) -> IntegerAttr[IntegerType]:
    word = parser.expect(
        lambda: parser.parse_optional_keyword_in(_ORDERING_BY_KEYWORD),
        "expected an atomic ordering",
    )
    return IntegerAttr(_ORDERING_BY_KEYWORD[word], i64)


_VOLATILE = {"volatile": "volatile_"}
_WEAK_OR_VOLATILE = {"weak": "weak", **_VOLATILE}


@op_definition
class AtomicRMWOp(IRDLOperation):
    name = "llvm.atomicrmw"

    T: ClassVar = VarConstraint("T", AnyAttr())

    ptr = operand_def(LLVMPointerType)
    val = operand_def(T)
    res = result_def(T)
    bin_op = prop_def(IntegerAttr[I64])
    ordering = prop_def(IntegerAttr[I64])
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr[I64])
    volatile_ = opt_prop_def(UnitAttr)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        properties = _parse_flags(parser, _VOLATILE)
        bin_op = parser.expect(
            lambda: parser.parse_optional_keyword_in(ATOMIC_BIN_OPS),
            "expected an atomic operation",
        )
        ptr = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        val = parser.parse_unresolved_operand()
        properties |= _parse_syncscope(parser)
        properties["bin_op"] = IntegerAttr(ATOMIC_BIN_OPS.index(bin_op), i64)
        properties["ordering"] = _parse_ordering(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        ptr_type = parser.parse_type()
        parser.parse_punctuation(",")
        val_type = parser.parse_type()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(
            operands=[
                parser.resolve_operand(ptr, ptr_type),
                parser.resolve_operand(val, val_type),
            ],
            result_types=[val_type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_flags(printer, self, _VOLATILE)
        printer.print_string(f" {ATOMIC_BIN_OPS[self.bin_op.value.data]} ")
        printer.print_operand(self.ptr)
        printer.print_string(", ")
        printer.print_operand(self.val)
        _print_syncscope(printer, self.syncscope)
        printer.print_string(f" {ATOMIC_ORDERING_KEYWORDS[self.ordering.value.data]}")
        _print_attributes_with_alignment(printer, self)
        printer.print_string(" : ")
        printer.print_list((self.ptr.type, self.val.type), printer.print_attribute)


@op_definition
class AtomicCmpXchgOp(IRDLOperation):
    name = "llvm.cmpxchg"

    T: ClassVar = VarConstraint("T", AnyAttr())

    ptr = operand_def(LLVMPointerType)
    cmp = operand_def(T)
    val = operand_def(T)
    res = result_def(LLVMStructType)
    success_ordering = prop_def(IntegerAttr[I64])
    failure_ordering = prop_def(IntegerAttr[I64])
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr[I64])
    weak = opt_prop_def(UnitAttr)
    volatile_ = opt_prop_def(UnitAttr)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicCmpXchgOp:
        properties = _parse_flags(parser, _WEAK_OR_VOLATILE)
        operands = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            operands.append(parser.parse_unresolved_operand())
        properties |= _parse_syncscope(parser)
        properties["success_ordering"] = _parse_ordering(parser)
        properties["failure_ordering"] = _parse_ordering(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        ptr_type = parser.parse_type()
        parser.parse_punctuation(",")
        val_type = parser.parse_type()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(
            operands=parser.resolve_operands(
                operands, (ptr_type, val_type, val_type), position
            ),
            result_types=[LLVMStructType.from_type_list((val_type, i1))],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_flags(printer, self, _WEAK_OR_VOLATILE)
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        _print_syncscope(printer, self.syncscope)
        for ordering in (self.success_ordering, self.failure_ordering):
            printer.print_string(f" {ATOMIC_ORDERING_KEYWORDS[ordering.value.data]}")
        _print_attributes_with_alignment(printer, self)
        printer.print_string(" : ")
        printer.print_list((self.ptr.type, self.val.type), printer.print_attribute)


def _print_attributes_with_alignment(printer: Printer, op: Operation) -> None:
    attributes = dict(op.attributes)
    if "alignment" in op.properties:
        attributes["alignment"] = op.properties["alignment"]
    printer.print_op_attributes(attributes)


class _Intrinsic(IRDLOperation, ABC):
    """The syntax every intrinsic shares."""

    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    irdl_options = (ParsePropInAttrDict(),)


class _FloatUnary(_Intrinsic, ABC):
    T: ClassVar = VarConstraint("T", AnyFloatOrVectorConstr)
    arg = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=FastMathAttr(None))
    traits = traits_def(Pure())


class _FloatBinary(_Intrinsic, ABC):
    T: ClassVar = VarConstraint("T", AnyFloatOrVectorConstr)
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=FastMathAttr(None))
    traits = traits_def(Pure())


class _IntUnary(IRDLOperation, ABC):
    """Those with flags have no syntax but the generic one."""

    T: ClassVar = VarConstraint("T", AnyIntOrVectorConstr)
    arg = operand_def(T)
    res = result_def(T)
    traits = traits_def(Pure())


class _IntBinary(_Intrinsic, ABC):
    T: ClassVar = VarConstraint("T", AnyIntOrVectorConstr)
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    traits = traits_def(Pure())


class _WithOverflow(IRDLOperation, ABC):
    """The result and whether it overflowed, in a struct."""

    T: ClassVar = VarConstraint("T", AnyIntOrVectorConstr)
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(LLVMStructType)
    traits = traits_def(Pure())


@op_definition
class RoundOp(_FloatUnary):
    name = "llvm.intr.round"


@op_definition
class RoundEvenOp(_FloatUnary):
    name = "llvm.intr.roundeven"


@op_definition
class FTruncOp(_FloatUnary):
    name = "llvm.intr.trunc"


@op_definition
class RintOp(_FloatUnary):
    name = "llvm.intr.rint"


@op_definition
class Log10Op(_FloatUnary):
    name = "llvm.intr.log10"


@op_definition
class MaximumOp(_FloatBinary):
    name = "llvm.intr.maximum"


@op_definition
class MinimumOp(_FloatBinary):
    name = "llvm.intr.minimum"


@op_definition
class PowIOp(_Intrinsic):
    name = "llvm.intr.powi"

    T: ClassVar = VarConstraint("T", AnyFloatOrVectorConstr)
    val = operand_def(T)
    power = operand_def(SignlessIntegerConstraint)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=FastMathAttr(None))
    traits = traits_def(Pure())


@op_definition
class PtrMaskOp(IRDLOperation):
    """A pointer whose address is cut by a mask; still a pointer into the same object."""

    name = "llvm.intr.ptrmask"

    T: ClassVar = VarConstraint("T", base(LLVMPointerType))
    ptr = operand_def(T)
    mask = operand_def(SignlessIntegerConstraint)
    res = result_def(T)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> PtrMaskOp:
        pointer = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        mask = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, FunctionType):
            parser.raise_error("expected a function type", position)
        operands = parser.resolve_operands((pointer, mask), type_.inputs.data, position)
        return cls.build(
            operands=operands, result_types=type_.outputs.data, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)


@op_definition
class SMaxOp(_IntBinary):
    name = "llvm.intr.smax"


@op_definition
class SMinOp(_IntBinary):
    name = "llvm.intr.smin"


@op_definition
class UMaxOp(_IntBinary):
    name = "llvm.intr.umax"


@op_definition
class UMinOp(_IntBinary):
    name = "llvm.intr.umin"


@op_definition
class SAddWithOverflowOp(_WithOverflow):
    name = "llvm.intr.sadd.with.overflow"


@op_definition
class UAddWithOverflowOp(_WithOverflow):
    name = "llvm.intr.uadd.with.overflow"


@op_definition
class AbsOp(_IntUnary):
    name = "llvm.intr.abs"
    is_int_min_poison = prop_def(IntegerAttr[I1])


@op_definition
class CountLeadingZerosOp(_IntUnary):
    name = "llvm.intr.ctlz"
    is_zero_poison = prop_def(IntegerAttr[I1])


@op_definition
class CountTrailingZerosOp(_IntUnary):
    name = "llvm.intr.cttz"
    is_zero_poison = prop_def(IntegerAttr[I1])


@op_definition
class CtPopOp(_IntUnary):
    name = "llvm.intr.ctpop"
    assembly_format = _Intrinsic.assembly_format


@op_definition
class IsFPClassOp(IRDLOperation):
    """Whether a float is of one of the classes of a bit mask (LLVM's FPClassTest)."""

    name = "llvm.intr.is.fpclass"

    arg = operand_def(AnyFloatOrVectorConstr)
    res = result_def(base(I1) | VectorType.constr(base(I1)))
    bit = prop_def(IntegerAttr)
    traits = traits_def(Pure())


class _MemoryTransfer(IRDLOperation, ABC):
    dst = operand_def(LLVMPointerType)
    src = operand_def(LLVMPointerType)
    len = operand_def(SignlessIntegerConstraint)
    isVolatile = prop_def(IntegerAttr[I1])
    arg_attrs = opt_prop_def(OF_ARGUMENTS)


@op_definition
class MemcpyOp(_MemoryTransfer):
    name = "llvm.intr.memcpy"


@op_definition
class MemmoveOp(_MemoryTransfer):
    name = "llvm.intr.memmove"


@op_definition
class MemsetOp(IRDLOperation):
    name = "llvm.intr.memset"

    dst = operand_def(LLVMPointerType)
    val = operand_def(IntegerType(8))
    len = operand_def(SignlessIntegerConstraint)
    isVolatile = prop_def(IntegerAttr[I1])
    arg_attrs = opt_prop_def(OF_ARGUMENTS)


@op_definition
class PrefetchOp(IRDLOperation):
    """`rw`: 0 read, 1 write. `hint`: locality 0 to 3. `cache`: 0 instructions, 1 data."""

    name = "llvm.intr.prefetch"

    addr = operand_def(LLVMPointerType)
    rw = prop_def(IntegerAttr)
    hint = prop_def(IntegerAttr)
    cache = prop_def(IntegerAttr)


@op_definition
class AssumeOp(IRDLOperation):
    """What the optimiser may rely on: a condition, and facts in operand bundles, such as
    `["align"(%ptr, %alignment : !llvm.ptr, i64)]`.
    """

    name = "llvm.intr.assume"

    cond = operand_def(base(I1))
    op_bundle_operands = var_operand_def()
    op_bundle_sizes = prop_def(
        DenseArrayBase.constr(i32), default_value=DenseArrayBase.from_list(i32, ())
    )
    op_bundle_tags = opt_prop_def(ArrayAttr[StringAttr])

    def __init__(
        self, cond: SSAValue, bundles: Sequence[tuple[str, Sequence[SSAValue]]] = ()
    ):
        super().__init__(
            operands=[cond, [value for _, values in bundles for value in values]],
            properties={
                "op_bundle_sizes": DenseArrayBase.from_list(
                    i32, [len(values) for _, values in bundles]
                ),
                "op_bundle_tags": ArrayAttr([StringAttr(tag) for tag, _ in bundles])
                if bundles
                else None,
            },
        )

    def bundles(self) -> list[tuple[str, tuple[SSAValue, ...]]]:
        """Each bundle's tag and operands."""
        result: list[tuple[str, tuple[SSAValue, ...]]] = []
        start = 1
        for tag, size in zip(
            self.op_bundle_tags or (), self.op_bundle_sizes.iter_values(), strict=False
        ):
            result.append((tag.data, tuple(self.operands[start : start + int(size)])))
            start += int(size)
        return result

    @classmethod
    def parse(cls, parser: Parser) -> AssumeOp:
        cond = parser.parse_unresolved_operand()

        def parse_bundle() -> tuple[str, Sequence[SSAValue]]:
            tag = parser.parse_str_literal()
            parser.parse_punctuation("(")
            position = parser.pos
            operands = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_unresolved_operand
            )
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
            parser.parse_punctuation(")")
            return tag, parser.resolve_operands(operands, types, position)

        bundles = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.SQUARE, parse_bundle
        )
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(cond, parser.parse_type()), bundles or ())
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        def print_bundle(bundle: tuple[str, Sequence[SSAValue]]) -> None:
            printer.print_string_literal(bundle[0])
            with printer.in_parens():
                printer.print_list(bundle[1], printer.print_operand)
                printer.print_string(" : ")
                printer.print_list([v.type for v in bundle[1]], printer.print_attribute)

        printer.print_string(" ")
        printer.print_operand(self.cond)
        if bundles := self.bundles():
            printer.print_string(" ")
            with printer.in_square_brackets():
                printer.print_list(bundles, print_bundle)
        printer.print_string(" : ")
        printer.print_attribute(self.cond.type)
        printer.print_op_attributes(self.attributes)


_ADDED = (
    *(
        GEPOp,
        PoisonOp,
        FreezeOp,
        SwitchOp,
        FCmpOp,
        ICmpOp,
        ConstantOp,
        FuncOp,
        GlobalOp,
        StoreOp,
        SelectOp,
        ExtractElementOp,
        AddrSpaceCastOp,
    ),
    *(FPToSIOp, FPToUIOp, UIToFPOp, AtomicRMWOp, AtomicCmpXchgOp),
    *(RoundOp, RoundEvenOp, FTruncOp, RintOp, Log10Op, MaximumOp, MinimumOp, PowIOp),
    *(SMaxOp, SMinOp, UMaxOp, UMinOp, SAddWithOverflowOp, UAddWithOverflowOp),
    *(AbsOp, CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp, IsFPClassOp),
    *(MemcpyOp, MemmoveOp, MemsetOp, PrefetchOp, AssumeOp, PtrMaskOp),
)
_OURS = (*_ADDED, *ops_with_properties(XDSL_LLVM.operations, refined=_ADDED))
_REPLACED = {op.name for op in _OURS}

LLVM = Dialect(
    "llvm",
    [*(op for op in XDSL_LLVM.operations if op.name not in _REPLACED), *_OURS],
    [*XDSL_LLVM.attributes, *ADDED_ATTRIBUTES],
)

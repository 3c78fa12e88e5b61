"""Verification of ops against their definitions, by plans.

xDSL 0.75 asks the definition again for each op: which fields are variadic, which option
states their sizes, which accessor reads them. This is most of what verification takes,
and the answers are the same for all ops of a class. A plan has them: it is made when the
first op of a class is verified, and checks the numbers of operands, results, regions and
successors, the constraints and the traits, nothing else.

A plan only ever accepts. An op that it does not accept is verified as xDSL does it, so
that what is wrong, and what the message says, is decided by xDSL alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, OpTrait, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSuccessorSegments,
    EqIntConstraint,
    OpDef,
    OptionalDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VariadicDef,
    VerificationContext,
)
from xdsl.irdl.operations import (
    AttrSizedSegments,
    BaseAccessor,
    BaseAttrAccessor,
    OptSingleBlockRegionDef,
    SingleBlockRegionDef,
    VarSingleBlockRegionDef,
)
from xdsl.utils.exceptions import VerifyException

Plan: TypeAlias = Callable[[Operation], bool]
"""Whether an op is known to be right; raises VerifyException or returns False if not."""

Bounds: TypeAlias = tuple[tuple[int, int], ...]
"""Where the part of each field begins and ends among the operands, results, ..."""

_Segments: TypeAlias = Callable[[Operation, int], Bounds | None]
_ValueCheck: TypeAlias = Callable[
    [Operation, Sequence[SSAValue], VerificationContext], bool
]
_AttributeCheck: TypeAlias = Callable[[Attribute, VerificationContext], None]
_RangeCheck: TypeAlias = Callable[[Sequence[Attribute], VerificationContext], None]

_PLANS = "_verification_plans"
_SIZES_LIMIT = 1_000


def verify_by_plans(
    verify: Callable[[OpDef, Operation], None],
) -> Callable[[OpDef, Operation], None]:
    """Return `OpDef.verify` that follows plans first."""

    @wraps(verify)
    def verify_planned(self: OpDef, op: Operation) -> None:
        plans: dict[type[Operation], Plan] = self.__dict__.setdefault(_PLANS, {})
        plan = plans.get(type(op))
        if plan is None:
            plan = plans[type(op)] = make_plan(self, type(op))
        try:
            if plan(op):
                return
        except VerifyException:
            pass
        verify(self, op)

    return verify_planned


def make_plan(definition: OpDef, cls: type[Operation]) -> Plan:
    """Return the plan for the ops of a class, which `definition` defines in part."""
    if not _has_own_accessors(definition, cls):
        return lambda op: False
    operands = _value_check(
        definition.operands, _option(definition, AttrSizedOperandSegments)
    )
    results = _value_check(
        definition.results, _option(definition, AttrSizedResultSegments)
    )
    regions = _region_check(definition)
    segments_of_successors = _segments(
        definition.successors, _option(definition, AttrSizedSuccessorSegments)
    )
    properties = _entries_of(definition.properties)
    attributes = _entries_of(definition.attributes)
    traits = _trait_check(definition)

    def accepts(op: Operation) -> bool:
        context = VerificationContext()
        if not (
            operands(op, op._operands, context)  # pyright: ignore[reportPrivateUsage]
            and results(op, op.results, context)
            and regions(op, op.regions, context)
        ):
            return False
        successors = len(op._successors)  # pyright: ignore[reportPrivateUsage]
        if segments_of_successors(op, successors) is None:
            return False
        if _verified(properties, op.properties, context) != len(op.properties):
            return False
        if attributes and _verified(attributes, op.attributes, context) < 0:
            return False
        traits(op)
        return True

    return accepts


def _has_own_accessors(definition: OpDef, cls: type[Operation]) -> bool:
    """Whether each field is read by the accessor that xDSL makes for it, and so is where
    the definition says."""
    fields = (*definition.operands, *definition.results, *definition.regions)
    return all(
        isinstance(_class_attribute(cls, name), BaseAccessor | BaseAttrAccessor)
        for name, _ in fields
    )


def _class_attribute(cls: type[Operation], name: str) -> Any:
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _option(definition: OpDef, kind: type[AttrSizedSegments]) -> AttrSizedSegments | None:
    return next((o for o in definition.options if isinstance(o, kind)), None)


def _segments(
    defs: Sequence[tuple[str, Any]], option: AttrSizedSegments | None
) -> _Segments:
    """Return the function that divides a number of values among the fields, or returns
    None if they cannot be. What it has computed it remembers."""
    if option is not None:
        return _stated_segments(defs, option)
    by_count: dict[int, Bounds | None] = {}

    def equal_segments(op: Operation, count: int) -> Bounds | None:
        try:
            return by_count[count]
        except KeyError:
            if len(by_count) >= _SIZES_LIMIT:
                by_count.clear()
            bounds = by_count[count] = _bounds(defs, _equal_sizes(defs, count), count)
            return bounds

    return equal_segments


def _stated_segments(
    defs: Sequence[tuple[str, Any]], option: AttrSizedSegments
) -> _Segments:
    by_data: dict[tuple[bytes, int], Bounds | None] = {}
    name = option.attribute_name

    def stated_segments(op: Operation, count: int) -> Bounds | None:
        stated = option.container(op).get(name)
        if not isinstance(stated, DenseArrayBase) or stated.elt_type != i32:  # pyright: ignore[reportUnknownMemberType]
            return None
        key = stated.data.data, count
        try:
            return by_data[key]
        except KeyError:
            if len(by_data) >= _SIZES_LIMIT:
                by_data.clear()
            sizes: tuple[int, ...] = stated.get_values()
            bounds = by_data[key] = _bounds(defs, sizes, count)
            return bounds

    return stated_segments


def _equal_sizes(defs: Sequence[tuple[str, Any]], count: int) -> Sequence[int]:
    """The variadic fields share evenly what the others leave."""
    variadic = [isinstance(field, VariadicDef) for _, field in defs]
    of_variadic = sum(variadic)
    size, rest = divmod(count - (len(defs) - of_variadic), of_variadic or 1)
    return () if rest else [size if varies else 1 for varies in variadic]


def _bounds(
    defs: Sequence[tuple[str, Any]], sizes: Sequence[int], count: int
) -> Bounds | None:
    if len(sizes) != len(defs) or sum(sizes) != count:
        return None
    bounds: list[tuple[int, int]] = []
    start = 0
    for (_, field), size in zip(defs, sizes, strict=True):
        if size < 0 or not (size == 1 or isinstance(field, VariadicDef)):
            return None
        if size > 1 and isinstance(field, OptionalDef):
            return None
        bounds.append((start, start + size))
        start += size
    return tuple(bounds)


def _value_check(
    defs: Sequence[tuple[str, Any]], option: AttrSizedSegments | None
) -> _ValueCheck:
    """Return the check of an op's operands or results."""
    ones = [_constraint_of_one(field.constr) for _, field in defs]
    if option is None and all(one is not None for one in ones):
        return _fixed_value_check([one for one in ones if one is not None])
    segments = _segments(defs, option)
    checks = [
        (i, check)
        for i, (_, field) in enumerate(defs)
        if (check := _range_check(field.constr)) is not None
    ]

    def check_values(
        op: Operation, values: Sequence[SSAValue], context: VerificationContext
    ) -> bool:
        bounds = segments(op, len(values))
        if bounds is None:
            return False
        for i, check in checks:
            start, end = bounds[i]
            check(tuple(value.type for value in values[start:end]), context)
        return True

    return check_values


def _fixed_value_check(constraints: Sequence[AttrConstraint]) -> _ValueCheck:
    """Return the check of one value for each field."""
    number = len(constraints)
    checks = [
        (i, constraint.verify)
        for i, constraint in enumerate(constraints)
        if not _is_met_by_all(constraint)
    ]

    def check_values(
        op: Operation, values: Sequence[SSAValue], context: VerificationContext
    ) -> bool:
        if len(values) != number:
            return False
        for i, verify in checks:
            verify(values[i].type, context)
        return True

    return check_values


def _constraint_of_one(constraint: RangeConstraint) -> AttrConstraint | None:
    """Return what a range of one element that is constrained must meet; None if the
    constraint is of another form."""
    if (
        type(constraint) is RangeLengthConstraint
        and constraint.length == EqIntConstraint(1)
        and type(constraint.constraint) is RangeOf
    ):
        return constraint.constraint.constr
    return None


def _is_met_by_all(constraint: AttrConstraint) -> bool:
    return type(constraint) is AnyAttr


def _range_check(constraint: RangeConstraint) -> _RangeCheck | None:
    """Return the check of the types of a field; None if all are right."""
    if type(constraint) is RangeOf and _is_met_by_all(constraint.constr):
        return None
    return constraint.verify


def _region_check(definition: OpDef) -> Callable[..., bool]:
    """Return the check of an op's regions: how many, of how many blocks, and what the
    arguments of their first blocks are."""
    option = _option(definition, AttrSizedRegionSegments)
    segments = _segments(definition.regions, option)
    checks = [
        (i, isinstance(field, _SINGLE_BLOCK), _range_check(field.entry_args))
        for i, (_, field) in enumerate(definition.regions)
    ]

    def check_regions(
        op: Operation, regions: Sequence[Region], context: VerificationContext
    ) -> bool:
        bounds = segments(op, len(regions))
        if bounds is None:
            return False
        for i, single, check in checks:
            start, end = bounds[i]
            for region in regions[start:end]:
                first = region.first_block
                if single and (first is None or first is not region.last_block):
                    return False
                if check is not None and first is not None:
                    check(first.arg_types, context)
        return True

    return check_regions


_Entries: TypeAlias = Sequence[tuple[str, "_AttributeCheck | None", bool]]
"""Name, check and whether it may be absent, of each property or attribute."""


def _entries_of(defs: Mapping[str, Any]) -> _Entries:
    return [
        (
            name,
            None if _is_met_by_all(field.constr) else field.constr.verify,
            isinstance(field, OptionalDef),
        )
        for name, field in defs.items()
    ]


def _verified(
    entries: _Entries, present: Mapping[str, Attribute], context: VerificationContext
) -> int:
    """Return how many of the entries are present, or -1 if one is missing."""
    found = 0
    for name, check, optional in entries:
        attribute = present.get(name)
        if attribute is not None:
            found += 1
            if check is not None:
                check(attribute, context)
        elif not optional:
            return -1
    return found


def _trait_check(definition: OpDef) -> Callable[[Operation], None]:
    """Return the check of the traits that check anything."""
    checked: frozenset[OpTrait] | None = None
    checks: list[Callable[[Operation], None]] = []

    def check_traits(op: Operation) -> None:
        nonlocal checked, checks
        traits = definition.traits.traits
        if traits is not checked:  # one was added
            checked, checks = traits, [t.verify for t in traits if _checks(t)]
        for check in checks:
            check(op)

    return check_traits


def _checks(trait: OpTrait) -> bool:
    return getattr(type(trait), "verify", None) is not OpTrait.verify


_SINGLE_BLOCK = (
    SingleBlockRegionDef,
    VarSingleBlockRegionDef,
    OptSingleBlockRegionDef,
)

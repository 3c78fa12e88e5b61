"""Run-time requirements of ops, which cannot be verified statically.

A load of `memref<?xf32>` requires an index below a size that is known only at run time.
A model states such *requirements* as relations between *terms*: numbers, values, sizes
of buffers and affine expressions of these. `generate-runtime-verification` proves them
or turns them into checks.

    class LoadModel:
        def get_runtime_requirements(self, op):
            buffer, *indices = op.operands
            return [
                InBounds(index, SizeOf(buffer, i), "out-of-bounds access")
                for i, index in enumerate(indices)
            ]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from xdsl_bufferization.dialects.constants import read_integer
from xdsl_bufferization.interfaces.table import InterfaceTable


@dataclass(frozen=True)
class SizeOf:
    """The size of a dimension of a memref."""

    buffer: SSAValue
    dimension: int


@dataclass(frozen=True)
class RankOf:
    """The rank of an unranked memref."""

    buffer: SSAValue


@dataclass(frozen=True)
class StrideOf:
    """The stride of a dimension of a memref, in elements. An unranked memref must have
    been required to have `rank` before."""

    buffer: SSAValue
    dimension: int
    rank: int


@dataclass(frozen=True)
class OffsetOf:
    """The offset of a memref, in elements. An unranked memref must have been required to
    have `rank` before."""

    buffer: SSAValue
    rank: int


@dataclass(frozen=True)
class ElementOf:
    """An element of a one-dimensional memref of integers."""

    buffer: SSAValue
    index: int


@dataclass(frozen=True)
class Affine:
    """An affine expression of terms, its dimensions."""

    expression: AffineExpr
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Product:
    """The product of two terms."""

    left: Term
    right: Term


@dataclass(frozen=True)
class SelectedOf:
    """How many lanes a mask of one dimension selects."""

    mask: SSAValue


_Question: TypeAlias = SizeOf | RankOf | StrideOf | OffsetOf | ElementOf | SelectedOf
Term: TypeAlias = "int | SSAValue | _Question | Affine | Product"


@dataclass(frozen=True)
class Equal:
    """Both terms are the same number.

    Attributes:
        unless_at_most: terms with numbers; the requirement is void if a term, which is
            not negative, is at most its number.
    """

    left: Term
    right: Term
    reason: str
    unless_at_most: tuple[tuple[Term, int], ...] = ()


@dataclass(frozen=True)
class InBounds:
    """The index is at least zero and less than the size, which is not negative.

    Attributes:
        unless_empty: numbers of which any that is zero makes the requirement void.
        unless_none: pairs of a lower and an upper bound, of which any that no index lies
            between makes it void, too.
    """

    index: Term
    size: Term
    reason: str
    unless_empty: tuple[Term, ...] = ()
    unless_none: tuple[tuple[Term, Term], ...] = ()


@dataclass(frozen=True)
class AtMost:
    """The number is at least zero and at most the limit, which is not negative."""

    number: Term
    limit: Term
    reason: str


@dataclass(frozen=True)
class AtLeast:
    """The number is at least another one."""

    number: Term
    least: int
    reason: str


@dataclass(frozen=True)
class EndsInType:
    """A loop leaves its range before its induction variable exceeds the greatest number
    of its type: it would go on with the least one. The step is positive.

    Attributes:
        signed: whether the numbers are.
        type: that of the induction variable.
        unless_none: the bounds of the loops around it, of signed numbers: it is not
            reached if one of them has no iteration.
    """

    lower: Term
    upper: Term
    step: Term
    signed: bool
    type: IntegerType | IndexType
    reason: str
    unless_none: tuple[tuple[Term, Term], ...] = ()

    @property
    def greatest(self) -> int:
        """The greatest number of the type."""
        all_bits = read_integer(-1, self.type, unsigned=True)
        return all_bits >> 1 if self.signed else all_bits


@dataclass(frozen=True)
class Allocatable:
    """The number is a size of a new buffer: at least zero, and at most the limit unless
    it is made of sizes that buffers have already."""

    number: Term
    limit: int
    reason: str


@dataclass(frozen=True)
class ProductAtMost:
    """The product of the numbers, none of which is negative, is at most the limit, also
    where it does not fit into an index: it is computed as a float."""

    numbers: tuple[Term, ...]
    limit: int
    reason: str


@dataclass(frozen=True)
class LanesInBounds:
    """For each lane of a vector that a mask selects, the index plus the lane's offset is
    at least zero and less than the size, which is not negative.

    Attributes:
        offsets: a vector of indices or integers of the mask's shape, or one number for
            each lane, in row-major order.
        mask: a vector of i1.
        size: None if only negative indices are wrong.
    """

    index: SSAValue
    offsets: SSAValue | tuple[int, ...]
    mask: SSAValue
    size: Term | None
    reason: str


@dataclass(frozen=True)
class InsideSpan:
    """All elements of a view lie between the first and the last element in memory of a
    buffer, whose aligned pointer it shares. No size of the view is negative. It may have
    no element; if it has one, the buffer must have one.

    Attributes:
        rank: the rank of the buffer; an unranked one must have been required to have it.
    """

    offset: Term
    sizes: tuple[Term, ...]
    strides: tuple[Term, ...]
    buffer: SSAValue
    rank: int
    reason: str


Requirement: TypeAlias = (
    Equal
    | InBounds
    | AtMost
    | AtLeast
    | EndsInType
    | Allocatable
    | ProductAtMost
    | LanesInBounds
    | InsideSpan
)


@runtime_checkable
class RuntimeVerifiableOpInterface(Protocol):
    """States what must hold when an op is executed."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        """The requirements, in the order in which they are to be checked: one may assume
        those before it."""
        ...


RUNTIME_VERIFIABLE = InterfaceTable(RuntimeVerifiableOpInterface)

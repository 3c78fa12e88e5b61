"""Ops whose regions bufferization only passes through, and threads that insert twice.

The body of each computes a number, which is its result, as it may not yield tensors.
"""

from __future__ import annotations

from abc import abstractmethod

from tests.random_programs.operations import Operations
from tests.random_programs.scope import (
    ELEMENT,
    Helper,
    Scope,
    Shape,
    Tensor,
)

REPEATED = "user.repeat"
"""An op that nobody has registered. It runs its region twice."""


class Regions(Operations):
    """Ops with regions that are not of scf, and scf.forall with two insertions."""

    helpers: list[Helper]
    """The functions that may be called."""

    @abstractmethod
    def body(self, scope: Scope, ops: int) -> None:
        """Fill a block with about so many ops."""

    @abstractmethod
    def yielded(self, scope: Scope, shape: Shape, rather: Tensor | None) -> Tensor:
        """What a region yields: something of this type, preferably made of `rather`."""

    def _number(self, scope: Scope) -> str:
        """What a body computes: a number that depends on tensors."""
        self.body(scope, self.random.randint(1, 4))
        self.extract(scope)
        return scope.scalars[-1] if scope.scalars else self.scalar(scope)

    def _result(self, scope: Scope) -> str:
        name = self.writer.fresh("s")
        scope.scalars.append(name)
        return name

    def alloca_scope(self, scope: Scope) -> bool:
        writer, inner = self.writer, scope.inner()
        writer.line(f"{self._result(scope)} = memref.alloca_scope -> ({ELEMENT}) {{")
        with writer.indented():
            number = self._number(inner)
            writer.line(f"memref.alloca_scope.return {number} : {ELEMENT}")
        writer.line("}")
        return True

    def repeated(self, scope: Scope) -> bool:
        """An op of which nothing is known."""
        writer, inner = self.writer, scope.inner()
        writer.line(f'{self._result(scope)} = "{REPEATED}"() ({{')
        with writer.indented():
            # xDSL finds no symbols from within an op that is not registered.
            helpers, self.helpers = self.helpers, []
            number = self._number(inner)
            self.helpers = helpers
            writer.line(f'"user.end"({number}) : ({ELEMENT}) -> ()')
        writer.line(f"}}) : () -> {ELEMENT}")
        return True

    def affine_for(self, scope: Scope) -> bool:
        writer, inner = self.writer, scope.inner()
        start, trips = self.scalar(scope), self.random.randint(0, 3)
        counter, sum_ = writer.fresh("i"), writer.fresh("s")
        inner.add_index(counter, 0, max(0, trips - 1))
        inner.scalars.append(sum_)
        writer.line(
            f"{self._result(scope)} = affine.for {counter} = 0 to {trips} "
            f"iter_args({sum_} = {start}) -> ({ELEMENT}) {{"
        )
        with writer.indented():
            writer.line(f"affine.yield {self._number(inner)} : {ELEMENT}")
        writer.line("}")
        return True

    def affine_if(self, scope: Scope) -> bool:
        writer = self.writer
        index, limit = self.index_value(scope, 0, 3), self.random.randint(0, 3)
        writer.line(
            f"{self._result(scope)} = affine.if "
            f"affine_set<(d0): (d0 - {limit} >= 0)>({index}) -> {ELEMENT} {{"
        )
        result = scope.scalars.pop()
        for start in ("", "} else {"):
            if start:
                writer.line(start)
            with writer.indented():
                writer.line(f"affine.yield {self._number(scope.inner())} : {ELEMENT}")
        writer.line("}")
        scope.scalars.append(result)
        return True

    def affine_parallel(self, scope: Scope) -> bool:
        """Iterations of which only what they leave in memory is seen: nothing, if they
        are bufferized rightly."""
        writer, inner = self.writer, scope.inner()
        trips = self.random.randint(1, 3)
        counter = writer.fresh("i")
        inner.add_index(counter, 0, trips - 1)
        writer.line(f"affine.parallel ({counter}) = (0) to ({trips}) {{")
        with writer.indented():
            self._number(inner)
        writer.line("}")
        return True

    def begin_threads(
        self, scope: Scope, output: Tensor, count: str, threads: int
    ) -> tuple[Scope, str, Tensor, Tensor]:
        """Begin an scf.forall that shares a tensor. Return what its body sees: the scope,
        the number of the thread and the tensor; and the result."""
        writer, shape = self.writer, output.shape
        inner = scope.inner()
        inner.in_threads = True
        thread, shared = writer.fresh("i"), Tensor(writer.fresh(), shape)
        inner.add_index(thread, 0, threads - 1)
        output.overwritten += 1
        result = Tensor(writer.fresh(), shape)
        writer.line(
            f"{result.name} = scf.forall ({thread}) in ({count}) "
            f"shared_outs({shared.name} = {output.name}) -> ({shape.type}) {{"
        )
        return inner, thread, shared, result

    def forall_twice(self, scope: Scope) -> bool:
        """Threads that each replace two rows, or parts of a row, which are apart."""
        output = self.tensor(scope, lambda t: t.shape.rank == 2 and t.shape.sizes[0] > 1)
        if output is None:
            return False
        writer, shape = self.writer, output.shape
        rows, columns = shape.sizes
        half = rows // 2
        distance = self.index_value(scope, half, half)
        count = self.index_value(scope, half, half)
        inner, thread, shared, result = self.begin_threads(scope, output, count, half)
        with writer.indented():
            other = writer.fresh("i")
            writer.line(f"{other} = arith.addi {thread}, {distance} : index")
            row = Shape((columns,), (True,))
            places = [
                f"{shared.name}[{first}, 0] [1, {columns}] [1, 1]"
                for first in self.order([thread, other])
            ]
            own: list[Tensor | None] = []
            for place in places:
                own.append(self.result(inner, row) if self.chance(60) else None)
                if own[-1] is not None:
                    writer.line(
                        f"{own[-1].name} = tensor.extract_slice {place} : {shape.type} "
                        f"to {row.type}"
                    )
            if self.chance(40):
                inner.tensors.append(shared)
            self.body(inner, self.random.randint(1, 4))
            sources = [self.yielded(inner, row, rather) for rather in own]
            writer.line("scf.forall.in_parallel {")
            with writer.indented():
                for source, place in zip(sources, places, strict=True):
                    writer.line(
                        f"tensor.parallel_insert_slice {source.name} into {place} : "
                        f"{source.type} into {shape.type}"
                    )
            writer.line("}")
        writer.line("}")
        scope.tensors.append(result)
        return True

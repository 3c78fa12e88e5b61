"""Ops with regions, branches and calls.

A region is filled by `body`, which goes on until its share of ops is used up. Loops run
at most three times, and counters bound what could go on forever.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.random_programs.counted_loops import MAX_TRIPS, CountedLoops
from tests.random_programs.operations import Action
from tests.random_programs.scope import (
    ELEMENT,
    Helper,
    Parameter,
    Scope,
    Shape,
    Tensor,
)

MAX_CARRIED = 6
"""Tensors that a loop carries."""


class ControlFlow(CountedLoops):
    """Structured and unstructured control flow."""

    budget: int
    """How many ops may still be written."""

    def body(self, scope: Scope, ops: int) -> None:
        """Fill a block with about so many ops."""
        for _ in range(max(1, ops)):
            if self.budget <= 0:
                return
            self.budget -= 1
            actions = self.operations()
            if scope.depth < self.profile.depth:
                actions += self._with_regions()
            if self.helpers:
                actions.append((6, self.call))
            if scope.in_blocks and self.profile.blocks:
                actions.append((14, self.branch))
            action = self.weighted(actions)
            action(scope)

    def _with_regions(self) -> list[tuple[int, Action]]:
        actions: list[tuple[int, Action]] = [
            (10, self.for_),
            (10, self.if_),
            (4, self.while_),
            (2, self.execute_region),
            (5, self.forall),
        ]
        if not self.profile.like_mlir:
            actions += [(3, self.index_switch), (3, self.parallel)]
            actions += [(2, self.alloca_scope), (3, self.forall_twice)]
        if self.profile.foreign:
            actions += [(6, self.affine_for), (6, self.affine_if), (6, self.repeated)]
            actions += [(4, self.affine_parallel), (4, self.alloca_scope)]
        return actions

    def region(self, scope: Scope, *, in_blocks: bool = False) -> Scope:
        inner = scope.inner()
        inner.in_blocks = in_blocks
        self.body(inner, self.random.randint(1, 4))
        return inner

    def yielded(self, scope: Scope, shape: Shape, rather: Tensor | None) -> Tensor:
        """What a region yields: something of this type, preferably made of `rather`."""
        if rather is not None and rather.defined and shape.rank and self.chance(10):
            return self.cast_to(scope, self.computed_in_window(scope, rather), shape)
        found = self._found_to_yield(scope, shape, rather)
        if self.profile.observe and shape.rank > 0 and self.chance(60):
            return self._observed(scope, found)
        return found

    def _observed(self, scope: Scope, tensor: Tensor) -> Tensor:
        """A tensor with an element of one that was overwritten meanwhile."""
        source = self.tensor(scope, lambda t: t.shape.rank > 0 and t.overwritten > 0)
        if source is None:
            return tensor
        element = self.writer.fresh("s")
        place = self._place(scope, source)
        self.writer.line(
            f"{element} = tensor.extract {source.name}[{place}] : {source.type}"
        )
        place = self._place(scope, tensor)
        result = self.result(scope, tensor.shape)
        tensor.overwritten += 1
        self.writer.line(
            f"{result.name} = tensor.insert {element} into {tensor.name}[{place}] : "
            f"{tensor.type}"
        )
        return result

    def _found_to_yield(
        self, scope: Scope, shape: Shape, rather: Tensor | None
    ) -> Tensor:
        if rather is not None and self.chance(50):
            newest = [t for t in scope.tensors if t.defined and t.shape == shape]
            if newest and self.chance(80):
                return newest[-1]
            if rather.defined and rather.shape == shape:
                return rather
        return self.tensor_like(scope, shape)

    # scf

    def for_(self, scope: Scope) -> bool:
        writer = self.writer
        loop = self.counted_loop(scope)
        inits = self._inits(scope)
        inner = scope.inner()
        args = [self._argument(inner, init) for init in inits]
        types = ", ".join(init.type for init in inits)
        names = ", ".join(
            f"{arg.name} = {init.name}" for arg, init in zip(args, inits, strict=True)
        )
        results = [
            Tensor(writer.fresh(), init.shape, init.defined or loop.trips > 0)
            for init in inits
        ]
        carried = f" iter_args({names}) -> ({types})" if inits else ""
        writer.line(f"{_assigned(results)}{loop.head}{carried}{loop.type_suffix} {{")
        with writer.indented():
            self.use_counter(inner, loop)
            self.body(inner, self.random.randint(1, 4))
            if self.profile.like_mlir and len(args) > 1:
                ends = [self._made_of(inner, arg) for arg in args]
            else:
                ends = [self.yielded(inner, a.shape, a) for a in self._mixed(args)]
                ends = self._repeated_ends(ends)
            self._yield(ends)
        writer.line("}")
        for result, end in zip(results, ends, strict=True):
            # Made of an argument that is not defined, as it may be.
            result.defined = result.defined and (end.defined or not loop.trips)
        scope.tensors += results
        return True

    def _mixed(self, args: Sequence[Tensor]) -> Sequence[Tensor]:
        """The arguments of a loop in the order in which they are yielded: those of a type
        may be rotated, or swapped."""
        mixed = list(args)
        for shape in {arg.shape: None for arg in args}:
            places = [n for n, arg in enumerate(args) if arg.shape == shape]
            if len(places) < 2 or not self.chance(30):
                continue
            if self.profile.like_mlir and len(places) > 2:
                continue
            rotation = self.random.randint(1, len(places) - 1)
            order = places[rotation:] + places[:rotation]
            if self.chance(30):
                order = self.order(places)
            for place, other in zip(places, order, strict=True):
                mixed[place] = args[other]
        return mixed

    def _repeated_ends(self, ends: Sequence[Tensor]) -> list[Tensor]:
        """What a loop yields, of each type at times the first one everywhere."""
        repeated = list(ends)
        for number, end in enumerate(ends):
            first = next(other for other in ends if other.shape == end.shape)
            if first is not end and self.chance(10):
                repeated[number] = first
        return repeated

    def _inits(self, scope: Scope) -> list[Tensor]:
        """What a loop carries: most often one tensor, at times many of one type."""
        found: list[Tensor] = []
        kinds = [(1, 0), (5, 1), (2, 2)]
        if not self.profile.like_mlir:
            kinds.append((2, self.random.randint(2, MAX_CARRIED)))
        count = self.weighted(kinds)
        alike = count > 2 or self.chance(30)
        for _ in range(count):
            init = self.tensor(
                scope,
                lambda t: not (alike and found) or t.shape == found[0].shape,
                defined=self.chance(90),
            )
            if init is not None:
                init.overwritten += 1
                found.append(init)
        if found and found[0].shape.rank and self.chance(20):
            self.make_room(scope, found[0])
        return found

    def _argument(self, inner: Scope, init: Tensor) -> Tensor:
        return self.result(inner, init.shape, init.defined)

    def _yield(self, tensors: Sequence[Tensor], op: str = "scf.yield") -> None:
        if not tensors:
            self.writer.line(op)
            return
        names = ", ".join(t.name for t in tensors)
        self.writer.line(f"{op} {names} : {', '.join(t.type for t in tensors)}")

    def _result_shapes(self, scope: Scope) -> list[Shape]:
        """Shapes for the results of a conditional, of tensors at hand."""
        count = self.weighted([(1, 0), (6, 1), (2, 2)])
        found = [self.tensor(scope) for _ in range(count)]
        return [t.shape for t in found if t is not None]

    def if_(self, scope: Scope) -> bool:
        writer = self.writer
        shapes = self._result_shapes(scope)
        condition = self.condition(scope)
        results = [Tensor(writer.fresh(), shape) for shape in shapes]
        types = f" -> ({', '.join(s.type for s in shapes)})" if shapes else ""
        writer.line(f"{_assigned(results)}scf.if {condition}{types} {{")
        self._alternative(scope, shapes)
        if shapes or self.chance(50):
            writer.line("} else {")
            self._alternative(scope, shapes)
        writer.line("}")
        scope.tensors += results
        return True

    def _alternative(self, scope: Scope, shapes: Sequence[Shape]) -> None:
        with self.writer.indented():
            inner = scope.inner()
            if self.chance(80):
                self.body(inner, self.random.randint(1, 3))
            self._yield([self.yielded(inner, shape, None) for shape in shapes])

    def index_switch(self, scope: Scope) -> bool:
        writer = self.writer
        shapes = self._result_shapes(scope)
        which = self.index_value(scope, 0, 2)
        results = [Tensor(writer.fresh(), shape) for shape in shapes]
        types = f" -> {', '.join(s.type for s in shapes)}" if shapes else ""
        writer.line(f"{_assigned(results)}scf.index_switch {which}{types}")
        for case in range(self.random.randint(1, 2)):
            writer.line(f"case {case} {{")
            self._alternative(scope, shapes)
            writer.line("}")
        writer.line("default {")
        self._alternative(scope, shapes)
        writer.line("}")
        scope.tensors += results
        return True

    def execute_region(self, scope: Scope) -> bool:
        writer = self.writer
        shapes = self._result_shapes(scope)
        results = [Tensor(writer.fresh(), shape) for shape in shapes]
        types = f" -> ({', '.join(s.type for s in shapes)})" if shapes else ""
        writer.line(f"{_assigned(results)}scf.execute_region{types} {{")
        with writer.indented():
            inner = scope.inner()
            inner.in_blocks = not self.profile.like_mlir and self.chance(50)
            self.body(inner, self.random.randint(1, 4))
            self._yield([self.yielded(inner, shape, None) for shape in shapes])
        writer.line("}")
        scope.tensors += results
        return True

    def while_(self, scope: Scope) -> bool:
        writer = self.writer
        trips = self.random.randint(0, MAX_TRIPS)
        start, limit = self.constant(scope, 0), self.index_value(scope, trips, trips)
        inits = [t for t in self._inits(scope) if t.defined]
        types = ", ".join(["index", *(t.type for t in inits)])
        before = scope.inner()
        counter = writer.fresh("i")
        before.add_index(counter, 0, trips)
        args = [self._argument(before, init) for init in inits]
        names = ", ".join(
            f"{arg.name} = {init.name}" for arg, init in zip(args, inits, strict=True)
        )
        last = writer.fresh("i")
        results = [Tensor(writer.fresh(), init.shape) for init in inits]
        listed = ", ".join([last, *(r.name for r in results)])
        comma = ", " if inits else ""
        writer.line(
            f"{listed} = scf.while ({counter} = {start}{comma}{names}) : ({types}) -> "
            f"({types}) {{"
        )
        with writer.indented():
            if self.chance(50):
                self.body(before, self.random.randint(1, 2))
            passed = [self.yielded(before, arg.shape, arg) for arg in self._mixed(args)]
            again = writer.fresh("b")
            writer.line(f"{again} = arith.cmpi ult, {counter}, {limit} : index")
            values = ", ".join([counter, *(t.name for t in passed)])
            writer.line(f"scf.condition({again}) {values} : {types}")
        writer.line("} do {")
        with writer.indented():
            after = scope.inner()
            counter = writer.fresh("i")
            after.add_index(counter, 0, max(0, trips - 1))
            args = [self._argument(after, init) for init in inits]
            for arg in args:
                arg.defined = True
            arguments = [f"{arg.name}: {arg.type}" for arg in args]
            writer.block("^bb0", [f"{counter}: index", *arguments])
            self.body(after, self.random.randint(1, 3))
            if self.profile.like_mlir:
                ends = [self._made_of(after, arg) for arg in args]
            else:
                ends = [self.yielded(after, a.shape, a) for a in self._mixed(args)]
            following = self._next(after, counter)
            values = ", ".join([following, *(t.name for t in ends)])
            writer.line(f"scf.yield {values} : {types}")
        writer.line("}")
        scope.tensors += results
        scope.add_index(last, trips, trips)
        return True

    def _made_of(self, scope: Scope, tensor: Tensor) -> Tensor:
        """The tensor, updated perhaps, or a new one: nothing that is seen elsewhere."""
        if self.chance(25):
            empty = self.empty_tensor(scope, tensor.shape)
            return self._fill_tensor(scope, empty)
        return self._fill_tensor(scope, tensor) if self.chance(50) else tensor

    def _next(self, scope: Scope, counter: str) -> str:
        one = self.constant(scope, 1)
        name = self.writer.fresh("i")
        self.writer.line(f"{name} = arith.addi {counter}, {one} : index")
        return name

    def forall(self, scope: Scope) -> bool:
        """Threads that each replace a row."""
        output = self.tensor(scope, lambda t: t.shape.rank == 2)
        if output is None:
            return False
        writer, shape = self.writer, output.shape
        rows, columns = shape.sizes
        count = self.index_value(scope, rows, rows)
        inner, thread, shared, result = self.begin_threads(scope, output, count, rows)
        with writer.indented():
            row = Shape((columns,), (self.chance(70),))
            width = str(columns)
            if not row.known[0]:
                (width,) = self.size_values(inner, row)
            place = f"{shared.name}[{thread}, 0] [1, {width}] [1, 1]"
            own = None
            if self.chance(75):
                own = self.result(inner, row)
                writer.line(
                    f"{own.name} = tensor.extract_slice {place} : {shape.type} to "
                    f"{row.type}"
                )
                if self.profile.like_mlir:
                    inner.tensors.remove(own)
                    own = self._double(inner, own)
            if not self.profile.like_mlir and self.chance(50):
                inner.tensors.append(shared)
            if not self.profile.like_mlir or own is None:
                self.body(inner, self.random.randint(1, 4))
                own = self.yielded(inner, row, own)
            writer.line("scf.forall.in_parallel {")
            with writer.indented():
                writer.line(
                    f"tensor.parallel_insert_slice {own.name} into {place} : "
                    f"{own.type} into {shape.type}"
                )
            writer.line("}")
        writer.line("}")
        scope.tensors.append(result)
        return True

    def parallel(self, scope: Scope) -> bool:
        """Iterations that each compute a number; their sum is the result, and sometimes
        the largest one is another."""
        writer = self.writer
        zero, one = self.constant(scope, 0), self.constant(scope, 1)
        trips = self.random.randint(0, MAX_TRIPS)
        count = self.index_value(scope, trips, trips)
        combining = ("arith.addi", "arith.maxsi")[: 2 if self.chance(30) else 1]
        starts = [self.scalar(scope) for _ in combining]
        inner = scope.inner()
        iteration = writer.fresh("i")
        totals = [writer.fresh("s") for _ in combining]
        inner.add_index(iteration, 0, max(0, trips - 1))
        types = ", ".join(ELEMENT for _ in combining)
        writer.line(
            f"{', '.join(totals)} = scf.parallel ({iteration}) = ({zero}) to ({count}) "
            f"step ({one}) init ({', '.join(starts)}) -> ({types}) {{"
        )
        with writer.indented():
            self.body(inner, self.random.randint(1, 3))
            self.extract(inner)
            value = inner.scalars[-1] if inner.scalars else self.scalar(inner)
            writer.line(f"scf.reduce({', '.join(value for _ in combining)} : {types}) {{")
            for number, name in enumerate(combining):
                if number:
                    writer.line("}, {")
                left, right, both = (writer.fresh("e") for _ in range(3))
                with writer.indented():
                    writer.block("^bb0", [f"{left}: {ELEMENT}", f"{right}: {ELEMENT}"])
                    writer.line(f"{both} = {name} {left}, {right} : {ELEMENT}")
                    writer.line(f"scf.reduce.return {both} : {ELEMENT}")
            writer.line("}")
        writer.line("}")
        scope.scalars += totals
        return True

    # cf: the current block ends here, and what follows goes into a new one.

    def branch(self, scope: Scope) -> bool:
        ways = [self._jump, self._diamond, self._loop]
        if not self.profile.like_mlir:
            ways.append(self._switch)
            if scope.depth == 0:
                ways.append(self._early_return)
        return self.one_of(ways)(scope)

    def _early_return(self, scope: Scope) -> bool:
        """A block that ends the function; the rest goes into another one."""
        writer = self.writer
        stop, go_on = writer.label(), writer.label()
        condition = self.condition(scope)
        received = self._forwarded(scope)
        writer.line(f"cf.cond_br {condition}, {stop}, {_edge(go_on, received)}")
        inner = scope.inner(in_blocks=True)
        writer.block(stop)
        if self.chance(50):
            inner.in_blocks = False
            self.body(inner, 1)
        self.early_return(inner)
        self._start(scope, go_on, received)
        return True

    def early_return(self, scope: Scope) -> None:
        """End the function that is being written."""
        raise NotImplementedError

    def _switch(self, scope: Scope) -> bool:
        """Several ways, chosen by a number, that meet again."""
        writer = self.writer
        join = writer.label()
        labels = [writer.label() for _ in range(self.random.randint(1, 3))]
        flag = self.scalar(scope)
        shapes = self._result_shapes(scope)
        sent = [self._forwarded(scope) for _ in labels]
        default = [self.yielded(scope, shape, None) for shape in shapes]
        cases = [
            f"{self.random.randint(-1, 1) + 3 * number}: {_edge(label, tensors)}"
            for number, (label, tensors) in enumerate(zip(labels, sent, strict=True))
        ]
        listed = ", ".join([f"default: {_edge(join, default)}", *cases])
        writer.line(f"cf.switch {flag} : {ELEMENT}, [{listed}]")
        for label, received in zip(labels, sent, strict=True):
            inner = scope.inner(in_blocks=True)
            self._start(inner, label, received)
            self.body(inner, self.random.randint(1, 2))
            ends = [self.yielded(inner, shape, None) for shape in shapes]
            writer.line(f"cf.br {_edge(join, ends)}")
        results = [Tensor(writer.fresh(), shape) for shape in shapes]
        writer.block(join, [f"{t.name}: {t.type}" for t in results])
        scope.tensors += results
        return True

    def _jump(self, scope: Scope) -> bool:
        label = self.writer.label()
        sent = self._forwarded(scope)
        self.writer.line(f"cf.br {_edge(label, sent)}")
        self._start(scope, label, sent)
        return True

    def _diamond(self, scope: Scope) -> bool:
        writer = self.writer
        left, right, join = (writer.label() for _ in range(3))
        condition = self.condition(scope)
        shapes = self._result_shapes(scope)
        direct = self.chance(30)
        to_left = self._forwarded(scope)
        to_right = [] if direct else self._forwarded(scope)
        if direct:
            sent = [self.yielded(scope, shape, None) for shape in shapes]
            edge = _edge(join, sent)
        else:
            edge = _edge(right, to_right)
        writer.line(f"cf.cond_br {condition}, {_edge(left, to_left)}, {edge}")
        for label, received in ((left, to_left), (right, to_right)):
            if label is right and direct:
                continue
            inner = scope.inner(in_blocks=True)
            self._start(inner, label, received)
            self.body(inner, self.random.randint(1, 3))
            sent = [self.yielded(inner, shape, None) for shape in shapes]
            writer.line(f"cf.br {_edge(join, sent)}")
        received = [Tensor(writer.fresh(), shape) for shape in shapes]
        writer.block(join, [f"{t.name}: {t.type}" for t in received])
        scope.tensors += received
        return True

    def _loop(self, scope: Scope) -> bool:
        writer = self.writer
        trips = self.random.randint(0, MAX_TRIPS)
        start, limit = self.constant(scope, 0), self.index_value(scope, trips, trips)
        inits = [t for t in self._inits(scope) if t.defined]
        head, loop, out = (writer.label() for _ in range(3))
        names = [start, *(t.name for t in inits)]
        types = ["index", *(t.type for t in inits)]
        writer.line(f"cf.br {head}({', '.join(names)} : {', '.join(types)})")
        counter = writer.fresh("i")
        args = [self.result(scope, init.shape) for init in inits]
        writer.block(
            head, [f"{counter}: index", *(f"{arg.name}: {arg.type}" for arg in args)]
        )
        scope.add_index(counter, 0, trips)
        if self.chance(50):
            scope.in_blocks, before = False, scope.in_blocks
            self.body(scope, self.random.randint(1, 2))
            scope.in_blocks = before
        again = writer.fresh("b")
        writer.line(f"{again} = arith.cmpi ult, {counter}, {limit} : index")
        received = self._forwarded(scope)
        writer.line(f"cf.cond_br {again}, {loop}, {_edge(out, received)}")
        inner = scope.inner(in_blocks=True)
        inner.add_index(counter, 0, max(0, trips - 1))
        writer.block(loop)
        self.body(inner, self.random.randint(1, 4))
        ends = [self.yielded(inner, arg.shape, arg) for arg in self._mixed(args)]
        following = self._next(inner, counter)
        names = [following, *(t.name for t in ends)]
        writer.line(f"cf.br {head}({', '.join(names)} : {', '.join(types)})")
        self._start(scope, out, received)
        return True

    def _forwarded(self, scope: Scope) -> list[Tensor]:
        count = self.weighted([(2, 0), (3, 1), (1, 2)])
        found = [self.tensor(scope) for _ in range(count)]
        return [t for t in found if t is not None]

    def _start(self, scope: Scope, label: str, sent: Sequence[Tensor]) -> None:
        """Begin a block that receives the tensors sent."""
        received = [Tensor(self.writer.fresh(), t.shape) for t in sent]
        self.writer.block(label, [f"{t.name}: {t.type}" for t in received])
        scope.tensors += received

    # func

    def call(self, scope: Scope) -> bool:
        if self.profile.like_mlir and scope.in_threads:
            return False
        helper = self.one_of(self.helpers)
        arguments = self.arguments(scope, helper.parameters)
        callee = helper.name
        if not self.profile.like_mlir and self.chance(25):
            callee = self._function_value(scope, helper)
        self._call(scope, helper, arguments, callee)
        return True

    def _function_value(self, scope: Scope, helper: Helper) -> str:
        """A value that is a function: a helper, or a choice of it and one alike."""
        alike = [h for h in self.helpers if h.signature == helper.signature]
        names = [self.writer.fresh("f") for _ in range(1 + (len(alike) > 1))]
        for name, function in zip(names, [helper, self.one_of(alike)], strict=False):
            self.writer.line(
                f"{name} = func.constant {function.name} : {helper.signature}"
            )
        if len(names) == 1:
            return names[0]
        condition, choice = self.condition(scope), self.writer.fresh("f")
        self.writer.line(
            f"{choice} = arith.select {condition}, {', '.join(self.order(names))} : "
            f"{helper.signature}"
        )
        return choice

    def _call(
        self, scope: Scope, helper: Helper, arguments: Sequence[str], callee: str
    ) -> None:
        names: list[str] = []
        for shape in helper.results:
            if shape is None:
                names.append(self.writer.fresh("s"))
                scope.scalars.append(names[-1])
            else:
                names.append(self.result(scope, shape).name)
        op = "func.call" if callee == helper.name else "func.call_indirect"
        self.writer.line(
            f"{', '.join(names)}{' = ' if names else ''}{op} {callee}"
            f"({', '.join(arguments)}) : {helper.signature}"
        )

    def arguments(self, scope: Scope, parameters: Sequence[Parameter]) -> list[str]:
        values: list[str] = []
        for parameter in parameters:
            if parameter.shape is not None:
                tensor = self.tensor_like(scope, parameter.shape)
                tensor.overwritten += 1
                values.append(tensor.name)
            elif parameter.type == "index":
                values.append(self.index_value(scope, parameter.low, parameter.high))
            elif parameter.type == "i1":
                values.append(self.condition(scope))
            else:
                values.append(self.scalar(scope))
        return values


def _assigned(results: Sequence[Tensor]) -> str:
    return f"{', '.join(r.name for r in results)} = " if results else ""


def _edge(label: str, sent: Sequence[Tensor]) -> str:
    if not sent:
        return label
    names = ", ".join(t.name for t in sent)
    return f"{label}({names} : {', '.join(t.type for t in sent)})"

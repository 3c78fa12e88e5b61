"""Straight-line ops on tensors, each a way for a program to go on.

Every method takes the scope, writes one op (with what it needs) and adds the result to
the scope. It returns False, having written nothing of note, when nothing fits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from tests.random_programs.choices import Choices
from tests.random_programs.scope import ELEMENT, Scope, Shape, Tensor, static

Action = Callable[[Scope], bool]


class Operations(Choices):
    """The ops without regions of ops."""

    def operations(self) -> list[tuple[int, Action]]:
        """The ways to go on, and how likely each is."""
        return [
            (12, self.insert),
            (8, self.extract),
            (8, self.extract_slice),
            (8, self.insert_slice),
            (10, self.update_slice),
            (6, self.fill),
            (12, self.generic),
            (4, self.write_window),
            (3, self.map),
            (3, self.copy),
            (3, self.matmul),
            (3, self.transpose),
            (3, self.reduce),
            (3, self.broadcast),
            (4, self.cast),
            (3, self.collapse_shape),
            (3, self.expand_shape),
            (2, self.pad),
            (2, self.dim),
            (4, self.select),
            (3, self.alloc_copy),
            (2, self.materialize),
            (3, self.make),
            (2, self.compute),
            (4, self.transfer),
            (2, self.through_memref),
            (0 if self.profile.like_mlir else 6, self.to_buffer),
            (20, self.load),
            (20 if self.profile.reshape else 0, self.reshape),
        ]

    # Elements.

    def insert(self, scope: Scope) -> bool:
        dest = self.tensor(scope, lambda t: t.shape.rank > 0, defined=self.chance(80))
        if dest is None:
            return False
        scalar = self.scalar(scope)
        places = self._place(scope, dest)
        dest.overwritten += 1
        result = self.result(scope, dest.shape, dest.defined)
        self.writer.line(
            f"{result.name} = tensor.insert {scalar} into {dest.name}[{places}] : "
            f"{dest.type}"
        )
        return True

    def extract(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank > 0)
        if source is None:
            return False
        places = self._place(scope, source)
        name = self.writer.fresh("s")
        self.writer.line(
            f"{name} = tensor.extract {source.name}[{places}] : {source.type}"
        )
        if scope.scalars and self.chance(70):
            # Let what was read reach the result of the program.
            name = self.combine(name, scope.scalars[-1])
        scope.scalars.append(name)
        return True

    def _place(self, scope: Scope, tensor: Tensor) -> str:
        return ", ".join(
            self.index_value(scope, 0, size - 1) for size in tensor.shape.sizes
        )

    def compute(self, scope: Scope) -> bool:
        name = self.combine(self.scalar(scope), self.scalar(scope))
        scope.scalars.append(name)
        return True

    # Slices.

    def extract_slice(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank > 0, defined=self.chance(85))
        if source is None:
            return False
        place, shape = self._slice(scope, source)
        self._extract(scope, source, place, shape)
        return True

    def insert_slice(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank > 0)
        if source is None:
            return False
        sizes = source.shape.sizes

        def fits(dest: Tensor) -> bool:
            other = dest.shape.sizes
            fits_inside = all(
                a <= b for a, b in zip(sizes, other[-len(sizes) :], strict=False)
            )
            return len(other) >= len(sizes) and fits_inside

        dest = self.tensor(scope, fits, defined=self.chance(80))
        if dest is None:
            return False
        more = dest.shape.rank - source.shape.rank
        part = Shape((1,) * more + sizes, (True,) * more + source.shape.known)
        place = self._slice_at(scope, dest, part)
        self._insert(scope, source, dest, place)
        return True

    def update_slice(self, scope: Scope) -> bool:
        """Take a slice, write it, put it back: the tile update."""
        whole = self.tensor(scope, lambda t: t.shape.rank > 0)
        if whole is None:
            return False
        place, shape = self._slice(scope, whole)
        part = self._extract(scope, whole, place, shape)
        for _ in range(self.random.randint(1, 2)):
            step = self.one_of([self._fill_tensor, self._double, self._insert_scalar])
            part = step(scope, part)
        if self.chance(25):
            self.extract(scope)
        if self.chance(20):
            # The wrong place, or into another tensor.
            if self.chance(50):
                place = self._slice_at(scope, whole, self._unreduced(whole, shape))
            other = self.tensor(scope, lambda t: t.shape == whole.shape)
            whole = other or whole
        self._insert(scope, part, whole, place)
        return True

    def _unreduced(self, whole: Tensor, part: Shape) -> Shape:
        missing = whole.shape.rank - part.rank
        return Shape((1,) * missing + part.sizes, (True,) * missing + part.known)

    def _slice(self, scope: Scope, whole: Tensor) -> tuple[str, Shape]:
        """A slice: how it is written, and its shape, perhaps without leading ones."""
        sizes = tuple(
            size if self.chance(40) else self.random.randint(1, size)
            for size in whole.shape.sizes
        )
        part = Shape(sizes, tuple(self.chance(75) for _ in sizes))
        reduced = part
        if part.rank > 1 and self.chance(50):
            part = Shape((1, *part.sizes[1:]), (True, *part.known[1:]))
            reduced = part.without([0])
        return self._slice_at(scope, whole, part), reduced

    def _slice_at(self, scope: Scope, whole: Tensor, part: Shape) -> str:
        may_move = not self.profile.like_mlir or scope.is_local(whole)
        offsets: list[str] = []
        strides: list[str] = []
        for size, count in zip(whole.shape.sizes, part.sizes, strict=True):
            fits_twice = (count - 1) * 2 < size
            stride = 2 if count > 1 and fits_twice and self.chance(15) else 1
            last = size - 1 - (count - 1) * stride
            if not may_move or self.chance(50):
                offsets.append(str(self.random.randint(0, last)))
            else:
                offsets.append(self.index_value(scope, 0, last))
            strides.append(str(stride))
        sizes = iter(self.size_values(scope, part))
        listed = [
            str(size) if known else next(sizes)
            for size, known in zip(part.sizes, part.known, strict=True)
        ]
        return "".join(f"[{', '.join(part)}]" for part in (offsets, listed, strides))

    def _extract(self, scope: Scope, source: Tensor, place: str, shape: Shape) -> Tensor:
        result = self.result(scope, shape, source.defined)
        self.writer.line(
            f"{result.name} = tensor.extract_slice {source.name}{place} : "
            f"{source.type} to {result.type}"
        )
        return result

    def _insert(self, scope: Scope, source: Tensor, dest: Tensor, place: str) -> Tensor:
        dest.overwritten += 1
        result = self.result(scope, dest.shape, dest.defined and source.defined)
        self.writer.line(
            f"{result.name} = tensor.insert_slice {source.name} into "
            f"{dest.name}{place} : {source.type} into {dest.type}"
        )
        return result

    # Structured ops.

    def fill(self, scope: Scope) -> bool:
        dest = self.tensor(scope, defined=self.chance(60))
        if dest is None:
            return False
        self._fill_tensor(scope, dest)
        return True

    def _fill_tensor(self, scope: Scope, dest: Tensor) -> Tensor:
        scalar = self.scalar(scope)
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        self.writer.line(
            f"{result.name} = linalg.fill ins({scalar} : {ELEMENT}) "
            f"outs({dest.name} : {dest.type}) -> {dest.type}"
        )
        return result

    def _insert_scalar(self, scope: Scope, dest: Tensor) -> Tensor:
        scalar, places = self.scalar(scope), self._place(scope, dest)
        dest.overwritten += 1
        result = self.result(scope, dest.shape, dest.defined)
        self.writer.line(
            f"{result.name} = tensor.insert {scalar} into {dest.name}[{places}] : "
            f"{dest.type}"
        )
        return result

    def _double(self, scope: Scope, tensor: Tensor) -> Tensor:
        if not tensor.defined:
            return self._fill_tensor(scope, tensor)
        return self._generic(scope, [(tensor, _identity(tensor))], tensor, True)

    def generic(self, scope: Scope) -> bool:
        dest = self.tensor(scope, lambda t: t.shape.rank > 0, defined=self.chance(80))
        if dest is None:
            return False
        inputs: list[tuple[Tensor, list[int]]] = []
        for _ in range(self.weighted([(1, 0), (4, 1), (3, 2)])):
            source = self.tensor(scope, lambda t: bool(_maps(t, dest)))
            if source is not None:
                inputs.append((source, self.one_of(_maps(source, dest))))
        self._generic(scope, inputs, dest, dest.defined and self.chance(50))
        return True

    def _generic(
        self,
        scope: Scope,
        inputs: list[tuple[Tensor, list[int]]],
        dest: Tensor,
        reads_output: bool,
    ) -> Tensor:
        writer, rank = self.writer, dest.shape.rank
        loops = ", ".join(f"d{d}" for d in range(rank))
        maps = [
            f"affine_map<({loops}) -> ({', '.join(f'd{d}' for d in dims)})>"
            for dims in (*(dims for _, dims in inputs), range(rank))
        ]
        captured = self.tensor(scope, lambda t: t.shape.sizes == dest.shape.sizes)
        if self.chance(85):
            captured = None
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        kinds = ", ".join(['"parallel"'] * rank)
        ins = ""
        if inputs:
            names = ", ".join(t.name for t, _ in inputs)
            ins = f"ins({names} : {', '.join(t.type for t, _ in inputs)}) "
        writer.line(
            f"{result.name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{kinds}]}} {ins}outs({dest.name} : {dest.type}) {{"
        )
        arguments = [writer.fresh("e") for _ in range(len(inputs) + 1)]
        with writer.indented():
            writer.block("^bb0", [f"{name}: {ELEMENT}" for name in arguments])
            values = arguments if reads_output else arguments[:-1]
            if captured is not None:
                values = [*values, self._read_captured(captured, rank)]
            if not values:
                values = [self._constant_scalar()]
            value = values[0]
            for other in values[1:]:
                value = self.combine(value, other)
            if len(values) == 1 and self.chance(60):
                value = self.combine(value, values[0])
            writer.line(f"linalg.yield {value} : {ELEMENT}")
        writer.line(f"}} -> {dest.type}")
        return result

    def write_window(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank > 0)
        if source is None:
            return False
        self.computed_in_window(scope, source)
        return True

    def computed_in_window(self, scope: Scope, source: Tensor) -> Tensor:
        """Compute from a tensor, element by element, into a slice of one whose contents
        do not matter. Where it moves in a loop, the slice may overlap the one of the
        iteration before."""
        sizes = source.shape.sizes

        def has_room(whole: Tensor) -> bool:
            others = whole.shape.sizes
            return (
                not whole.defined
                and len(others) == len(sizes)
                and others != sizes
                and all(map(operator.le, sizes, others))
            )

        whole = self.tensor(scope, has_room, defined=False)
        if whole is None:
            whole = self.make_room(scope, source)
        place = self._slice_at(scope, whole, source.shape)
        window = self._extract(scope, whole, place, source.shape)
        return self._generic(scope, [(source, _identity(source))], window, False)

    def make_room(self, scope: Scope, tensor: Tensor) -> Tensor:
        """Make a tensor without contents that is larger than another one."""
        sizes = tuple(size + self.random.randint(1, 3) for size in tensor.shape.sizes)
        return self.empty_tensor(scope, Shape(sizes, tensor.shape.known))

    def _constant_scalar(self) -> str:
        name = self.writer.fresh("s")
        number = self.random.randint(-9, 9)
        self.writer.line(f"{name} = arith.constant {number} : {ELEMENT}")
        return name

    def _read_captured(self, tensor: Tensor, rank: int) -> str:
        """Read an element of a tensor from outside in the body of linalg.generic."""
        writer = self.writer
        indices = [writer.fresh("i") for _ in range(rank)]
        for dimension, index in enumerate(indices):
            writer.line(f"{index} = linalg.index {dimension} : index")
        name = writer.fresh("s")
        writer.line(
            f"{name} = tensor.extract {tensor.name}[{', '.join(indices)}] : {tensor.type}"
        )
        return name

    def map(self, scope: Scope) -> bool:
        dest = self.tensor(scope, defined=self.chance(70))
        if dest is None:
            return False
        same = [
            self.tensor(scope, lambda t: t.shape == dest.shape)
            for _ in range(self.random.randint(1, 2))
        ]
        inputs = [t for t in same if t is not None]
        if not inputs:
            return False
        writer = self.writer
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        names = ", ".join(t.name for t in inputs)
        types = ", ".join(t.type for t in inputs)
        arguments = [writer.fresh("e") for _ in (*inputs, dest)]
        listed = ", ".join(f"{name}: {ELEMENT}" for name in arguments)
        writer.line(
            f"{result.name} = linalg.map ins({names} : {types}) "
            f"outs({dest.name} : {dest.type}) ({listed}) {{"
        )
        with writer.indented():
            value = self.combine(arguments[0], arguments[-2])
            writer.line(f"linalg.yield {value} : {ELEMENT}")
        writer.line("}")
        return True

    def copy(self, scope: Scope) -> bool:
        source = self.tensor(scope)
        if source is None:
            return False
        dest = self.destination(scope, source.shape.sizes)
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        self.writer.line(
            f"{result.name} = linalg.copy ins({source.name} : {source.type}) "
            f"outs({dest.name} : {dest.type}) -> {dest.type}"
        )
        return True

    def matmul(self, scope: Scope) -> bool:
        dest = self.tensor(scope, lambda t: t.shape.rank == 2)
        if dest is None:
            return False
        rows, columns = dest.shape.sizes
        inner = self.one_of(self.extents)
        left = self.tensor_like(scope, static(rows, inner))
        right = self.tensor_like(scope, static(inner, columns))
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        self.writer.line(
            f"{result.name} = linalg.matmul ins({left.name}, {right.name} : {left.type}, "
            f"{right.type}) outs({dest.name} : {dest.type}) -> {dest.type}"
        )
        return True

    def transpose(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank == 2)
        if source is None:
            return False
        dest = self.destination(scope, source.shape.sizes[::-1])
        dest = self.cast_to(
            scope, dest, Shape(dest.shape.sizes, source.shape.known[::-1])
        )
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        self.writer.line(
            f"{result.name} = linalg.transpose ins({source.name} : {source.type}) "
            f"outs({dest.name} : {dest.type}) permutation = [1, 0]"
        )
        return True

    def reduce(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank == 2)
        if source is None:
            return False
        dimension = self.random.randrange(2)
        dest = self.tensor_like(scope, source.shape.without([dimension]))
        writer = self.writer
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        element, accumulated = writer.fresh("e"), writer.fresh("e")
        writer.line(
            f"{result.name} = linalg.reduce ins({source.name} : {source.type}) "
            f"outs({dest.name} : {dest.type}) dimensions = [{dimension}] "
            f"({element}: {ELEMENT}, {accumulated}: {ELEMENT}) {{"
        )
        with writer.indented():
            total = writer.fresh("s")
            writer.line(f"{total} = arith.addi {element}, {accumulated} : {ELEMENT}")
            writer.line(f"linalg.yield {total} : {ELEMENT}")
        writer.line("}")
        return True

    def broadcast(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank == 1)
        if source is None:
            return False
        dimension, size = self.random.randrange(2), self.one_of(self.extents)
        sizes = list(source.shape.sizes)
        sizes.insert(dimension, size)
        dest = self.destination(scope, tuple(sizes))
        source = self.cast_to(scope, source, dest.shape.without([dimension]))
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        self.writer.line(
            f"{result.name} = linalg.broadcast ins({source.name} : {source.type}) "
            f"outs({dest.name} : {dest.type}) dimensions = [{dimension}]"
        )
        return True

    # The same elements under another type.

    def cast(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank > 0, defined=self.chance(90))
        if source is None:
            return False
        sizes = source.shape.sizes
        shape = Shape(sizes, tuple(self.chance(50) for _ in sizes))
        if shape == source.shape:
            return False
        self.cast_to(scope, source, shape)
        return True

    def collapse_shape(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: t.shape.rank == 2)
        if source is None:
            return False
        rows, columns = source.shape.sizes
        result = self.result(scope, Shape((rows * columns,), (all(source.shape.known),)))
        self.writer.line(
            f"{result.name} = tensor.collapse_shape {source.name} [[0, 1]] : "
            f"{source.type} into {result.type}"
        )
        return True

    def expand_shape(self, scope: Scope) -> bool:
        source = self.tensor(
            scope,
            lambda t: t.shape.rank == 1 and t.shape.sizes[0] in (4, 6, 8, 9, 10, 12),
        )
        if source is None:
            return False
        size = source.shape.sizes[0]
        rows = self.one_of([n for n in range(2, size) if size % n == 0])
        shape = Shape((rows, size // rows), (source.shape.known[0], True))
        sizes = ", ".join([*self.size_values(scope, shape), str(size // rows)])
        if source.shape.known[0]:
            sizes = f"{rows}, {size // rows}"
        result = self.result(scope, shape)
        self.writer.line(
            f"{result.name} = tensor.expand_shape {source.name} [[0, 1]] output_shape "
            f"[{sizes}] : {source.type} into {result.type}"
        )
        return True

    def reshape(self, scope: Scope) -> bool:
        """A reshape whose sizes, in reverse order or as one, are in a new tensor."""
        source = self.tensor(scope, lambda t: t.shape.rank in (1, 2))
        if source is None:
            return False
        sizes = source.shape.sizes[::-1]
        if len(sizes) == 2 and self.chance(40):
            sizes = (sizes[0] * sizes[1],)
        elif len(sizes) == 1:
            size = sizes[0]
            rows = self.one_of([n for n in range(1, size + 1) if size % n == 0])
            sizes = (rows, size // rows)
        writer = self.writer
        elements: list[str] = []
        for size in sizes:
            index = self.index_value(scope, size, size)
            elements.append(writer.fresh("s"))
            writer.line(f"{elements[-1]} = arith.index_cast {index} : index to {ELEMENT}")
        shape = self.result(scope, Shape((len(sizes),), (True,)))
        writer.line(
            f"{shape.name} = tensor.from_elements {', '.join(elements)} : {shape.type}"
        )
        result = self.result(scope, Shape(sizes, (False,) * len(sizes)))
        writer.line(
            f"{result.name} = tensor.reshape {source.name}({shape.name}) : "
            f"({source.type}, {shape.type}) -> {result.type}"
        )
        return True

    def pad(self, scope: Scope) -> bool:
        source = self.tensor(scope, lambda t: 0 < t.shape.rank < 3)
        if source is None:
            return False
        low = [self.random.randint(0, 1) for _ in source.shape.sizes]
        high = [self.random.randint(0, 1) for _ in source.shape.sizes]
        sizes = tuple(
            a + b + c for a, b, c in zip(low, source.shape.sizes, high, strict=True)
        )
        writer = self.writer
        scalar = self.scalar(scope)
        result = self.result(scope, Shape(sizes, source.shape.known))
        indices = [writer.fresh("i") for _ in sizes]
        writer.line(f"{result.name} = tensor.pad {source.name} low{low} high{high} {{")
        with writer.indented():
            writer.block("^bb0", [f"{index}: index" for index in indices])
            writer.line(f"tensor.yield {scalar} : {ELEMENT}")
        writer.line(f"}} : {source.type} to {result.type}")
        return True

    def dim(self, scope: Scope) -> bool:
        source = self.tensor(
            scope, lambda t: not all(t.shape.known), defined=self.chance(50)
        )
        if source is None:
            return False
        unknown = [d for d, known in enumerate(source.shape.known) if not known]
        dimension = self.one_of(unknown)
        which = self.constant(scope, dimension)
        name = self.writer.fresh("i")
        self.writer.line(f"{name} = tensor.dim {source.name}, {which} : {source.type}")
        size = source.shape.sizes[dimension]
        scope.add_index(name, size, size)
        return True

    # Choices and copies.

    def select(self, scope: Scope) -> bool:
        first = self.tensor(scope)
        if first is None:
            return False
        second = self.tensor(scope, lambda t: t.shape.sizes == first.shape.sizes)
        assert second is not None, "the first one is one"
        second = self.cast_to(scope, second, first.shape)
        condition = self.condition(scope)
        result = self.result(scope, first.shape)
        self.writer.line(
            f"{result.name} = arith.select {condition}, {first.name}, {second.name} : "
            f"{first.type}"
        )
        return True

    def alloc_copy(self, scope: Scope) -> bool:
        source = self.tensor(scope)
        if source is None:
            return False
        result = self.result(scope, source.shape)
        self.writer.line(
            f"{result.name} = bufferization.alloc_tensor() copy({source.name}) : "
            f"{source.type}"
        )
        return True

    def materialize(self, scope: Scope) -> bool:
        """Into a buffer made for it: what must be written in place cannot be copied."""
        source = self.tensor(scope)
        if source is None:
            return False
        dest = self.empty_tensor(scope, source.shape)
        scope.tensors.remove(dest)
        result = self.result(scope, source.shape)
        self.writer.line(
            f"{result.name} = bufferization.materialize_in_destination {source.name} in "
            f"{dest.name} : ({source.type}, {dest.type}) -> {result.type}"
        )
        return True

    def make(self, scope: Scope) -> bool:
        self.new_tensor(scope, self.shape())
        return True

    # Vectors, and buffers that are the program's own.

    def transfer(self, scope: Scope) -> bool:
        """Read a vector, compute with it, and write it, here or elsewhere."""
        source = self.tensor(scope, lambda t: t.shape.rank == 1)
        if source is None:
            return False
        writer = self.writer
        width = self.random.randint(1, source.shape.sizes[0])
        vector = f"vector<{width}x{ELEMENT}>"
        padding, read = self.scalar(scope), writer.fresh("x")
        at = self.index_value(scope, 0, source.shape.sizes[0] - width)
        writer.line(
            f"{read} = vector.transfer_read {source.name}[{at}], {padding}"
            f"{self.bounds()} : {source.type}, {vector}"
        )
        computed = writer.fresh("x")
        writer.line(f"{computed} = arith.addi {read}, {read} : {vector}")
        dest = self.tensor(
            scope, lambda t: t.shape.rank == 1 and t.shape.sizes[0] >= width
        )
        assert dest is not None, "the source is one"
        at = self.index_value(scope, 0, dest.shape.sizes[0] - width)
        dest.overwritten += 1
        result = self.result(scope, dest.shape)
        writer.line(
            f"{result.name} = vector.transfer_write {computed}, {dest.name}[{at}]"
            f"{self.bounds()} : {vector}, {dest.type}"
        )
        return True

    def bounds(self) -> str:
        """What a transfer says of its bounds, which it keeps."""
        return self.random.choice(("", " {in_bounds = [true]}", " {in_bounds = [true]}"))

    def through_memref(self, scope: Scope) -> bool:
        """Put a tensor into a buffer of the program's own, and take it from there."""
        source = self.tensor(scope, lambda t: t.shape.rank > 0)
        if source is None:
            return False
        writer = self.writer
        sizes = ", ".join(self.size_values(scope, source.shape))
        memref = source.type.replace("tensor", "memref")
        buffer = writer.fresh("m")
        if not self.profile.like_mlir and self.chance(25):
            # It outlives a scope of the stack.
            inner = writer.fresh("m")
            writer.line(f"{buffer} = memref.alloca_scope -> ({memref}) {{")
            with writer.indented():
                writer.line(f"{inner} = memref.alloc({sizes}) : {memref}")
                writer.line(f"memref.alloca_scope.return {inner} : {memref}")
            writer.line("}")
        else:
            writer.line(f"{buffer} = memref.alloc({sizes}) : {memref}")
        writer.line(
            f"bufferization.materialize_in_destination {source.name} in restrict "
            f"writable {buffer} : ({source.type}, {memref}) -> ()"
        )
        result = self.result(scope, source.shape)
        writer.line(
            f"{result.name} = bufferization.to_tensor {buffer} restrict writable : "
            f"{memref} to {source.type}"
        )
        return True

    def to_buffer(self, scope: Scope) -> bool:
        """Hand out the buffer of a tensor, to be read whatever happens to the tensor."""
        source = self.tensor(scope, lambda t: t.shape.rank > 0)
        if source is None:
            return False
        buffer = Tensor(self.writer.fresh("m"), source.shape)
        scope.buffers.append(buffer)
        # Whoever writes the tensor from here on has something to copy.
        source.overwritten += 1
        self.writer.line(
            f"{buffer.name} = bufferization.to_buffer {source.name} read_only : "
            f"{source.type} to {_memref(source)}"
        )
        return True

    def load(self, scope: Scope) -> bool:
        if not scope.buffers:
            return False
        source = self.one_of(scope.buffers)
        places = self._place(scope, source)
        name = self.writer.fresh("s")
        self.writer.line(
            f"{name} = memref.load {source.name}[{places}] : {_memref(source)}"
        )
        if scope.scalars and self.chance(70):
            name = self.combine(name, scope.scalars[-1])
        scope.scalars.append(name)
        return True


def _memref(tensor: Tensor) -> str:
    """The memref type that the buffer of any tensor of this type can have."""
    strides = ", ".join("?" * tensor.shape.rank)
    memref = tensor.type.replace("tensor", "memref")
    return f"{memref[:-1]}, strided<[{strides}], offset: ?>>"


def _identity(tensor: Tensor) -> list[int]:
    return list(range(tensor.shape.rank))


def _maps(source: Tensor, dest: Tensor) -> list[list[int]]:
    """The ways to index `source` by the loops over `dest`: as it is, transposed, or
    broadcast."""
    sizes, loops = source.shape.sizes, dest.shape.sizes
    if len(sizes) == 1:
        return [[d] for d, size in enumerate(loops) if size == sizes[0]]
    found: list[list[int]] = []
    if sizes == loops:
        found.append(_identity(source))
    if len(sizes) == 2 and sizes == loops[::-1]:
        found.append([1, 0])
    return found

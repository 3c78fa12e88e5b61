"""Random programs of constant vectors, with many equal elements.

A program is a function that writes each of its vectors to a memref of its own and, when
`returns` is set, returns the vectors instead.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

BITS = {
    "i1": 1,
    "i8": 8,
    "i32": 32,
    "i64": 64,
    "index": 64,
    "f16": 16,
    "bf16": 16,
    "f32": 32,
    "f64": 64,
}
_SHAPES = [(1,), (2,), (3,), (4,), (6,), (2, 2), (2, 3), (3, 1), (2, 2, 2), (8, 8), (72,)]
_OPS = 6

_MOST_PRINTED_BITS = 100
"""From more elements of type i1, mlir-opt prints a string of bits, which xDSL rejects."""


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple[int, ...]
    element: str
    is_number: bool = True
    """Not the bits of another type, of which a float would be a NaN or subnormal."""

    @property
    def type(self) -> str:
        return vector_type(self.shape, self.element)


def shaped(kind: str, shape: Sequence[int], element: str) -> str:
    return f"{kind}<{'x'.join([*map(str, shape), element])}>"


def vector_type(shape: Sequence[int], element: str) -> str:
    return shaped("vector", shape, element)


def in_memory(element: str) -> str:
    """The type that elements have in memory, where LLVM packs vectors of bits."""
    return "i8" if element == "i1" else element


class Program:
    """A function `@name` of constant vectors, chosen by a seed."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.values: list[Value] = []
        self._choices = random.Random(seed)
        self._lines: list[str] = []
        self._names = 0
        rules: list[Callable[[Value], None]] = [
            self._shuffle,
            self._extract,
            self._extract_slice,
            self._insert,
            self._insert_scalar,
            self._insert_slice,
            self._bitcast,
            self._broadcast,
            self._broadcast_scalar,
            self._transpose,
            self._mask,
            self._shape_cast,
            self._calculate,
            self._compare,
            self._select,
            self._list,
        ]
        self._constant(*self._some_type())
        while len(self.values) < _OPS:
            value = self._choices.choice(self.values[-3:])
            self._choices.choice(rules)(value)
            if self._choices.random() < 0.2:
                self._constant(*self._some_type())

    def text(self, *, returns: bool = False) -> str:
        types = ", ".join(value.type for value in self.values)
        lines = list(self._lines)
        if returns:
            names = ", ".join(value.name for value in self.values)
            head = f"func.func @{self.name}() -> ({types})"
            lines.append(f"return {names} : {types}")
        else:
            buffers = [
                shaped("memref", v.shape, in_memory(v.element)) for v in self.values
            ]
            arguments = [f"%m{n}: {type}" for n, type in enumerate(buffers)]
            head = f"func.func @{self.name}({', '.join(arguments)})"
            lines.append("%zero = arith.constant 0 : index")
            for n, (value, buffer) in enumerate(zip(self.values, buffers, strict=True)):
                rank = len(value.shape)
                written, type_ = value.name, value.type
                if value.element == "i1":
                    written, type_ = f"%bytes{n}", vector_type(value.shape, "i8")
                    lines.append(
                        f"{written} = arith.extui {value.name} : {value.type} to {type_}"
                    )
                at, in_bounds = (", ".join([x] * rank) for x in ("%zero", "true"))
                lines.append(
                    f"vector.transfer_write {written}, %m{n}[{at}] "
                    f"{{in_bounds = [{in_bounds}]}} : {type_}, {buffer}"
                )
            lines.append("return")
        return "\n  ".join([head + " {", *lines]) + "\n}\n"

    def _add(
        self, op: str, shape: Sequence[int], element: str, *, is_number: bool = True
    ) -> Value:
        self._names += 1
        value = Value(f"%v{self._names}", tuple(shape), element, is_number)
        self._lines.append(f"{value.name} = {op}")
        self.values.append(value)
        return value

    def _some_type(self) -> tuple[tuple[int, ...], str]:
        return self._choices.choice(_SHAPES), self._choices.choice([*BITS])

    def _literal(self, element: str) -> str:
        if element == "i1":
            return self._choices.choice(["true", "false"])
        if element[0] == "i":
            return self._choices.choice(["7", "7", "-1", "2"])
        return self._choices.choice(["1.5", "1.5", "-0.0", "-2.0"])

    def _constant(self, shape: Sequence[int], element: str) -> Value:
        is_splat = self._choices.random() < 0.4
        elements = self._literal(element) if is_splat else self._list_of(shape, element)
        type_ = vector_type(shape, element)
        return self._add(f"arith.constant dense<{elements}> : {type_}", shape, element)

    def _list_of(self, shape: Sequence[int], element: str) -> str:
        if not shape:
            return self._literal(element)
        rows = [self._list_of(shape[1:], element) for _ in range(shape[0])]
        return f"[{', '.join(rows)}]"

    def _scalar(self, element: str) -> str:
        self._names += 1
        type_ = "" if element == "i1" else f" : {element}"
        literal = self._literal(element)
        self._lines.append(f"%s{self._names} = arith.constant {literal}{type_}")
        return f"%s{self._names}"

    def _like(self, shape: Sequence[int], element: str, *, number: bool = False) -> Value:
        """A value of a type: one that exists, or a new constant."""
        found = [
            value
            for value in self.values
            if (value.shape, value.element) == (tuple(shape), element)
            and (value.is_number or not number)
        ]
        if found and self._choices.random() < 0.8:
            return self._choices.choice(found)
        return self._constant(shape, element)

    def _position(self, shape: Sequence[int]) -> list[int]:
        return [self._choices.randrange(size) for size in shape]

    def _shuffle(self, value: Value) -> None:
        rest = value.shape[1:]
        other = self._like((self._choices.choice([1, 2, 3]), *rest), value.element)
        bound = value.shape[0] + other.shape[0]
        mask = [
            self._choices.randrange(bound) for _ in range(self._choices.randint(1, 4))
        ]
        self._add(
            f"vector.shuffle {value.name}, {other.name} {mask} : "
            f"{value.type}, {other.type}",
            (len(mask), *rest),
            value.element,
            is_number=value.is_number and other.is_number,
        )

    def _extract(self, value: Value) -> None:
        rank = self._choices.randint(1, len(value.shape))
        position, rest = self._position(value.shape[:rank]), value.shape[rank:]
        if rest:
            part = vector_type(rest, value.element)
            op = f"vector.extract {value.name}{position} : {part} from {value.type}"
            self._add(op, rest, value.element, is_number=value.is_number)
            return
        self._names += 1
        scalar, element = f"%s{self._names}", value.element
        self._lines.append(
            f"{scalar} = vector.extract {value.name}{position} : {element} "
            f"from {value.type}"
        )
        op = f"vector.broadcast {scalar} : {element} to {vector_type((3,), element)}"
        self._add(op, (3,), element, is_number=value.is_number)

    def _extract_slice(self, value: Value) -> None:
        offsets = self._position(value.shape)
        bounds = zip(value.shape, offsets, strict=True)
        sizes = [self._choices.randint(1, size - offset) for size, offset in bounds]
        self._add(
            f"vector.extract_strided_slice {value.name} {{offsets = {offsets}, "
            f"sizes = {sizes}, strides = {[1] * len(sizes)}}} : {value.type} to "
            + vector_type(sizes, value.element),
            sizes,
            value.element,
            is_number=value.is_number,
        )

    def _insert(self, value: Value) -> None:
        rank = self._choices.randint(1, len(value.shape))
        if rank == len(value.shape):
            self._insert_scalar(value)
            return
        position = self._position(value.shape[:rank])
        part = self._like(value.shape[rank:], value.element)
        self._insertion(value, part, position)

    def _insertion(self, value: Value, part: Value, position: list[int]) -> None:
        self._add(
            f"vector.insert {part.name}, {value.name}{position} : {part.type} into "
            f"{value.type}",
            value.shape,
            value.element,
            is_number=value.is_number and part.is_number,
        )

    def _insert_scalar(self, value: Value) -> None:
        scalar = self._scalar(value.element)
        self._add(
            f"vector.insert {scalar}, {value.name}{self._position(value.shape)} : "
            f"{value.element} into {value.type}",
            value.shape,
            value.element,
            is_number=value.is_number,
        )

    def _insert_slice(self, value: Value) -> None:
        sizes = [self._choices.randint(1, size) for size in value.shape]
        bounds = zip(value.shape, sizes, strict=True)
        offsets = [self._choices.randint(0, size - part) for size, part in bounds]
        part = self._like(sizes, value.element)
        self._add(
            f"vector.insert_strided_slice {part.name}, {value.name} {{offsets = "
            f"{offsets}, strides = {[1] * len(sizes)}}} : {part.type} into {value.type}",
            value.shape,
            value.element,
            is_number=value.is_number and part.is_number,
        )

    def _bitcast(self, value: Value) -> None:
        *outer, last = value.shape
        bits = last * BITS[value.element]
        targets = [
            element
            for element, width in BITS.items()
            if bits % width == 0 and "index" not in (element, value.element)
        ]
        if not targets or value.element == "i1":
            return
        element = self._choices.choice(targets)
        shape = (*outer, bits // BITS[element])
        self._add(
            f"vector.bitcast {value.name} : {value.type} to "
            + vector_type(shape, element),
            shape,
            element,
            is_number=element[0] == "i" or (element == value.element and value.is_number),
        )

    def _broadcast(self, value: Value) -> None:
        shape = [self._choices.choice([1, 3]) if n == 1 else n for n in value.shape]
        shape = [2, *shape] if prod(shape) < 40 and len(shape) < 3 else shape
        type_ = vector_type(shape, value.element)
        op = f"vector.broadcast {value.name} : {value.type} to {type_}"
        self._add(op, shape, value.element, is_number=value.is_number)

    def _broadcast_scalar(self, value: Value) -> None:
        scalar = self._scalar(value.element)
        op = f"vector.broadcast {scalar} : {value.element} to {value.type}"
        self._add(op, value.shape, value.element)

    def _transpose(self, value: Value) -> None:
        order = list(range(len(value.shape)))
        self._choices.shuffle(order)
        shape = [value.shape[dim] for dim in order]
        type_ = vector_type(shape, value.element)
        op = f"vector.transpose {value.name}, {order} : {value.type} to {type_}"
        self._add(op, shape, value.element, is_number=value.is_number)

    def _mask(self, value: Value) -> None:
        if prod(value.shape) > _MOST_PRINTED_BITS:
            return
        type_ = vector_type(value.shape, "i1")
        sizes = [self._choices.randint(1, size) for size in value.shape]
        if self._choices.random() < 0.5:
            self._add(f"vector.constant_mask {sizes} : {type_}", value.shape, "i1")
            return
        names: list[str] = []
        for size in sizes:
            self._names += 1
            names.append(f"%s{self._names}")
            self._lines.append(f"{names[-1]} = arith.constant {size} : index")
        self._add(f"vector.create_mask {', '.join(names)} : {type_}", value.shape, "i1")

    def _shape_cast(self, value: Value) -> None:
        count = prod(value.shape)
        shapes = [(count,), (count, 1), (1, count)]
        if count % 2 == 0:
            shapes.append((2, count // 2))
        shape = self._choices.choice(shapes)
        type_ = vector_type(shape, value.element)
        op = f"vector.shape_cast {value.name} : {value.type} to {type_}"
        self._add(op, shape, value.element, is_number=value.is_number)

    def _calculate(self, value: Value) -> None:
        other = self._like(value.shape, value.element, number=True)
        if not value.is_number:
            value = other
        names = ["addi", "subi", "xori", "maxsi"]
        if value.element[0] != "i":
            names = ["addf", "subf", "mulf", "maximumf"]
        op = f"arith.{self._choices.choice(names)} {value.name}, {other.name}"
        self._add(f"{op} : {value.type}", value.shape, value.element)

    def _compare(self, value: Value) -> None:
        if prod(value.shape) > _MOST_PRINTED_BITS:
            return
        other = self._like(value.shape, value.element)
        op = "cmpi slt" if value.element[0] == "i" else "cmpf oeq"
        text = f"arith.{op}, {value.name}, {other.name} : {value.type}"
        self._add(text, value.shape, "i1")

    def _select(self, value: Value) -> None:
        if prod(value.shape) > _MOST_PRINTED_BITS:
            return
        other = self._like(value.shape, value.element)
        mask = self._like(value.shape, "i1")
        self._add(
            f"arith.select {mask.name}, {value.name}, {other.name} : {mask.type}, "
            f"{value.type}",
            value.shape,
            value.element,
            is_number=value.is_number and other.is_number,
        )

    def _list(self, value: Value) -> None:
        count = prod(value.shape)
        if count > 8:
            return
        self._names += 1
        names = [f"%e{self._names}_{number}" for number in range(count)]
        self._lines.append(
            f"{', '.join(names)} = vector.to_elements {value.name} : {value.type}"
        )
        self._choices.shuffle(names)
        names = names[: self._choices.randint(1, count)]
        type_ = vector_type((len(names),), value.element)
        op = f"vector.from_elements {', '.join(names)} : {type_}"
        self._add(op, (len(names),), value.element, is_number=value.is_number)

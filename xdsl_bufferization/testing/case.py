"""An op whose model is tested, and small programs around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import position_of
from xdsl_bufferization.universe import new_context

_NAME = re.compile(r"%\w+")
_NAMES = r"%[^\W\d]\w*(?:\s*,\s*%[^\W\d]\w*)*"
_HEAD = re.compile(rf"^\s*({_NAMES})\s*=\s*", re.MULTILINE)
_FILE = "<case>"


@dataclass(frozen=True)
class OpCase:
    """An op in a program, with what is needed to run it.

    Args:
        text: The op in MLIR, in the generic or the custom syntax, with its result names:
            `%r = "toy.axpy"(%a, %x, %y) : (f32, tensor<4xf32>, tensor<4xf32>) ->
            tensor<4xf32>`. Ops that it needs may precede it.
        arguments: The type of each value that the text uses, by name with the percent
            sign. Tensors have static sizes.
        lowering: The passes that lower the op, on memrefs, to ops that
            lower-to-llvm-pipeline lowers; none, where it lowers the op itself.
        meaning: What the op computes: a function of the arguments, as NumPy arrays and
            numbers, that returns the result, or a tuple of the results. By default what
            the bufferized op computes on buffers of its own.
        context: Knows the dialects. By default one with those of xDSL, of this package
            and of every installed plug-in.
        integers: The range of the integers among the arguments, and of numbers that are
            no tensors, the end excluded.
        functions: Functions that the op calls, in MLIR.
    """

    text: str
    arguments: Mapping[str, str]
    lowering: Sequence[ModulePass] = ()
    meaning: Callable[..., Any] | None = None
    context: Context | None = None
    integers: tuple[int, int] = (1, 4)
    functions: str = ""

    def parse(self, program: str) -> ModuleOp:
        """Parse and verify a program, with the functions that the op calls."""
        context = new_context() if self.context is None else self.context
        module = Parser(context, program + self.functions, _FILE).parse_module()
        module.verify()
        return module

    @property
    def results(self) -> Sequence[str]:
        """The names of the results of the op."""
        program = self.function("main", self.text)
        op = find_op(self.parse(program))
        if not op.results:
            return ()
        heads = {
            _position(program, head.end()): _NAME.findall(head[1])
            for head in _HEAD.finditer(program)
        }
        hints = [f"%{result.name_hint}" for result in op.results]
        # An explicit location hides the position, and a hint lacks a number at the end.
        names = heads.get(position_of(op) or "")
        if names is None and hints in heads.values():
            names = hints
        if names is None or len(names) != len(hints):
            raise PassFailedException(
                f"{op.name}: write the names of its results in front of it, one for "
                "each, beginning with a letter"
            )
        return names

    def result_types(self) -> Sequence[Attribute]:
        """The types of the results of the op."""
        op = find_op(self.parse(self.function("main", self.text)))
        return [result.type for result in op.results]

    def function(
        self,
        name: str,
        body: str,
        more: Mapping[str, str] | None = None,
        returned: Sequence[tuple[str, str]] = (),
        visibility: str = "",
    ) -> str:
        """A function of the arguments, and `more`, that returns values."""
        arguments = {**self.arguments, **(more or {})}
        signature = ", ".join(f"{key}: {type_}" for key, type_ in arguments.items())
        types = ", ".join(type_ for _, type_ in returned)
        values = ", ".join(value for value, _ in returned)
        end = f"return {values} : {types}" if returned else "return"
        head = f"func.func {visibility} @{name}({signature}) -> ({types})"
        return f"{head} {{\n{body}\n{end}\n}}\n"

    def instance(self, suffix: str, replaced: Mapping[str, str] | None = None) -> str:
        """The text with values of its own, and with some arguments replaced."""
        known = {name: name for name in self.arguments} | dict(replaced or {})

        def rename(match: re.Match[str]) -> str:
            name = match.group()
            return known.get(name, f"{name}_{suffix}")

        return _NAME.sub(rename, self.text)


def _position(program: str, offset: int) -> str:
    """The place of an op that begins at an offset, as `position_of` names it."""
    before = program[:offset]
    line, column = before.count("\n") + 1, offset - before.rfind("\n")
    return f"{_FILE}:{line}:{column}"


def find_op(module: ModuleOp) -> Operation:
    """The op of a case in a function `main`: the last before the return that has a
    tensor as operand or result, marked by no other means."""
    from xdsl_bufferization.interfaces.types import has_tensor_semantics

    main = next(
        op
        for op in walk(module)
        if op.name == "func.func" and "main" in str(op.properties["sym_name"])
    )
    ops = [
        op
        for op in main.regions[0].block.ops
        if has_tensor_semantics(op)
        and op.name not in ("func.return", "bufferization.to_buffer")
    ]
    if not ops:
        raise PassFailedException("the text of the case has no op on tensors")
    return ops[-1]


def is_tensor_text(type_: str) -> bool:
    return type_.startswith("tensor<")


def is_ranked(type_: Attribute) -> TypeIs[TensorType[Attribute]]:
    """Whether a type is that of a ranked tensor."""
    return isinstance(type_, TensorType)


def memref_text(type_: TensorType[Attribute]) -> str:
    """The memref type of any layout that can hold a tensor."""
    sizes = "".join(f"{size}x" for size in type_.get_shape())
    strides = ", ".join("?" for _ in type_.get_shape())
    return f"memref<{sizes}{type_.element_type}, strided<[{strides}], offset: ?>>"

"""Small programs around an op, compiled by the complete pipeline and executed.

Each places the op where decisions about it matter: with its operands used again, in a
loop that carries its result, in one branch, in a function that is called twice, on
tensors that are allocated in the program. Contents, leaks and frees are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization import jit
from xdsl_bufferization.pipelines import BufferDeallocationPipeline, LowerToLLVMPipeline
from xdsl_bufferization.testing.answers import WrongAnswer
from xdsl_bufferization.testing.case import OpCase, is_tensor_text
from xdsl_bufferization.testing.observation import Probe, as_tuple, make_arguments
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

Meaning = Callable[[Mapping[str, Any]], Sequence[Any]]
"""The results of the op, from its arguments by name."""


@dataclass(frozen=True)
class _Program:
    """A program, and what it returns for given arguments."""

    name: str
    text: str
    expected: Callable[[Mapping[str, Any]], Sequence[Any]]


def find_wrong_programs(case: OpCase, probe: Probe) -> list[WrongAnswer]:
    """Compile and execute programs around the op; return those that go wrong."""
    meaning = meaning_of(case, probe)
    found = (_execute(case, program) for program in _programs(case, probe, meaning))
    return [wrong for wrong in found if wrong is not None]


def meaning_of(case: OpCase, probe: Probe) -> Meaning:
    """What the op computes, on copies of its arguments."""
    meaning = case.meaning
    if meaning is None:
        return lambda arguments: probe.run(arguments).results

    def call(arguments: Mapping[str, Any]) -> Sequence[Any]:
        return as_tuple(meaning(*_copies(arguments)))

    return call


def _execute(case: OpCase, program: _Program) -> WrongAnswer | None:
    pipeline = [
        OneShotBufferizePass(
            bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
        ),
        BufferDeallocationPipeline(),
        *case.lowering,
        LowerToLLVMPipeline(),
    ]
    arguments = make_arguments(case, 3)
    expected = program.expected(arguments)
    try:
        module = case.parse(program.text)
        compiled = jit.compile(module, pipeline, count=True, context=case.context)
        values = compiled["main"](*_copies(arguments))
    except DiagnosticException as error:
        return WrongAnswer(program.name, f"it does not compile: {error}", program.text)
    returned = as_tuple(values)
    del values
    for number, (value, wanted) in enumerate(zip(returned, expected, strict=True)):
        if not np.array_equal(value, wanted, equal_nan=_is_float(wanted)):
            return WrongAnswer(
                program.name,
                f"value #{number} that it returns is\n{value}\ninstead of\n{wanted}",
                program.text,
            )
        del value
    del returned
    stats = compiled.stats()
    if stats.invalid_frees:
        problem = "it frees a buffer twice, or one that is not its own"
    elif stats.leaked_bytes:
        problem = f"it leaks {stats.leaked_bytes} bytes"
    else:
        return None
    return WrongAnswer("deallocation", f"{program.name}: {problem}", program.text)


def _copies(arguments: Mapping[str, Any]) -> list[Any]:
    return [copy(value) for value in arguments.values()]


def _is_float(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "f"


def _programs(case: OpCase, probe: Probe, meaning: Meaning) -> Iterator[_Program]:
    types = [str(type_) for type_ in probe.types]
    results = list(zip(case.results, types, strict=True))
    tensors = [(name, t) for name, t in case.arguments.items() if is_tensor_text(t)]

    def named(suffix: str) -> list[tuple[str, str]]:
        return [(f"{name}_{suffix}", type_) for name, type_ in results]

    def originals(arguments: Mapping[str, Any]) -> list[Any]:
        return [arguments[name] for name, _ in tensors]

    one, two = case.instance("a"), case.instance("b")
    main = case.function
    yield _Program(
        "in place", main("main", one, returned=named("a")), lambda a: meaning(a)
    )
    yield _Program(
        "operands used afterwards",
        main("main", one, returned=[*named("a"), *tensors]),
        lambda a: [*meaning(a), *originals(a)],
    )
    yield _Program(
        "executed twice on the same operands",
        main("main", f"{one}\n{two}", returned=[*named("a"), *named("b")]),
        lambda a: [*meaning(a), *meaning(a)],
    )
    yield _Program(
        "called twice",
        main("callee__", one, returned=named("a"), visibility="private")
        + main(
            "main",
            f"{_call(case, results, 'c')}\n{_call(case, results, 'd')}",
            returned=[*named("c"), *named("d"), *tensors],
        ),
        lambda a: [*meaning(a), *meaning(a), *originals(a)],
    )
    local = "\n".join(
        f"{name}_local = bufferization.alloc_tensor() copy({name}) : {type_}"
        for name, type_ in tensors
    )
    on_local = case.instance("a", {name: f"{name}_local" for name, _ in tensors})
    yield _Program(
        "on tensors that the program allocates",
        main("main", f"{local}\n{on_local}", returned=named("a")),
        lambda a: meaning(a),
    )
    carried = [
        (name, number)
        for name, type_ in tensors
        for number, other in enumerate(types)
        if type_ == other
    ]
    for name, number in carried:
        yield _in_loop(case, name, number, results, meaning, keep=False)
        yield _in_loop(case, name, number, results, meaning, keep=True)
        for taken in (True, False):
            yield _in_branch(case, name, number, results, meaning, taken)


def _call(case: OpCase, results: Sequence[tuple[str, str]], suffix: str) -> str:
    names = ", ".join(f"{name}_{suffix}" for name, _ in results)
    arguments, types = ", ".join(case.arguments), ", ".join(case.arguments.values())
    outs = ", ".join(type_ for _, type_ in results)
    head = f"{names} = " if names else ""
    return f"{head}func.call @callee__({arguments}) : ({types}) -> ({outs})"


def _in_loop(
    case: OpCase,
    name: str,
    number: int,
    results: Sequence[tuple[str, str]],
    meaning: Meaning,
    keep: bool,
) -> _Program:
    result, type_ = results[number]
    body = f"""
      %lb__ = arith.constant 0 : index
      %ub__ = arith.constant 3 : index
      %step__ = arith.constant 1 : index
      %loop__ = scf.for %i__ = %lb__ to %ub__ step %step__
          iter_args(%carried__ = {name}) -> ({type_}) {{
        {case.instance("a", {name: "%carried__"})}
        scf.yield {result}_a : {type_}
      }}"""
    returned = [("%loop__", type_), *([(name, type_)] if keep else [])]

    def expected(arguments: Mapping[str, Any]) -> Sequence[Any]:
        value = arguments[name]
        for _ in range(3):
            value = meaning({**arguments, name: value})[number]
        return [value, *([arguments[name]] if keep else [])]

    place = f"in a loop that carries {name}{', which is used afterwards' if keep else ''}"
    return _Program(place, case.function("main", body, returned=returned), expected)


def _in_branch(
    case: OpCase,
    name: str,
    number: int,
    results: Sequence[tuple[str, str]],
    meaning: Meaning,
    taken: bool,
) -> _Program:
    result, type_ = results[number]
    body = f"""
      %condition__ = arith.constant {"true" if taken else "false"}
      %if__ = scf.if %condition__ -> ({type_}) {{
        {case.instance("a")}
        scf.yield {result}_a : {type_}
      }} else {{
        scf.yield {name} : {type_}
      }}"""

    def expected(arguments: Mapping[str, Any]) -> Sequence[Any]:
        value = meaning(arguments)[number] if taken else arguments[name]
        return [value, arguments[name]]

    returned = [("%if__", type_), (name, type_)]
    place = f"in a branch that is {'' if taken else 'not '}taken"
    return _Program(place, case.function("main", body, returned=returned), expected)


def find_wrong_numbers(case: OpCase, probe: Probe) -> WrongAnswer | None:
    """Compare what the op computes on buffers of its own with its meaning."""
    if case.meaning is None:
        return None
    arguments = make_arguments(case, 3)
    expected = meaning_of(case, probe)(arguments)
    found = probe.run(arguments).results
    for number, (value, wanted) in enumerate(zip(found, expected, strict=True)):
        if isinstance(probe.types[number], TensorType) and np.shape(wanted) != np.shape(
            value
        ):
            problem = f"the meaning returns the shape {np.shape(wanted)} for it"
        elif not np.array_equal(value, wanted, equal_nan=_is_float(wanted)):
            problem = f"it is\n{value}\ninstead of\n{wanted}"
        else:
            continue
        return WrongAnswer(
            "bufferize",
            f"result #{number} is not what the op means: {problem}",
            probe.program,
        )
    return None

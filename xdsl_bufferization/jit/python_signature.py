"""The Python signature of a compiled function: names and types of its parameters.

A parameter can be passed by its name in the program, if the name is unique. A name that
is a Python keyword gets an underscore.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.signature import Crossing, Scalar, Signature

_NUMBERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
"""What is passed for a number, by its dtype's kind."""


def python_signature(signature: Signature) -> inspect.Signature:
    """Return the signature that Python's tools show.

    A parameter that has no name of its own, and all before it, are positional only.
    """
    names = [_python_name(name) for name in signature.names]
    usable = [_is_usable(name, names) for name in names]
    last_unnamed = max((i for i, named in enumerate(usable) if not named), default=-1)
    parameters = [
        inspect.Parameter(
            name if named and name else _unused_name(f"arg{index}", signature),
            inspect.Parameter.POSITIONAL_ONLY
            if index <= last_unnamed
            else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=_parameter_type(crossing),
        )
        for index, (name, named, crossing) in enumerate(
            zip(names, usable, signature.parameters, strict=True)
        )
    ]
    return inspect.Signature(parameters, return_annotation=_results_type(signature))


def _unused_name(name: str, signature: Signature) -> str:
    while name in signature.names:
        name += "_"
    return name


def _is_usable(name: str | None, names: Sequence[str | None]) -> bool:
    return name is not None and name.isidentifier() and names.count(name) == 1


def _python_name(name: str | None) -> str | None:
    """The name of a parameter in Python, whose keywords get an underscore."""
    return f"{name}_" if name is not None and keyword.iskeyword(name) else name


def _positions(name: str, signature: Signature) -> list[int]:
    """The parameters that a name may mean."""
    exact = [i for i, known in enumerate(signature.names) if known == name]
    return exact or [
        i for i, known in enumerate(signature.names) if _python_name(known) == name
    ]


def bind(
    signature: Signature, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Return the arguments of a call in the order of the parameters.

    Raises:
        JITException: when one is missing, unknown or given twice, or there are too many.
            The message begins with what Python says of its own functions.
    """
    count, given = len(signature.parameters), len(arguments)
    bound = dict(enumerate(arguments))
    for name, value in keywords.items():
        positions = _positions(name, signature)
        if not positions:
            known = ", ".join(n for n in signature.names if n) or "none"
            raise JITException(
                f"{signature.name}() got an unexpected keyword argument '{name}'. "
                f"Its arguments are named: {known}."
            )
        if len(positions) > 1:
            raise JITException(
                f"{signature.name}() has several arguments named '{name}'; pass them by "
                f"position: {signature}."
            )
        if positions[0] in bound:
            raise JITException(
                f"{signature.name}() got multiple values for argument '{name}': "
                f"{signature}."
            )
        bound[positions[0]] = value
    if given > count:
        raise JITException(
            f"{signature.name}() takes {_counted(count, 'positional argument')} but "
            f"{given} {'was' if given == 1 else 'were'} given: {signature}."
        )
    names = python_signature(signature).parameters
    missing = [f"'{name}'" for i, name in enumerate(names) if i not in bound]
    if missing:
        what = _counted(len(missing), "required positional argument")
        raise JITException(
            f"{signature.name}() missing {what}: {_listed(missing)}: {signature}."
        )
    return tuple(bound[index] for index in range(count))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _listed(names: Sequence[str]) -> str:
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def stub_of(signatures: Sequence[Signature]) -> str:
    """Return functions as the text of a type stub."""
    lines = ["from typing import Any", "", "import numpy", "import numpy.typing", ""]
    for signature in signatures:
        if not signature.name.isidentifier() or keyword.iskeyword(signature.name):
            lines.append(f"# Not a name in Python: {signature}")
            continue
        shown = python_signature(signature)
        parameters = [f"{p.name}: {p.annotation}" for p in shown.parameters.values()]
        positional = sum(
            p.kind == inspect.Parameter.POSITIONAL_ONLY for p in shown.parameters.values()
        )
        if positional:
            parameters.insert(positional, "/")
        lines.append(
            f"def {signature.name}({', '.join(parameters)}) -> {shown.return_annotation}:"
        )
        lines.append(f'    """{signature}"""')
    return "\n".join(lines) + "\n"


def _parameter_type(crossing: Crossing) -> str:
    if isinstance(crossing, Scalar):
        return _number_type(crossing)
    return " | ".join(_array_type(dtype) for dtype in crossing.element.dtypes)


def _results_type(signature: Signature) -> str:
    types = [
        _number_type(result)
        if isinstance(result, Scalar)
        else _array_type(result.element.dtype)
        for result in signature.results
    ]
    if len(types) > 1:
        return f"tuple[{', '.join(types)}]"
    return types[0] if types else "None"


def _number_type(scalar: Scalar) -> str:
    return _NUMBERS.get(scalar.element.dtype.kind, "float")


def _array_type(dtype: Any) -> str:
    # NumPy's stubs do not know the types of ml_dtypes.
    element = f"numpy.{dtype.type.__name__}" if dtype.isbuiltin == 1 else "Any"
    return f"numpy.typing.NDArray[{element}]"

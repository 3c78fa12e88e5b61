"""Diagnostics for errors in the text of a pipeline.

If a pass, an option or a value does not exist, xDSL raises a ValueError that names
neither the pass nor the option. After such an error, this module parses the text again
to name them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields

from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.target import Target

Available = Mapping[str, Callable[[], type[ModulePass]]]


def read_passes(available: Available, text: str) -> Sequence[ModulePass]:
    """Return the passes of a pipeline.

    Raises:
        PassFailedException: if a pass, an option or its value does not exist.
        ArgSpecParseError: if the text is no pipeline.
    """
    try:
        return PassPipeline.parse_spec(dict(available), text).passes
    except ValueError as error:
        fault = fault_of_names(available, text) or fault_of_options(available, text)
        raise PassFailedException(fault or str(error)) from None


def fault_of_names(available: Available, text: str) -> str | None:
    """Say which passes of a pipeline do not exist, and which may be meant; None if all
    exist."""
    unknown = _unknown_passes(available, text)
    if not unknown:
        return None
    sentences: list[str] = []
    for name in unknown:
        similar = similar_passes(available, [name])
        meant = f" Did you mean {' or '.join(similar)}?" if similar else ""
        sentences.append(f"'{name}' is no pass.{meant}")
    return " ".join([*sentences, "xdsl-opt --help lists all passes."])


def similar_passes(available: Available, names: Iterable[str]) -> Sequence[str]:
    """Return the passes whose names are like one of some names."""
    # Needed once, at the end of the process.
    from difflib import get_close_matches

    return [each for name in names for each in get_close_matches(name, available)]


def _unknown_passes(available: Available, text: str) -> Sequence[str]:
    return sorted({spec.name for spec in parse_pipeline(text)} - available.keys())


def fault_of_options(available: Available, text: str) -> str | None:
    """Say what is wrong with the options of the first pass of which something is; None if
    nothing is. All passes exist."""
    faults = (
        fault_of_spec(available[spec.name](), spec) for spec in parse_pipeline(text)
    )
    return next(filter(None, faults), None)


def fault_of_spec(kind: type[ModulePass | Target], spec: ArgSpec) -> str | None:
    """Say what is wrong with the options of a pass or target; None if nothing is."""
    error = _error_of(kind, spec)
    if error is None or isinstance(error, PassFailedException):
        return error and str(error)
    given = spec.normalize_parameter_names().parameters
    # Needed once, at the end of the process.
    from xdsl_bufferization.pass_options import option_name, read_options

    try:
        read_options(kind, given)
    except PassFailedException as wrong:
        return str(wrong)
    missing = sorted(kind.required_fields() - given.keys() - {"name"})
    if missing:
        return f"{spec.name}: the option {option_name(missing[0])} must be given"
    names = {field.name for field in fields(kind)}
    for name in names & given.keys():
        others = {other: value for other, value in given.items() if other != name}
        without = _error_of(kind, ArgSpec(spec.name, others))
        if str(without) != str(error):
            return f"{spec.name}: {option_name(name)}: {error}"
    return f"{spec.name}: {error}"


def _error_of(kind: type[ModulePass | Target], spec: ArgSpec) -> Exception | None:
    try:
        kind.from_spec(spec)
    except (ValueError, PassFailedException) as error:
        return error
    return None

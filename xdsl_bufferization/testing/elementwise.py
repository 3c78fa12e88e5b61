"""Check whether an op accesses buffers element by element, as its model declares.

Such an op may have two operands in the same buffer. It is run in this way, and compared
with a run on two buffers with the same contents.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.testing.answers import WrongAnswer
from xdsl_bufferization.testing.case import OpCase
from xdsl_bufferization.testing.observation import OPTIONS, Probe, make_arguments


def find_wrong_elementwise_access(
    op: Operation, case: OpCase, probe: Probe
) -> list[WrongAnswer]:
    """Return the pairs of operands that may not be one buffer, though they are declared
    to be accessed element by element."""
    model = BUFFERIZABLE.lookup(op)
    assert model is not None
    state = DefaultAnalysisState(OPTIONS)
    found: list[WrongAnswer] = []
    tensors = [use for use in operands_of(op) if isinstance(get(use).type, TensorType)]
    for uses in combinations(tensors, 2):
        first, second = (f"%{get(use).name_hint}" for use in uses)
        types = case.arguments.get(first), case.arguments.get(second)
        if (
            first == second
            or None in types
            or types[0] != types[1]
            or not model.bufferizes_to_elementwise_access(op, uses, state)
        ):
            continue
        shared = Probe(replace(case, text=re.sub(rf"{second}\b", first, case.text)))
        arguments = make_arguments(case, 0)
        arguments[second] = arguments[first]
        apart, together = probe.run(arguments), shared.run(arguments)
        if any(
            np.asarray(a).tobytes() != np.asarray(b).tobytes()
            for a, b in zip(apart.results, together.results, strict=True)
        ):
            name = f"{type(model).__name__}.bufferizes_to_elementwise_access"
            problem = (
                f"{op.name}: {first} and {second} are declared to be accessed element by "
                "element, but the result is another one where they are one buffer"
            )
            found.append(WrongAnswer(name, problem, shared.program))
    return found

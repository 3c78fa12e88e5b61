"""Invalid text is a diagnostic, never another exception, whatever is wrong with it.

Programs that are valid are changed at random places; whatever the parser and verifiers
make of the result, only errors that speak of the program may come out of our code.
"""

from __future__ import annotations

import random
import re
import traceback
from pathlib import Path

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, ParseError

from xdsl_bufferization.universe import new_context

SEPARATOR = "\n// -----\n"
DIALECTS = Path(__file__).parent.parent / "oracle" / "dialects"
TOKEN = re.compile(r"[%#@!^]?[A-Za-z_][\w.$]*|%\d+|-?\d+(?:\.\d+)?|\"[^\"]*\"|\S")
OWN_CODE = "xdsl_bufferization"


def _programs() -> list[str]:
    texts = [path.read_text() for path in sorted(DIALECTS.glob("*.mlir"))]
    return [program for text in texts for program in text.split(SEPARATOR)]


PROGRAMS = _programs()


def mutate(program: str, rng: random.Random) -> str:
    """Drops, doubles, swaps or replaces one or two tokens, numbers above all."""
    for _ in range(rng.choice((1, 1, 2))):
        tokens = list(TOKEN.finditer(program))
        token = rng.choice(tokens)
        other = rng.choice(tokens)[0]
        numbers = [t for t in tokens if re.fullmatch(r"-?\d+", t[0])]
        kind = rng.randrange(6)
        if kind == 0:
            replacement = ""
        elif kind == 1:
            replacement = f"{token[0]} {token[0]}"
        elif kind in (2, 3) and numbers:
            token = rng.choice(numbers)
            replacement = rng.choice(("0", "-1", "7", "1000000", "?", "3"))
        else:
            replacement = other
        program = program[: token.start()] + replacement + program[token.end() :]
    return program


def unexpected(program: str) -> str | None:
    """The trace of an exception that is not a diagnostic and comes out of our code."""
    try:
        module = Parser(new_context(), program).parse_module()
        module.verify()
        str(module)
    except (DiagnosticException, ParseError):
        return None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        if OWN_CODE in frames[-1].filename:
            return traceback.format_exc(limit=-3)
    return None


@pytest.mark.parametrize("seed", range(8))
def test_only_diagnostics(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        program = mutate(rng.choice(PROGRAMS), rng)
        trace = unexpected(program)
        assert trace is None, f"{program}\n{trace}"

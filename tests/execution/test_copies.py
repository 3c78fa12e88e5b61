"""What `bufferization-pipeline` spares: no random program executes more copies, copied
bytes or allocations than after one-shot-bufferize and buffer-deallocation-pipeline, nor
needs more memory.

A program is compiled without optimisation: what is counted does not depend on it.
"""

from __future__ import annotations

import pytest
from xdsl.utils.exceptions import PassFailedException

from tests.execution.costs import BEST, PLAIN, worse
from tests.execution.harness import call
from tests.random_programs.checks import READ_ONLY, REFUSED, arguments_for
from tests.random_programs.program import OBSERVED, random_program
from xdsl_bufferization import jit

RANDOM_PROGRAMS = 10


@pytest.mark.parametrize("seed", range(RANDOM_PROGRAMS))
def test_never_worse_on_random_programs(seed: int) -> None:
    program = random_program(seed, OBSERVED)
    found: dict[str, jit.Stats] = {}
    for pipeline in (BEST, PLAIN):
        try:
            module = jit.compile(program.text, pipeline, count=True, opt_level=0)
        except PassFailedException as error:
            assert REFUSED in str(error) or READ_ONLY in str(error)
            continue
        found[pipeline] = call(module, "main", arguments_for(program)).stats
    # A value that nothing uses may be what the plain pipeline refuses to copy for.
    assert BEST in found or PLAIN not in found
    if PLAIN in found:
        assert not worse(found[BEST], found[PLAIN])

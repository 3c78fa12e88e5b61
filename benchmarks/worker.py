"""What xdsl-opt does, stage by stage, in a process of its own.

    python -m benchmarks.worker PROGRAM PIPELINE REPORT

writes the processor seconds of each stage to REPORT. Parsing, verifying and printing the
program are xDSL's work; the passes are measured without the verification after them.
"""

from __future__ import annotations

import dataclasses
import gc
import itertools
import json
import sys
import time
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.printer import Printer
from xdsl.universe import Universe

from xdsl_bufferization.universe import new_context


@dataclass(frozen=True)
class Stages:
    """Processor seconds, and the number of ops before and after the passes."""

    parse: float
    verify: float
    print: float
    passes: float
    ops_before: int
    ops_after: int

    @property
    def parse_verify_print(self) -> float:
        return self.parse + self.verify + self.print


def main(program: str, pipeline: str) -> Stages:
    passes = PassPipeline.parse_spec(Universe.get_multiverse().all_passes, pipeline)
    ctx = new_context()
    text = Path(program).read_text()
    clock = time.process_time
    marks = [clock()]
    module = Parser(ctx, text).parse_module()
    marks.append(clock())
    module.verify()
    marks.append(clock())
    Printer(StringIO()).print_op(module)
    marks.append(clock())
    ops_before = sum(1 for _ in module.walk())
    gc.collect()
    start = clock()
    passes.apply(ctx, module)
    taken = clock() - start
    parse, verify, printing = (b - a for a, b in itertools.pairwise(marks))
    ops_after = sum(1 for _ in module.walk())
    return Stages(parse, verify, printing, taken, ops_before, ops_after)


if __name__ == "__main__":
    stages = main(*sys.argv[1:3])
    Path(sys.argv[3]).write_text(json.dumps(dataclasses.asdict(stages)))

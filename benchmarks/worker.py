"""xdsl-opt itself, with a clock on each stage, in a process of its own.

    python -m benchmarks.worker PROGRAM PIPELINE REPORT [--profile]

runs what `xdsl-opt PROGRAM -p PIPELINE -o /dev/null` runs and writes the processor
seconds of each stage to REPORT. The program is printed once before the passes as well;
`extra` says what that took, which is to be subtracted from the process's time.
"""

from __future__ import annotations

import cProfile
import dataclasses
import json
import os
import pstats
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.printer import Printer
from xdsl.xdsl_opt_main import xDSLOptMain

PACKAGE = "xdsl_bufferization"


@dataclass
class Stages:
    """Processor seconds, and the number of ops before and after the passes."""

    parse: float = 0
    verify: float = 0
    """Once, before the passes."""
    print: float = 0
    """The program as it was read."""
    passes: float = 0
    passes_by_name: dict[str, float] = field(default_factory=dict[str, float])
    verify_after: float = 0
    """After every pass, all together."""
    print_after: float = 0
    extra: float = 0
    """What this measurement did beyond what xdsl-opt does."""
    ops_before: int = 0
    ops_after: int = 0
    profile: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds spent in the passes by the part of the code that spent them."""

    @property
    def parse_verify_print(self) -> float:
        return self.parse + self.verify + self.print


class TimedPass(ModulePass):
    """A pass that tells how long it took."""

    def __init__(
        self, timed: ModulePass, stages: Stages, profile: cProfile.Profile | None
    ):
        self.timed = timed
        self.stages = stages
        self.profile = profile

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        start = time.process_time()
        if self.profile:
            self.profile.enable()
        self.timed.apply(ctx, op)
        if self.profile:
            self.profile.disable()
        taken = time.process_time() - start
        self.stages.passes += taken
        by_name = self.stages.passes_by_name
        by_name[self.timed.name] = by_name.get(self.timed.name, 0) + taken


class TimedXDSLOpt(xDSLOptMain):
    def __init__(self, arguments: Sequence[str], profile: cProfile.Profile | None):
        self.stages = Stages()
        self.profile = profile
        super().__init__(args=arguments)

    def setup_pipeline(self) -> None:
        super().setup_pipeline()
        verify = self.pipeline.callback
        assert verify is not None

        def timed_verify(
            previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
        ) -> None:
            start = time.process_time()
            verify(previous, module, following)
            taken = time.process_time() - start
            if previous is None:
                self.stages.verify += taken
            else:
                self.stages.verify_after += taken

        timed = (TimedPass(p, self.stages, self.profile) for p in self.pipeline.passes)
        self.pipeline = PassPipeline(tuple(timed), timed_verify)

    def parse_chunk(
        self, chunk: BytesIO, file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        start = time.process_time()
        module = super().parse_chunk(chunk, file_extension, start_offset)
        parsed = time.process_time()
        assert module is not None
        Printer(StringIO()).print_op(module)
        printed = time.process_time()
        self.stages.ops_before = sum(1 for _ in module.walk())
        self.stages.parse = parsed - start
        self.stages.print = printed - parsed
        self.stages.extra = time.process_time() - parsed
        return module

    def output_resulting_program(self, prog: ModuleOp) -> str:
        start = time.process_time()
        text = super().output_resulting_program(prog)
        printed = time.process_time()
        self.stages.print_after = printed - start
        self.stages.ops_after = sum(1 for _ in prog.walk())
        self.stages.extra += time.process_time() - printed
        return text


def by_part(profile: cProfile.Profile) -> dict[str, float]:
    """The time spent in functions themselves, by module of this package, and xDSL or
    Python for all others, the longest first."""
    seconds: dict[str, float] = {}
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():
        parts = Path(file).with_suffix("").parts
        if PACKAGE in parts:
            inside = parts[len(parts) - parts[::-1].index(PACKAGE) :]
            part = "/".join(inside)
        else:
            part = "xDSL" if "xdsl" in parts else "Python"
        seconds[part] = seconds.get(part, 0) + own
    return dict(sorted(seconds.items(), key=lambda item: -item[1]))


def main(program: str, pipeline: str, report: str, *flags: str) -> None:
    profile = cProfile.Profile(time.process_time) if "--profile" in flags else None
    tool = TimedXDSLOpt([program, "-p", pipeline, "-o", os.devnull], profile)
    tool.run()
    if profile:
        tool.stages.profile = by_part(profile)
    Path(report).write_text(json.dumps(dataclasses.asdict(tool.stages)))


if __name__ == "__main__":
    main(*sys.argv[1:])

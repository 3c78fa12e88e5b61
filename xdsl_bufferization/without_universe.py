"""For tools that build their context from xDSL's dialects, without plug-ins.

xDSL's passes then see ops of xDSL's classes, until a pass of this package adopts the
program. `adopt` does the same if an xDSL pass runs first.
"""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.dialects.adoption import adopt_ops
from xdsl_bufferization.guest import take_over


def adopt(program: Operation) -> None:
    """Give the ops of a program the classes of this package, in time linear in its size.

    `program` is parsed in, or built for, any context; all ops inside it that this package
    refines get their refinement, in place. Passes of xDSL still recognise them, and
    `canonicalize` has the patterns of this package. Every pass of this package does so
    first: call it where a pass of xDSL is to know what this package knows, or after a
    pass that has built ops.
    """
    take_over()
    adopt_ops(program)

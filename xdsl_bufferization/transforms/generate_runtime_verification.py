"""The pass generate-runtime-verification.

Ops are visited in program order. The requirements of an op, as its model states them,
are dropped if they are known to hold: from static sizes, from the bounds of surrounding
loops, or from an earlier check on every path to the op. The others become a comparison
and a cf.assert before the op, or before the surrounding loops (`LoopChecks`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.conversion.utils.diagnostics import failed_check
from xdsl_bufferization.interfaces.runtime_verifiable import (
    RUNTIME_VERIFIABLE,
    InBounds,
    LanesInBounds,
    Requirement,
)
from xdsl_bufferization.locations import visit
from xdsl_bufferization.models import announce_runtime_verification
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.loop_checks import LoopChecks
from xdsl_bufferization.transforms.utils.runtime_checks import CheckBuilder, condition_key
from xdsl_bufferization.transforms.utils.runtime_requirements import Key, is_met, key_of


@dataclass(frozen=True)
class GenerateRuntimeVerificationPass(ModulePass):
    """Check sizes, ranks and bounds at run time, unless they are statically known to be
    right.

    An index must be inside its buffer and a view inside its source, operands of a copy
    or of a linalg op must have matching shapes, and a cast must be to the actual type:

        %0 = memref.load %m[%i] : memref<?xf32>

    becomes

        %c0 = arith.constant 0 : index
        %d = memref.dim %m, %c0 : memref<?xf32>
        %ok = arith.cmpi ult, %i, %d : index
        cf.assert %ok, "ERROR: Runtime op verification failed ..."
        %0 = memref.load %m[%i] : memref<?xf32>

    The message shows the op, the error and its location. A program without such errors
    behaves as before. Run the pass on buffers, before linalg is lowered to loops: one
    check of the operands' sizes then covers all accesses of an op. If every iteration
    of a loop nest accesses an element whose index is linear in the induction variables,
    the first and the last iteration are checked before the nest, unless an op in the
    nest may end the program.

    Ops on tensors are checked as well: if the pass runs before bufferization, messages
    show these ops, and the pass checks casts that bufferization removes. If it runs
    again after bufferization, it adds only the checks that do not follow from existing
    assertions.

    The pass makes fewer checks than mlir-opt: none that static sizes, the bounds of
    loops or an earlier check already guarantee. It also covers views of bytes,
    reshapes, and affine and vector accesses; sizes of allocations and views must not be
    negative, and sizes of linalg operands must match even where no element is computed.
    Ops of other dialects take part through `RuntimeVerifiableOpInterface`.

    A memref.reinterpret_cast must stay between the first and the last element of the
    buffer that its source is a view of. The pass looks for that buffer through other
    views, and assumes that a function or block argument is a complete buffer. An
    unranked source must have the rank of the result, unless the result is only freed or
    compared.

    Options:
        verbose-level: 0 for messages without the op, 1 (the default) to show it.
    """

    name = "generate-runtime-verification"

    verbose_level: Literal[0, 1] = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        generate_runtime_verification(op, show_ops=self.verbose_level > 0)


@on_program
def generate_runtime_verification(root: Operation, *, show_ops: bool = True) -> None:
    """Insert checks before the ops under `root`.

    Args:
        root: an op such as a module or a function.
        show_ops: whether messages show the op.
    """
    announce_runtime_verification()
    _Generator(show_ops).visit_regions(root, set())


class _Generator:
    """Inserts checks before ops, or before loops around them."""

    def __init__(self, show_ops: bool) -> None:
        self.show_ops = show_ops
        self.loops = LoopChecks()

    def visit_regions(self, op: Operation, checked: set[Key]) -> None:
        """Insert checks in the regions of an op.

        Args:
            checked: what has been checked on every path to the op; the same after the
                visit.
        """
        for region in op.regions:
            for block in region.blocks:
                in_block: set[Key] = set()
                for inner in list(block.ops):
                    visit(inner)
                    self._visit_op(inner, checked, in_block)
                    if inner.regions:
                        self.visit_regions(inner, checked)
                checked -= in_block

    def _visit_op(self, op: Operation, checked: set[Key], in_block: set[Key]) -> None:
        if isinstance(op, cf.AssertOp):
            asserted = condition_key(op.arg)
            if asserted not in checked:
                checked.add(asserted)
                in_block.add(asserted)
        model = RUNTIME_VERIFIABLE.lookup(op)
        if model is None:
            return
        around = op.parent_op()
        mask = around.operands[0] if around and around.name == "vector.mask" else None
        # The region of a vector.mask has one op only: its checks come before the mask.
        builder = CheckBuilder(op if around is None or mask is None else around)
        for requirement in model.get_runtime_requirements(op):
            if mask is not None:
                if not isinstance(requirement, LanesInBounds):
                    continue  # which lanes are accessed depends on the mask
                if requirement.mask is not mask:
                    both = builder.index.add(arith.AndIOp(mask, requirement.mask))
                    requirement = replace(requirement, mask=both)
            if is_met(requirement):
                continue
            key = key_of(requirement)
            if key not in checked:
                checked.add(key)
                in_block.add(key)
                self._check(op, requirement, builder, checked)
        builder.insert()

    def _check(
        self,
        op: Operation,
        requirement: Requirement,
        builder: CheckBuilder,
        checked: set[Key],
    ) -> None:
        """Check the requirements of an op, before the loops around it if possible."""
        message = failed_check(op, requirement.reason, show_op=self.show_ops)
        if isinstance(requirement, InBounds) and not builder.is_known(
            requirement, checked
        ):
            moved = self.loops.move_out(op, requirement)
            if moved is not None:
                loop, requirements = moved
                before_loop = CheckBuilder(loop)
                for each in requirements:
                    if not is_met(each):
                        before_loop.add_check(each, message, checked)
                before_loop.insert()
                return
        builder.add_check(requirement, message, checked)

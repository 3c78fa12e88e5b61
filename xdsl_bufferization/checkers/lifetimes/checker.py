"""The deallocation checker: is every allocation freed exactly once, and not used
afterwards?

It follows *one* allocation forward, from its definition, along every control flow path.
It ignores all other memory, which keeps it simple: only memrefs to which a new
allocation is forwarded can refer to it, and deallocations of other memory under unknown
conditions are irrelevant.

    %r, %own = scf.if %c -> (memref<4xf32>, i1) {
      %a = memref.alloc()             // followed from here: %a; %c is true
      scf.yield %a, %true
    } else {
      scf.yield %m, %false            // the allocation never comes here
    }                                 // %r is in it, %own is true
    scf.if %own {
      memref.dealloc %r               // so this is always done: freed
    }

The memory of arguments, globals and the stack is followed as well: it must not be
freed.

**Lattice.** A state (state.py) describes a possible situation before an op: which
memrefs are in the allocation, whether it is freed, whether it must be freed, and
conditions whose value is known. It includes another state with the same facts about the
allocation and more known conditions. Each op has a set of states; the bottom is the
empty set.

**Join.** The union of the sets, so that cases that depend on a condition stay separate.
If one allocation has more than a fixed number of states at an op, those with the same
facts about the allocation are merged: conditions are intersected.

**Termination.** A program has finitely many memrefs and conditions, sets only grow, and
each state is visited once. Facts that are no longer needed are dropped (uses.py), so
that few states differ. States do not name their allocation: all allocations of a
function share the work.

**Growth.** If an allocation is in up to *n* memrefs, and one dealloc names all of them,
up to *n* sets of memrefs reach it. Ops that only rename a memref, or that are known to do
nothing to the allocation, are passed without a state of their own (`Domain.advance`), and
a dealloc looks only at its entries in the allocation (owners.py): otherwise each state
would visit *n* ops, and compare *n* memrefs at each.

**Transfer**, by kind of op (transfer.py):

- allocation: an initial state, with the conditions that are known there;
- view: another memref in the allocation;
- access of any kind: an error if the allocation is freed;
- free, bufferization.dealloc: frees it, if the conditions are true;
- choice (arith.select): both cases;
- branch, op with regions, end of a region: edges (flow.py), each under its conditions;
- call: a callee is visited once for all calls with equal states, and each of them
  continues when it returns; its own allocations start again in its callers;
- any op that stores a memref, casts it to another type of value, or may forward it in
  an unknown way: *undecided*.

If a condition is unknown (conditions.py), both branches are followed, and each records
its choice. A condition that is computed twice is one condition (numbering.py).

**Two passes.** The solver (solver.py) visits states until there are no new ones, and
collects faults. The second pass (witness.py) searches for a definitely feasible path to
each fault: then the fault is an error. If there is none, because all paths depend on
conditions that may exclude each other, the fault is undecided. On a path, loop counters
are known, and an assumption about a value restricts later assumptions (trace.py).

**Trusted base.** The computations of ops. From the package: `view_like`,
`memory_effects`, the interfaces of control flow and of counted loops and their models,
`FunctionTable`, `ForwardedValues` and `constant_of`. The passes that insert
deallocations use these as well. The helper function of lowered deallocs is recognised
by its behaviour (recognition.py).
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.checkers.lifetimes.freedom import FreeValues
from xdsl_bufferization.checkers.lifetimes.report import Lifetimes, WrongLifetime
from xdsl_bufferization.checkers.lifetimes.solver import TOO_MANY, Solver
from xdsl_bufferization.checkers.lifetimes.transfer import HIDDEN
from xdsl_bufferization.checkers.lifetimes.witness import Witnesses, described

__all__ = ["TOO_MANY", "check_lifetimes"]


def check_lifetimes(module: ModuleOp) -> Lifetimes:
    """Check a bufferized program in which deallocations have been inserted, lowered or
    not."""
    solver = Solver(module)
    solver.solve()
    found = Lifetimes(followed=solver.followed)
    if not solver.faults:
        return found
    domain = solver.domain
    numbering = domain.numbering
    free = FreeValues(numbering, domain.flow, solver.internal)
    witnesses = Witnesses(numbering, domain.flow, free, solver.steps)
    wrong: dict[tuple[str, Operation, Operation], WrongLifetime] = {}
    undecided: dict[tuple[str, Operation, Operation], WrongLifetime] = {}
    for fault in solver.faults:
        key = fault.what, fault.op, fault.origin
        if key in wrong:
            continue
        is_certain, path = witnesses.find(fault)
        if fault.what in (HIDDEN, TOO_MANY):
            is_certain = False
        to = wrong if is_certain else undecided
        if key not in to:
            notes = [note for step in path if (note := described(numbering, step))]
            to[key] = WrongLifetime(fault.what, fault.op, fault.origin, notes)
    found.wrong = list(wrong.values())
    found.undecided = [u for key, u in undecided.items() if key not in wrong]
    return found

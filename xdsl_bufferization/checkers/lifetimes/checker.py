"""The checker of deallocations: is every allocation freed once, and not used afterwards?

It follows *one* allocation forward, from where it is made, along every path that control
may take. All other memory is of no interest meanwhile, which is what makes this simple: a
new allocation is in no memref but those it is forwarded to, and whatever is freed under
unknown conditions elsewhere does not matter to it.

    %r, %own = scf.if %c -> (memref<4xf32>, i1) {
      %a = memref.alloc()             // followed from here: %a; %c is true
      scf.yield %a, %true
    } else {
      scf.yield %m, %false            // the allocation never comes here
    }                                 // %r is in it, %own is true
    scf.if %own {
      memref.dealloc %r               // so this is always done: freed
    }

The memory of arguments, of globals and on the stack is followed as well: it must not be
freed.

**Lattice.** A state (state.py) is what may be the case in front of an op: which memrefs
are in the allocation, whether it is freed, whether it has to be, and conditions whose
truth is known. It includes another one that says the same of the allocation, and knows
more conditions. At each op there is a set of states; at the bottom, none.

**Join.** The union of the sets, so that what depends on a condition stays apart. Where
one allocation has more than a fixed number of states at an op, those that say the same
of the allocation are joined: conditions are intersected.

**Termination.** Memrefs and conditions of a program are finite in number, sets only grow,
and a state is followed once. What is not needed any more is forgotten (uses.py), so that
few states differ. They do not say which allocation they are about: all allocations of a
function share the work.

**Transfer**, by kind of op (transfer.py):

- allocation: a first state, with the conditions that are known where it is made;
- view: another memref in the allocation;
- access, of whatever kind: is wrong if the allocation is freed;
- free, bufferization.dealloc: frees it, if the conditions hold;
- choice (arith.select): both cases;
- branch, op with regions, end of a region: edges (flow.py), each under its conditions;
- call: a callee is followed once for all calls that give it the same, and continues in
  each of them as it returns; what it has allocated starts again in its callers;
- whatever stores a memref, casts it to something else, or may forward it in a way that
  is not known: *undecided*.

If a condition is not known (conditions.py), both branches are followed, and it is
remembered which of them was taken. A condition that is computed twice is one condition
(numbering.py).

**Two passes.** The solver (solver.py) visits states until there are no new ones, and
collects faults. The second pass (witness.py) looks for a path to each fault that can be
taken for sure: then it is an error. If there is none, because it depends on conditions
that may exclude each other, it is undecided. On a path, counters of loops are known, and
what is assumed of a value restricts what may be assumed later (trace.py).

**Trusted base.** What ops compute. From the package: `view_like`, `memory_effects`, the
interfaces of control flow and of counted loops and their models, `FunctionTable`,
`ForwardedValues` and `constant_of`. The passes that insert deallocations use these as
well. A helper function of lowered deallocs is known by what it does (recognition.py).
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

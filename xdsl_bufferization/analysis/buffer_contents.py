"""The checker of bufferizations: does every op read what the tensor program says?

It knows nothing of aliases on tensors, conflicts and decisions. It follows the bufferized
program forward and keeps, for every part of memory (buffer_contents_regions.py), which
tensors of the original program are in there (marks tell, buffer_contents_marks.py):

- the results of an op are in the buffers it has written;
- a write damages all tensors in memory that overlaps, in the part that is written;
- a copy carries tensors along with what is damaged of them;
- where ways join, only what is there on all of them remains; a loop is gone through until
  nothing changes.

An op that reads a buffer must find one of its tensor operands in it, undamaged. An op
that writes a part of a buffer must find the tensor it updates in the rest.

What the ops themselves compute is taken for granted, and that the models put results
where they say: the checker looks for contents that were destroyed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappop, heappush
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region as IRRegion,
    SSAValue,
)

from xdsl_bufferization.analysis.buffer_contents_accesses import (
    Global,
    MarkedProgram,
    Returned,
    Segment,
)
from xdsl_bufferization.analysis.buffer_contents_loops import End, LoopChecker, State
from xdsl_bufferization.analysis.buffer_contents_ops import Handler
from xdsl_bufferization.analysis.buffer_contents_races import (
    Access,
)
from xdsl_bufferization.analysis.buffer_contents_report import WrongRead
from xdsl_bufferization.analysis.buffer_contents_state import Contents, Root
from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.analysis.facts.functions import (
    ACCESS,
    FunctionTable,
    argument_attribute,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.bufferizable import MEMREF_CLASSES, TENSOR_CLASSES

_BUFFERS_AND_TENSORS = MEMREF_CLASSES | TENSOR_CLASSES
_NOT_READ = ("write", "none")
_NOT_WRITTEN = ("read", "none")


Globals: TypeAlias = Mapping[FuncOp, Sequence[frozenset[Root]]]
"""By function, for each result, the globals whose memory it may be."""


@dataclass
class Effects:
    """What a caller must know of a function: which arguments it writes, and of what
    memory its results are (an argument's number, a global, or a root of its own)."""

    written: set[int] = field(default_factory=set[int])
    results: list[frozenset[Root]] = field(default_factory=list[frozenset[Root]])


def check_contents(module: ModuleOp, described: Mapping[int, str]) -> list[WrongRead]:
    """Check a bufferized program with marks.

    Args:
        described: the tensors by number, as `Marks` describes them.
    """
    functions = FunctionTable(module)
    constants = {
        op.sym_name.data
        for op in module.ops
        if isinstance(op, memref.GlobalOp) and op.constant is not None
    }
    program = MarkedProgram(functions, described, constants)
    globals_: Globals = {}
    while True:
        checker = _Checker(program, globals_)
        for func in functions.functions:
            checker.effects(func)
        found = checker.returned_globals()
        if not checker.has_assumed_globals or found == globals_:
            return list(checker.wrong.values())
        globals_ = found


class _Checker(LoopChecker):
    """Follows control flow, from function to function.

    Args:
        globals_: what is assumed of functions that call themselves, or are called
            indirectly.
    """

    def __init__(self, program: MarkedProgram, globals_: Globals) -> None:
        super().__init__(program)
        self._globals = globals_
        self.has_assumed_globals = False
        self._callable: dict[Attribute, list[FuncOp]] | None = None
        self._effects: dict[FuncOp, Effects | None] = {}
        self._needed: dict[tuple[FuncOp, int], bool] = {}
        self._returns: list[tuple[Operation, Contents]] = []

    # Functions.

    def effects(self, func: FuncOp) -> Effects | None:
        """What a function does; None when it is not known, or calls itself."""
        if func in self._effects:
            return self._effects[func]
        self._effects[func] = None
        if func.body.blocks.first is None:
            return None
        effects = self._run(func, set())
        self._effects[func] = effects
        return effects

    def returned_globals(self) -> Globals:
        """The globals that functions were seen to return."""
        found: dict[FuncOp, Sequence[frozenset[Root]]] = {}
        for func, effects in self._effects.items():
            if effects is not None:
                globals_ = [
                    frozenset(root for root in roots if isinstance(root, Global))
                    for roots in effects.results
                ]
                if any(globals_):
                    found[func] = globals_
        return found

    def _assumed_globals(
        self, op: CallOp | CallIndirectOp, result: int
    ) -> frozenset[Root]:
        """The globals that a function may return whose effects are not known (yet)."""
        self.has_assumed_globals = True
        found: frozenset[Root] = frozenset()
        for callee in self._possible_callees(op):
            if callee in self._globals:
                found |= self._globals[callee][result]
        return found

    def _possible_callees(self, op: CallOp | CallIndirectOp) -> Sequence[FuncOp]:
        if isinstance(op, CallOp):
            callee = self._functions.callee(op)
            return [] if callee is None else [callee]
        if self._callable is None:
            self._callable = self._functions.callable_by_value()
        return self._callable.get(op.callee.type, [])

    def _needs(self, func: FuncOp, index: int) -> bool:
        """Whether a function reads what an argument holds when it is called."""
        key = (func, index)
        known = self._needed.get(key)
        if known is None:
            self._needed[key] = True
            wrong, self.wrong = self.wrong, {}
            self._run(func, {index})
            known = self._needed[key] = bool(self.wrong.keys() - wrong.keys())
            self.wrong = wrong
        return known

    def _run(self, func: FuncOp, missing: set[int]) -> Effects:
        saved = (
            self._segment,
            self._entry,
            self._returns,
            self._written,
            self._log,
            self._read_only,
            self._loops,
        )
        self._returns, self._written, self._log = [], set(), None
        self._read_only, self._loops = set(), {}
        entry = func.body.blocks.first
        assert entry is not None
        buffers = [a for a in entry.args if a.type.__class__ in MEMREF_CLASSES]
        self._segment = Segment()
        self._entry = dict.fromkeys(missing, False)
        self._region(func.body, Contents())
        effects = Effects(
            {argument.index for argument in buffers if argument in self._written}
        )
        for end, contents in self._returns:
            for number, operand in enumerate(end.operands):
                if len(effects.results) <= number:
                    effects.results.append(frozenset())
                if operand.type.__class__ in MEMREF_CLASSES:
                    roots = self._all_roots(self._names.region(operand), contents)
                    effects.results[number] |= {
                        root.index
                        if isinstance(root, BlockArgument) and root in buffers
                        else root
                        if isinstance(root, Global)
                        else (func, root)
                        for root in roots
                    }
        (
            self._segment,
            self._entry,
            self._returns,
            self._written,
            self._log,
            self._read_only,
            self._loops,
        ) = saved
        return effects

    # Regions and blocks.

    def _region(self, region: IRRegion, contents: Contents) -> list[End]:
        """Follow a region from its start to the ops that leave it."""
        first = region.blocks.first
        assert first is not None
        saved = self._segment
        # What is not used afterwards may still be used inside.
        self._segment = replace(saved, last=(), handed_on=())
        if first.next_block is None:
            self._block(first, contents)
            ends = [self._end(first.last_op, contents)]
        else:
            ends = self._blocks(region, contents)
        self._segment = saved
        return ends

    def _end(self, op: Operation | None, contents: Contents) -> End:
        if isinstance(op, ReturnOp):
            self._returns.append((op, contents))
        valid = {} if op is None else self._valid_operands(op, contents)
        contents.forget(self._segment.last)
        return End(op, contents, valid)

    def _blocks(self, region: IRRegion, contents: Contents) -> list[End]:
        """Follow the blocks of a region to their fixed point."""
        first = region.blocks.first
        assert first is not None
        order = {block: n for n, block in enumerate(reachable_blocks(region))}
        states: dict[Block, State] = {first: State(contents, self._entry)}
        ends: dict[Block, End] = {}
        queue, waiting = [(0, first)], {first}
        while queue:
            _, block = heappop(queue)
            waiting.discard(block)
            self._entry = states[block].valid
            at_end = states[block].contents.copy()
            self._block(block, at_end)
            end = self._end(block.last_op, at_end)
            if end.op is None or not end.op.successors:
                ends[block] = end
                continue
            for edge, successor in enumerate(end.op.successors):
                state = self._forward(end, edge, successor)
                number = order[successor]
                if successor in states:
                    back = number <= order[block]
                    loop = partial(_is_made_from, number, order) if back else None
                    if not self._join(states[successor], state, loop):
                        continue
                else:
                    states[successor] = state
                if successor not in waiting:
                    waiting.add(successor)
                    heappush(queue, (number, successor))
        return list(ends.values())

    def _forward(self, end: End, edge: int, successor: Block) -> State:
        """What a branch brings to a block."""
        assert end.op is not None
        contents = end.contents.copy()
        model = BRANCH.lookup(end.op)
        if model is None:
            self._flow_somehow(end.op, successor.args, end.op.operands, contents)
            return State(contents, {})
        positions = model.get_successor_operand_range(end.op, edge)
        sent = [end.op.operands[position] for position in positions]
        self._flow(successor.args, sent, contents)
        valid = {
            number: end.valid[position]
            for number, position in enumerate(positions)
            if position in end.valid
        }
        return State(contents, valid)

    def _block(self, block: Block, contents: Contents) -> None:
        for op in block.ops:
            self._op(op, contents)

    def _handler(self, op: Operation) -> Handler:
        match op:
            case CallOp() | CallIndirectOp():
                return self._call
            case _:
                return super()._handler(op)

    # Calls.

    def _call(self, op: CallOp | CallIndirectOp, contents: Contents) -> None:
        """What a call does; if the function is not known, it may do anything with its
        arguments, and return them."""
        callee = self._functions.callee(op) if isinstance(op, CallOp) else None
        promised: FuncOp | None = None
        if callee is not None and callee.body.blocks.first is None:
            callee, promised = None, callee
        effects = None if callee is None else self.effects(callee)

        def is_needed(position: int) -> bool:
            if promised is not None and _access(promised, position) in _NOT_READ:
                return False
            return callee is None or effects is None or self._needs(callee, position)

        for position, value in self._invalid_operands(op, contents):
            if is_needed(position):
                region = self._names.region(op.operands[position])
                self._report(op, region, [value], contents)
        roots_of_arguments: dict[int, frozenset[Root]] = {}
        for position, value in enumerate(op.operands):
            if value.type.__class__ not in MEMREF_CLASSES:
                continue
            region = self._names.region(value)
            roots_of_arguments[position] = contents.roots_of(region.base)
            if self._log is not None and is_needed(position):
                self._log.append(Access(False, region, op))
            if promised is not None and _access(promised, position) in _NOT_WRITTEN:
                continue
            if effects is None or position in effects.written:
                self._write(op, region, contents, True)
        results = [r for r in op.results if r.type.__class__ in MEMREF_CLASSES]
        for result in results:
            contents.allocate(result)
        if callee is None:
            self._return_anything(op, results, contents)
        new: dict[Root, SSAValue] = {}
        """What the function has allocated, by where it has."""
        for result in results if callee is not None else ():
            roots: set[Root] = set()
            if effects is None:
                roots = {result}.union(*roots_of_arguments.values())
                roots |= self._assumed_globals(op, result.index)
            else:
                for root in effects.results[result.index]:
                    if isinstance(root, int):
                        roots |= roots_of_arguments[root]
                    elif isinstance(root, Global):
                        roots.add(root)
                    else:
                        roots.add(new.setdefault(root, result))
            contents.set_roots(result, frozenset(roots))
        self._segment.written += [
            (self._names.region(result), True)
            for result in op.results
            if result.type.__class__ in _BUFFERS_AND_TENSORS
        ]
        self._segment.results = {}

    def _return_anything(
        self,
        op: CallOp | CallIndirectOp,
        results: Sequence[OpResult],
        contents: Contents,
    ) -> None:
        """Each result of an unknown function may be any of its arguments. But no two are
        the same buffer: the caller owns, and frees, each of them."""
        new = [Returned(op, result.index) for result in results]
        # What the same call gave before is something else.
        earlier = [contents.renew(root) for root in new]
        given: frozenset[Root] = frozenset()
        for value in op.operands:
            if value.type.__class__ in MEMREF_CLASSES:
                given |= contents.roots_of(self._names.region(value).base)
        contents.extend_roots(given, frozenset(new))
        for result, root, before in zip(results, new, earlier, strict=True):
            known = self._returned.get(root, frozenset())
            self._returned[before] = self._returned.get(before, frozenset()) | known
            self._returned[root] = known | given
            globals_ = self._assumed_globals(op, result.index)
            contents.set_roots(result, globals_ | {root})


def _is_made_from(first: int, order: Mapping[Block, int], value: SSAValue) -> bool:
    """Whether a value is made in the blocks that come, in their order, from the first one
    on: in a loop that begins there, if it is visible in the loop."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    while block is not None and block not in order:
        around = block.parent_op()
        block = None if around is None else around.parent
    return block is not None and order[block] >= first


def _access(func: FuncOp, position: int) -> str | None:
    """What a function without a body promises to do to an argument."""
    access = argument_attribute(func, position, ACCESS)
    return access.data if isinstance(access, StringAttr) else None

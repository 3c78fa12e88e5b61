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

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, VectorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import (
    Block,
    BlockArgument,
    Operation,
    Region as IRRegion,
    SSAValue,
)
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.analysis.buffer_contents_marks import AFTER, BEFORE, MarkOp
from xdsl_bufferization.analysis.buffer_contents_regions import (
    Names,
    Part,
    Region,
    Step,
    common_steps,
    is_same,
    same_part,
)
from xdsl_bufferization.analysis.buffer_contents_state import Contents, Damage, Root
from xdsl_bufferization.analysis.function_summaries import FunctionTable
from xdsl_bufferization.analysis.value_bounds import Index, constant_of
from xdsl_bufferization.dialects import linalg, memref, scf, vector
from xdsl_bufferization.dialects.linalg.attrs import IteratorType
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.bufferizable import MEMREF_TYPES
from xdsl_bufferization.interfaces.diagnostics import describe

_HARMLESS = (
    "memref.dim",
    "memref.rank",
    "memref.dealloc",
    "memref.extract_strided_metadata",
    "memref.extract_aligned_pointer_as_index",
)


NOT_SHARED = "a buffer that no other iteration writes"
"""What is expected in a parallel loop."""
_READING = (
    *("vector.transfer_read", "vector.load", "vector.maskedload", "vector.gather"),
    *("vector.expandload", "memref.prefetch"),
)
"""What reads memory and does not write it; what is not named here may do both."""
_RENAMING = (
    *("tensor.bitcast", "tensor.cast", "tensor.collapse_shape", "tensor.expand_shape"),
    *("tensor.extract_slice", "tensor.reshape", "bufferization.to_tensor"),
)
_ASSEMBLING = ("tensor.concat",)
"""What copies each of its operands to a part of the result, which these fill."""
_COMPUTING = ("bufferization", "linalg", "tensor")
"""Dialects of which all other ops write the elements of what they give."""


@dataclass(frozen=True)
class WrongRead:
    """An op that finds the wrong contents.

    Attributes:
        op: the op, of the bufferized program.
        expected: the tensors of which it should find one.
        found: the tensors that are there.
        writes: the ops that have destroyed what was expected.
    """

    op: Operation
    expected: Sequence[str]
    found: Sequence[str]
    writes: Sequence[Operation]

    def __str__(self) -> str:
        found = ", ".join(self.found) or "nothing known"
        lines = "".join(
            f"\n  destroyed by this write:{describe(write)}" for write in self.writes
        )
        return (
            f"{self.op.name}: expects {' or '.join(self.expected) or 'nothing'} in the "
            f"buffer, finds {found}.{describe(self.op)}{lines}"
        )


@dataclass(frozen=True)
class Global:
    """The memory of a global, which must not be written if it is a constant."""

    name: str
    is_constant: bool


@dataclass
class Segment:
    """The bufferized form of one op of the tensor program.

    Attributes:
        expected: its tensor operands.
        undefined: those with undefined contents.
        written: regions written so far, each with whether the contents are right.
        results: for each tensor it gives, whether the buffer is known to hold it; None if
            that is to be seen from what was written.
        last: the tensors that are not used afterwards.
    """

    expected: Sequence[int] = ()
    undefined: set[int] = field(default_factory=set[int])
    written: list[tuple[Region, bool]] = field(default_factory=list[tuple[Region, bool]])
    results: Sequence[bool] | None = None
    last: Sequence[int] = ()


@dataclass
class End:
    """An op that ends a region, what is in memory then, and for each memref operand of
    the op whether it holds the tensor that is handed on."""

    op: Operation
    contents: Contents
    valid: list[bool]


@dataclass
class Effects:
    """What a caller must know of a function: which arguments it writes, and of what
    memory its results are (an argument's number, or a root of its own)."""

    written: set[int] = field(default_factory=set[int])
    results: list[frozenset[Root]] = field(default_factory=list[frozenset[Root]])


def check_contents(module: ModuleOp, described: Mapping[int, str]) -> list[WrongRead]:
    """Check a bufferized program with marks.

    Args:
        described: the tensors by number, as `insert_marks` gave them.
    """
    functions = FunctionTable(module)
    constants = {
        op.sym_name.data
        for op in module.ops
        if isinstance(op, memref.GlobalOp) and op.constant is not None
    }
    checker = _Checker(functions, described, constants)
    for func in functions.functions:
        checker.effects(func)
    return list(checker.wrong.values())


class _Checker:
    def __init__(
        self,
        functions: FunctionTable,
        described: Mapping[int, str],
        constants: Set[str],
    ) -> None:
        self._constants = constants
        self.wrong: dict[tuple[Operation, tuple[int, ...]], WrongRead] = {}
        self._functions = functions
        self._described = described
        self._names = Names()
        self._effects: dict[FuncOp, Effects | None] = {}
        self._needed: dict[tuple[FuncOp, int], bool] = {}
        self._segment = Segment()
        self._entry: list[bool] = []
        self._returns: list[tuple[Operation, Contents]] = []
        self._written: set[Root] = set()
        self._log: list[tuple[bool, Region, Operation]] | None = None
        self._read_only: set[Root] = set()
        self._in_loops: dict[SSAValue, frozenset[Root]] = {}
        """By what a loop hands on, all the memory that was found it may be."""
        self._allocated_inside: dict[Operation, list[SSAValue]] = {}
        self._same: dict[int, int] = {}
        """To a thread, a shared output is what it was before the loop."""

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
        )
        self._returns, self._written, self._log = [], set(), None
        self._read_only = set()
        entry = func.body.blocks.first
        assert entry is not None
        buffers = [a for a in entry.args if isinstance(a.type, MEMREF_TYPES)]
        self._segment = Segment()
        self._entry = [a.index not in missing for a in buffers]
        self._region(func.body, Contents())
        effects = Effects(
            {argument.index for argument in buffers if argument in self._written}
        )
        for end, contents in self._returns:
            for number, operand in enumerate(end.operands):
                if len(effects.results) <= number:
                    effects.results.append(frozenset())
                if isinstance(operand.type, MEMREF_TYPES):
                    roots = contents.roots_of(self._names.region(operand).base)
                    effects.results[number] |= {
                        root.index
                        if isinstance(root, BlockArgument) and root in buffers
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
        ) = saved
        return effects

    # Regions and blocks.

    def _region(self, region: IRRegion, contents: Contents) -> list[End]:
        """Follow a region from its start to the ops that leave it."""
        first = region.blocks.first
        assert first is not None
        saved = self._segment
        self._segment = replace(saved, last=())
        if first.next_block is None:
            self._block(first, contents)
            assert first.last_op is not None
            ends = [self._end(first.last_op, contents)]
        else:
            ends = self._blocks(first, contents)
        self._segment = saved
        return ends

    def _end(self, op: Operation, contents: Contents) -> End:
        if isinstance(op, ReturnOp):
            self._returns.append((op, contents))
        return End(op, contents, list(self._valid_operands(op, contents).values()))

    def _blocks(self, first: Block, contents: Contents) -> list[End]:
        order = {block: n for n, block in enumerate(_reverse_postorder(first))}
        around = first.parent_op()
        before: dict[Block, Contents] = {first: contents}
        entries: dict[Block, list[bool]] = {first: self._entry}
        ends: dict[Block, End] = {}
        queue, waiting = [(0, first)], {first}
        while queue:
            _, block = heappop(queue)
            waiting.discard(block)
            self._entry = entries[block]
            at_end = before[block].copy()
            self._block(block, at_end)
            op = block.last_op
            assert op is not None
            if not op.successors:
                ends[block] = self._end(op, at_end)
                continue
            valid = self._valid_operands(op, at_end)
            for edge, successor in enumerate(op.successors):
                after = at_end.copy()
                flags = self._forward(op, edge, successor, valid, after)
                number = order[successor]
                if successor not in before:
                    before[successor], entries[successor] = after, flags
                    waiting.add(successor)
                    heappush(queue, (number, successor))
                    continue
                back = around if number <= order[block] else None
                changed = before[successor].join(after, back)
                joined = _both(entries[successor], flags)
                if changed or joined != entries[successor]:
                    entries[successor] = joined
                    if successor not in waiting:
                        waiting.add(successor)
                        heappush(queue, (number, successor))
        return list(ends.values())

    def _forward(
        self,
        end: Operation,
        edge: int,
        successor: Block,
        valid: Mapping[int, bool],
        contents: Contents,
    ) -> list[bool]:
        """Hand operands of a branch to the arguments of a block."""
        model = BRANCH.lookup(end)
        assert model is not None
        positions = model.get_successor_operand_range(end, edge)
        flags: list[bool] = []
        for argument, position in zip(successor.args, positions, strict=True):
            if isinstance(argument.type, MEMREF_TYPES):
                self._flow([argument], [end.operands[position]], contents)
                flags.append(valid.get(position, True))
        return flags

    def _block(self, block: Block, contents: Contents) -> None:
        for op in block.ops:
            self._op(op, contents)

    def _flow(
        self, targets: Sequence[SSAValue], sources: Sequence[SSAValue], contents: Contents
    ) -> None:
        """Targets become the memory that sources are."""
        found = [
            (base, contents.roots_of(self._names.region(source).base))
            for target, source in zip(targets, sources, strict=True)
            if isinstance(target.type, MEMREF_TYPES)
            and (base := self._names.region(target).base) is target
        ]
        for base, roots in found:
            contents.set_roots(base, roots)

    def _flow_in_loop(
        self, targets: Sequence[SSAValue], sources: Sequence[SSAValue], contents: Contents
    ) -> None:
        """The same, where what was found the last time is taken for granted: a loop in
        a loop then need not find it again each time."""
        self._flow(targets, sources, contents)
        for target in targets:
            if isinstance(target.type, MEMREF_TYPES):
                base = self._names.region(target).base
                if base is target:
                    roots = contents.roots_of(base) | self._in_loops.get(
                        base, frozenset()
                    )
                    self._in_loops[base] = roots
                    contents.set_roots(base, roots)

    def _enter_loop(self, op: Operation, contents: Contents) -> None:
        """What the ops inside a loop have allocated before is not what they will."""
        inside = self._allocated_inside.get(op)
        if inside is None:
            inside = self._allocated_inside[op] = [
                inner.results[0]
                for inner in op.walk()
                if isinstance(inner, memref.AllocOp | memref.AllocaOp)
            ]
        for base in inside:
            contents.age(base)

    # Ops.

    def _op(self, op: Operation, contents: Contents) -> None:
        match op:
            case MarkOp():
                self._mark(op, contents)
            case memref.AllocOp() | memref.AllocaOp():
                contents.allocate(op.results[0])
            case memref.GetGlobalOp():
                name = op.name_.root_reference.data
                root = Global(name, name in self._constants)
                contents.set_roots(op.results[0], frozenset((root,)))
            case memref.LoadOp():
                region = self._names.region(op.operands[0])
                self._read(op, _element(region, op.operands[1:]), contents)
            case memref.StoreOp():
                region = self._names.region(op.operands[1])
                self._write(op, _element(region, op.operands[2:]), contents, True)
            case vector.TransferWriteOp():
                region, is_all = self._vector_region(op)
                if not is_all:
                    self._read(op, region, contents)
                self._write(op, region, contents, True)
            case memref.CopyOp():
                self._copy(op, contents)
            case linalg.LinalgStructuredOperation():
                self._structured(op, contents)
            case arith.SelectOp():
                if isinstance(op.results[0].type, MEMREF_TYPES):
                    valid = self._valid_operands(op, contents)
                    self._segment.results = [all(valid.values())]
                    roots = [
                        contents.roots_of(self._names.region(source).base)
                        for source in op.operands[1:]
                    ]
                    base = self._names.region(op.results[0]).base
                    if base is op.results[0]:
                        contents.set_roots(base, roots[0] | roots[1])
            case CallOp():
                self._call(op, contents)
            case scf.ForOp():
                self._for(op, contents)
            case scf.WhileOp():
                self._while(op, contents)
            case scf.IfOp() | scf.IndexSwitchOp() | scf.ExecuteRegionOp():
                self._branches(op, contents)
            case scf.ForallOp() | scf.ParallelOp():
                self._parallel(op, contents)
            case scf.YieldOp() | scf.ConditionOp():
                pass
            case ReturnOp():
                for operand in self._invalid_operands(op, contents):
                    region = self._names.region(op.operands[operand[0]])
                    self._report(op, region, [operand[1]], contents)
            case _:
                self._unknown(op, contents)

    def _vector_region(self, op: vector.TransferWriteOp) -> tuple[Region, bool]:
        """What a vector is written to, and whether it is written everywhere there."""
        region = self._names.region(op.operands[1])
        vector_type, type_ = op.operands[0].type, op.operands[1].type
        assert isinstance(vector_type, VectorType)
        in_bounds = all(flag.value.data for flag in op.in_bounds.data)
        map_ = op.permutation_map.data
        is_all = (
            isinstance(type_, MemRefType)
            and vector_type.get_shape() == type_.get_shape()
            and op.mask is None
            and in_bounds
            and _is_identity(map_)
        )
        return region, is_all

    def _unknown(self, op: Operation, contents: Contents) -> None:
        """An op of which nothing is known may read and write what it gets."""
        if op.successors or op.name in _HARMLESS or op.name == "scf.forall.in_parallel":
            return
        buffers = [v for v in op.operands if isinstance(v.type, MEMREF_TYPES)]
        if not buffers or any(isinstance(r.type, MEMREF_TYPES) for r in op.results):
            return
        for value in buffers:
            region = self._names.region(value)
            self._read(op, region, contents)
            if op.name not in _READING:
                self._write(op, region, contents, True)

    def _mark(self, op: MarkOp, contents: Contents) -> None:
        values = op.notes.data.values
        if op.notes.data.role == BEFORE:
            contents.forget(self._segment.last)
            undefined = set(op.notes.data.undefined)
            self._segment = Segment(values, undefined, last=op.notes.data.last)
            return
        is_after = op.notes.data.role == AFTER
        undefined, read_only = op.notes.data.undefined, op.notes.data.read_only
        unused = op.notes.data.last
        for position, (value, buffer) in enumerate(zip(values, op.buffers, strict=True)):
            region = self._names.region(buffer)
            damage: Damage = {}
            if is_after:
                known = self._segment.results
                if value not in undefined and known is None:
                    damage = self._damage_of_result(op, region, contents)
                elif known is not None and not all(known[position : position + 1]):
                    damage = {None: op}
            elif position < len(self._entry) and not self._entry[position]:
                damage = {None: op}
            if value not in unused:
                contents.put(region, value, damage)
            if value in read_only:
                self._read_only |= contents.roots_of(region.base)

    def _damage_of_result(self, op: MarkOp, region: Region, contents: Contents) -> Damage:
        """What is wrong with a result of the current op."""
        segment = self._segment
        if not segment.expected:
            return {}
        written = [
            (other, right)
            for other, right in segment.written
            if other.base is region.base
            and common_steps(other, region) == len(region.steps)
        ]
        if any(right and is_same(other, region) for other, right in written):
            return {}
        found = [
            damage
            for value in segment.expected
            for same in (value, self._same.get(value, value))
            if (damage := contents.damage(same, region)) is not None
        ]
        if segment.undefined and (written or _may_rename(op.notes.data.of)):
            return {}
        parts = [
            step
            for other, _ in written
            if len(other.steps) > len(region.steps)
            and isinstance(step := other.steps[len(region.steps)], Part)
        ]
        if op.notes.data.of in _ASSEMBLING and len(parts) >= len(segment.expected):
            return {}
        for damage in found:
            if all(_is_among(part, parts) for part in damage) and (
                written or _may_rename(op.notes.data.of)
            ):
                return {}
        if written:
            self._report(op.prev_op or op, region, segment.expected, contents)
            return {}
        return {None: op}

    # Reading and writing.

    def _valid(self, value: int, region: Region, contents: Contents) -> bool:
        if value in self._segment.undefined:
            return True
        same: int | None = value
        while same is not None:
            if contents.damage(same, region) == {}:
                return True
            same = self._same.get(same)
        return False

    def _is_right(self, region: Region, contents: Contents) -> bool:
        """Whether the current op may read a region."""
        segment = self._segment
        if not segment.expected:
            return True
        if any(self._valid(value, region, contents) for value in segment.expected):
            return True
        return any(
            right
            and other.base is region.base
            and common_steps(other, region) == len(other.steps)
            for other, right in segment.written
        )

    def _read(self, op: Operation, region: Region, contents: Contents) -> None:
        if self._log is not None:
            self._log.append((False, region, op))
        if not self._is_right(region, contents):
            self._report(op, region, self._segment.expected, contents)

    def _write(
        self, op: Operation, region: Region, contents: Contents, right: bool
    ) -> None:
        if self._log is not None:
            self._log.append((True, region, op))
        self._demand_writable(op, region, contents)
        contents.write(region, op)
        self._segment.written.append((region, right))

    def _demand_writable(self, op: Operation, region: Region, contents: Contents) -> None:
        roots = contents.roots_of(region.base)
        self._written |= roots
        if roots & self._read_only or any(
            isinstance(root, Global) and root.is_constant for root in roots
        ):
            self._wrong(
                op,
                (-1,),
                WrongRead(
                    op, ["a buffer it may write"], ["one that must not be written"], []
                ),
            )

    def _copy(self, op: Operation, contents: Contents) -> None:
        source, target = (self._names.region(value) for value in op.operands)
        right = self._is_right(source, contents)
        if self._log is not None and right:
            self._log.append((False, source, op))
        carried = {v: dict(d) for v, d in contents.inside(source).items()}
        is_part = bool(target.steps)
        if is_part and not right:
            self._report(op, source, self._segment.expected, contents)
        if is_same(source, target):
            # It writes what is there, if it may.
            self._demand_writable(op, target, contents)
            self._segment.written.append((target, right))
            return
        self._write(op, target, contents, right)
        for value, damage in carried.items():
            contents.put(target, value, damage)

    def _structured(
        self, op: linalg.LinalgStructuredOperation, contents: Contents
    ) -> None:
        if isinstance(op, linalg.CopyOp) and is_same(
            *(self._names.region(value) for value in op.operands)
        ):
            # It writes what is there.
            self._copy(op, contents)
            return
        body = op.regions[0].block
        maps = [attribute.data for attribute in op.get_indexing_maps().data]
        outputs = len(op.operands) - _outputs(op)
        written = [
            (number, self._names.region(op.operands[number]))
            for number in range(outputs, len(op.operands))
            if isinstance(op.operands[number].type, MEMREF_TYPES)
        ]
        all_parallel = all(
            kind.data is IteratorType.PARALLEL for kind in op.get_iterator_types()
        )
        for number, operand in enumerate(op.operands):
            if not isinstance(operand.type, MEMREF_TYPES):
                continue
            if body.args[number].first_use is None:
                continue
            region = self._names.region(operand)
            self._read(op, region, contents)
            for other, output in written:
                if other == number or not contents.overlap(region, output):
                    continue
                if (
                    all_parallel
                    and _is_identity(maps[number])
                    and _is_identity(maps[other])
                    and self._are_same_or_apart(region, output, contents)
                ):
                    continue
                self._report(op, region, self._segment.expected, contents)
        for inner in op.regions[0].walk():
            if isinstance(inner, memref.LoadOp):
                region = self._names.region(inner.operands[0])
                self._read(inner, region, contents)
                if any(contents.overlap(region, output) for _, output in written):
                    self._report(inner, region, self._segment.expected, contents)
        for _, region in written:
            self._write(op, region, contents, True)

    def _are_same_or_apart(
        self, first: Region, second: Region, contents: Contents
    ) -> bool:
        """Whether two regions are one or share nothing, whatever they turn out to be."""
        these, those = self._names.alternatives(first), self._names.alternatives(second)
        return (
            these is not None
            and those is not None
            and all(
                is_same(one, other) or not contents.overlap(one, other)
                for one in these
                for other in those
            )
        )

    def _operands(self, op: Operation) -> Iterable[tuple[int, int]]:
        """The memref operands, each with the tensor it should hold."""
        positions = [
            position
            for position, value in enumerate(op.operands)
            if isinstance(value.type, MEMREF_TYPES)
        ]
        expected = self._segment.expected
        if len(positions) == len(expected):
            return zip(positions, expected, strict=True)
        return ()

    def _invalid_operands(
        self, op: Operation, contents: Contents
    ) -> list[tuple[int, int]]:
        return [
            (position, value)
            for position, value in self._operands(op)
            if not self._valid(value, self._names.region(op.operands[position]), contents)
        ]

    def _valid_operands(self, op: Operation, contents: Contents) -> dict[int, bool]:
        invalid = {position for position, _ in self._invalid_operands(op, contents)}
        return {position: position not in invalid for position, _ in self._operands(op)}

    def _report(
        self,
        op: Operation,
        region: Region,
        expected: Sequence[int],
        contents: Contents,
    ) -> None:
        writes = [
            write
            for value in expected
            for write in (contents.damage(value, region) or {}).values()
        ] or [
            contents.destroyed[value] for value in expected if value in contents.destroyed
        ]
        there = dict.fromkeys(
            value
            for inside in contents.tensors.get(region.base, {}).values()
            for value in inside
        )
        found = [
            self._described[value]
            for value in there
            if contents.damage(value, region) == {}
        ]
        names = [self._described[value] for value in expected]
        wrong = WrongRead(op, names, found, list(dict.fromkeys(writes)))
        self._wrong(op, tuple(expected), wrong)

    def _wrong(self, op: Operation, key: tuple[int, ...], wrong: WrongRead) -> None:
        self.wrong.setdefault((op, key), wrong)

    # Control flow.

    def _branches(self, op: Operation, contents: Contents) -> None:
        after: Contents | None = None
        valid = [True for r in op.results if isinstance(r.type, MEMREF_TYPES)]
        for region in op.regions:
            if region.blocks.first is None:
                after = _joined(after, contents.copy())
                continue
            for end in self._region(region, contents.copy()):
                self._flow(op.results, end.op.operands, end.contents)
                after = _joined(after, end.contents)
                valid = _both(valid, end.valid)
        assert after is not None
        contents.become(after)
        self._segment.results = valid

    def _for(self, op: scf.ForOp, contents: Contents) -> None:
        body = op.regions[0].block
        flags = list(self._valid_operands(op, contents).values())
        self._enter_loop(op, contents)
        self._flow_in_loop(body.args[1:], op.operands[3:], contents)
        self._flow_in_loop(op.results, op.operands[3:], contents)
        low, high = constant_of(op.operands[0]), constant_of(op.operands[1])
        surely_runs = low is not None and high is not None and low < high
        at_start = flags
        while True:
            self._entry = flags
            (end,) = self._region(op.regions[0], contents.copy())
            self._flow_in_loop(op.results, end.op.operands, end.contents)
            self._flow_in_loop(body.args[1:], end.op.operands, end.contents)
            joined = _both(flags, end.valid)
            if not contents.join(end.contents, op) and joined == flags:
                break
            flags = joined
        self._segment.results = end.valid if surely_runs else _both(at_start, end.valid)

    def _while(self, op: scf.WhileOp, contents: Contents) -> None:
        before, after = op.regions
        flags = list(self._valid_operands(op, contents).values())
        self._enter_loop(op, contents)
        self._flow_in_loop(before.block.args, op.operands, contents)
        while True:
            self._entry = flags
            (condition,) = self._region(before, contents.copy())
            passed = condition.op.operands[1:]
            self._flow_in_loop(after.block.args, passed, condition.contents)
            self._flow_in_loop(op.results, passed, condition.contents)
            self._entry = condition.valid
            (end,) = self._region(after, condition.contents.copy())
            self._flow_in_loop(before.block.args, end.op.operands, end.contents)
            joined = _both(flags, end.valid)
            if not contents.join(end.contents, op) and joined == flags:
                break
            flags = joined
        contents.become(condition.contents)
        self._segment.results = condition.valid

    def _parallel(self, op: Operation, contents: Contents) -> None:
        """Iterations that run at the same time: what one writes, no other may read."""
        body = op.regions[0].block
        entry = body.first_op
        outputs: list[tuple[int, Region]] = []
        flags: list[bool] = []
        if isinstance(entry, MarkOp) and entry.notes.data.role not in (BEFORE, AFTER):
            values = entry.notes.data.values
            outputs = [
                (value, self._names.region(buffer))
                for value, buffer in zip(values, entry.buffers, strict=True)
            ]
            flags = [
                self._valid(expected, region, contents)
                for expected, (_, region) in zip(
                    self._segment.expected, outputs, strict=False
                )
            ]
            for (value, _), expected in zip(
                outputs, self._segment.expected, strict=False
            ):
                self._same[value] = expected
        self._enter_loop(op, contents)
        outer_log = self._log
        repeats = _may_repeat(op)
        while True:
            self._entry = flags
            self._log = []
            (end,) = self._region(op.regions[0], contents.copy())
            if not contents.join(end.contents, op) or not repeats:
                break
        if repeats:
            self._check_races(op, contents)
        if outer_log is not None:
            outer_log += self._log
        self._log = outer_log
        self._segment.results = [True] * len(op.results)

    def _check_races(self, op: Operation, contents: Contents) -> None:
        assert self._log is not None
        shared = [
            (is_write, region, inner)
            for is_write, region, inner in self._log
            if not _is_inside(region.base, op)
        ]
        for is_write, written, writer in shared:
            if not is_write:
                continue
            for also_writes, region, reader in shared:
                if also_writes:
                    continue
                if contents.overlap(written, region) and not _is_own(written, region, op):
                    self._wrong(
                        reader,
                        (-2,),
                        WrongRead(
                            reader,
                            [NOT_SHARED],
                            ["one that another iteration may write"],
                            [writer],
                        ),
                    )

    def _call(self, op: CallOp, contents: Contents) -> None:
        callee = self._functions.callee(op)
        effects = None if callee is None else self.effects(callee)
        for position, value in self._invalid_operands(op, contents):
            if callee is None or effects is None or self._needs(callee, position):
                region = self._names.region(op.operands[position])
                self._report(op, region, [value], contents)
        roots_of_arguments: dict[int, frozenset[Root]] = {}
        for position, value in enumerate(op.operands):
            if not isinstance(value.type, MEMREF_TYPES):
                continue
            region = self._names.region(value)
            roots_of_arguments[position] = contents.roots_of(region.base)
            if self._log is not None and (
                callee is None or effects is None or self._needs(callee, position)
            ):
                self._log.append((False, region, op))
            if effects is None or position in effects.written:
                self._write(op, region, contents, True)
        for number, result in enumerate(op.results):
            if not isinstance(result.type, MEMREF_TYPES):
                continue
            contents.allocate(result)
            roots: set[Root] = set()
            if effects is None:
                roots = {(op, number)}.union(*roots_of_arguments.values())
            else:
                for root in effects.results[number]:
                    if isinstance(root, int):
                        roots |= roots_of_arguments[root]
                    else:
                        roots.add((op, root))
            contents.set_roots(result, frozenset(roots))
        self._segment.results = [True] * len(op.results)


def _joined(first: Contents | None, second: Contents) -> Contents:
    if first is None:
        return second
    for base, roots in second.roots.items():
        if base not in first.roots:
            first.set_roots(base, roots)
    first.join(second)
    return first


def _both(first: Sequence[bool], second: Sequence[bool]) -> list[bool]:
    if len(first) != len(second):
        return list(first)
    return [one and other for one, other in zip(first, second, strict=True)]


def _may_rename(name: str) -> bool:
    """Whether an op may give a buffer another name, without writing anything."""
    return name in _RENAMING or name.partition(".")[0] not in _COMPUTING


def _element(region: Region, indices: Sequence[SSAValue]) -> Region:
    ones = (1,) * len(indices)
    return Region(region.base, (*region.steps, Part(tuple(indices), ones, ones)))


def _is_among(part: Step | None, parts: Sequence[Part]) -> bool:
    return isinstance(part, Part) and any(same_part(part, other) for other in parts)


def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)


def _outputs(op: linalg.LinalgStructuredOperation) -> int:
    from xdsl_bufferization.dialects.linalg.structured import output_count

    return output_count(op)


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    inner = owner.parent_op() if isinstance(owner, Block) else owner
    return inner is not None and op.is_ancestor(inner)


def _may_repeat(op: Operation) -> bool:
    """Whether a parallel loop may have several iterations."""
    if isinstance(op, scf.ParallelOp):
        bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
    else:
        assert isinstance(op, scf.ForallOp)
        bounds = zip(
            _mixed(op.static_lower_bound.get_values(), op.dynamic_lower_bound),
            _mixed(op.static_upper_bound.get_values(), op.dynamic_upper_bound),
            _mixed(op.static_step.get_values(), op.dynamic_step),
            strict=True,
        )
    for low, high, step in bounds:
        start, end, by = constant_of(low), constant_of(high), constant_of(step)
        if start is None or end is None or by is None or start + by < end:
            return True
    return False


def _mixed(static: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Index]:
    rest = iter(dynamic)
    return [next(rest) if number == DYNAMIC_INDEX else number for number in static]


def _is_own(first: Region, second: Region, op: Operation) -> bool:
    """Whether two accesses in different iterations never meet: to one slice, which
    depends on the iteration, or in the row of the iteration."""
    if first.base is not second.base:
        return False
    for one, other in zip(first.steps, second.steps, strict=False):
        if not isinstance(one, Part) or not isinstance(other, Part):
            return False
        if same_part(one, other):
            if any(_is_inside(value, op) for value in one.values()):
                return True
            continue
        return any(
            offset is one.offsets[dimension]
            and isinstance(offset, BlockArgument)
            and offset.block is op.regions[0].blocks.first
            and one.sizes[dimension] == other.sizes[dimension] == 1
            for dimension, offset in enumerate(other.offsets)
            if dimension < len(one.offsets)
        )
    return False


def _reverse_postorder(first: Block) -> list[Block]:
    order: list[Block] = []
    seen = {first}
    stack = [(first, iter(first.last_op.successors if first.last_op else ()))]
    while stack:
        block, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                end = successor.last_op
                stack.append((successor, iter(end.successors if end else ())))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order

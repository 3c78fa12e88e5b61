"""The complete scf dialect, extending xDSL's.

xDSL lacks `scf.forall`, the syntax of `scf.parallel`, unsigned `scf.for`, `no_inline`,
and checks little of what the regions yield. Its classes are refined.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.dialects.scf import ConditionOp, ReduceReturnOp, YieldOp
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoTerminator,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import IntArray

from .definitions import CanonicalizedBy, refined_op_definition
from .speculation import SpeculatableLoop
from .syntax import (
    ensure_terminated,
    int_array,
    parse_arguments,
    parse_assignments,
    parse_index_operands,
    parse_mixed_indices,
    parse_operands,
    parse_optional_types,
    parse_type_or_types,
    print_assignments,
    print_body,
    print_mixed_indices,
    print_optional_types,
    resolve_arguments,
)
from .terminators import entry_block, terminator_of, verify_types, verify_yield

PAREN = Parser.Delimiter.PAREN
INDEX = IndexType()
I64_ARRAY = DenseArrayBase.constr(i64)


@refined_op_definition
class ExecuteRegionOp(scf.ExecuteRegionOp):
    """Executes its region, of any number of blocks, exactly once.

    With `no_inline`, canonicalization leaves the region where it is.
    """

    no_inline = opt_prop_def(UnitAttr)

    traits = traits_def(RecursiveMemoryEffect(), CanonicalizedBy("scf"))

    def __init__(
        self,
        result_types: Sequence[Attribute],
        region: Region,
        attr_dict: dict[str, Attribute] | None = None,
        *,
        no_inline: bool = False,
    ):
        IRDLOperation.__init__(
            self,
            result_types=(result_types,),
            regions=(region,),
            attributes=attr_dict,
            properties={"no_inline": UnitAttr()} if no_inline else None,
        )

    @classmethod
    def parse(cls, parser: Parser) -> ExecuteRegionOp:
        result_types = parse_optional_types(parser)
        no_inline = parser.parse_optional_keyword("no_inline") is not None
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        return cls(result_types, region, attributes, no_inline=no_inline)

    def print(self, printer: Printer) -> None:
        print_optional_types(printer, self.result_types)
        if "no_inline" in self.properties:
            printer.print_string(" no_inline")
        print_body(printer, self.regions[0])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        entry = self.regions[0].first_block
        if entry is None:
            raise VerifyException(
                f"'{self.name}' region needs to have at least one block"
            )
        if entry.args:
            raise VerifyException(f"'{self.name}' region cannot have any arguments")
        for block in self.regions[0].blocks:
            if isinstance(block.last_op, YieldOp):
                verify_yield(self, block, YieldOp, "region")


@refined_op_definition
class ForOp(scf.ForOp):
    """A counted loop over an index or any signless integer.

    With `unsigned`, the bounds are compared as unsigned numbers.
    """

    unsigned_cmp = opt_prop_def(UnitAttr, prop_name="unsignedCmp")

    traits = traits_def(
        SingleBlockImplicitTerminator(YieldOp),
        RecursiveMemoryEffect(),
        SpeculatableLoop(),
        CanonicalizedBy("scf"),
    )

    def __init__(
        self,
        lb: SSAValue | Operation,
        ub: SSAValue | Operation,
        step: SSAValue | Operation,
        iter_args: Sequence[SSAValue | Operation],
        body: Region | Sequence[Operation] | Sequence[Block] | Block,
        *,
        unsigned_cmp: bool = False,
    ):
        super().__init__(lb, ub, step, iter_args, body)
        if unsigned_cmp:
            self.properties["unsignedCmp"] = UnitAttr()

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        unsigned_cmp = parser.parse_optional_keyword("unsigned") is not None
        variable = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        bounds = [parser.parse_unresolved_operand()]
        parser.parse_keyword("to")
        bounds.append(parser.parse_unresolved_operand())
        parser.parse_keyword("step")
        bounds.append(parser.parse_unresolved_operand())
        arguments: Sequence[Parser.Argument] = ()
        inits: Sequence[SSAValue] = ()
        if parser.parse_optional_keyword("iter_args") is not None:
            pos = parser.pos
            names, operands = parse_assignments(parser)
            parser.parse_punctuation("->")
            types = parse_type_or_types(parser)
            arguments = resolve_arguments(parser, names, types)
            inits = parser.resolve_operands(operands, types, pos)
        type = parser.parse_type() if parser.parse_optional_punctuation(":") else INDEX
        lb, ub, step = (parser.resolve_operand(bound, type) for bound in bounds)
        body = parser.parse_region((variable.resolve(type), *arguments))
        ensure_terminated(body, YieldOp)
        op = cls(lb, ub, step, inits, body, unsigned_cmp=unsigned_cmp)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        variable, *arguments = self.regions[0].block.args
        lb, ub, step, *inits = self.operands
        if "unsignedCmp" in self.properties:
            printer.print_string(" unsigned")
        printer.print_string(" ")
        printer.print_ssa_value(variable)
        printer.print_string(" = ")
        printer.print_ssa_value(lb)
        printer.print_string(" to ")
        printer.print_ssa_value(ub)
        printer.print_string(" step ")
        printer.print_ssa_value(step)
        if inits:
            printer.print_string(" iter_args")
            print_assignments(printer, arguments, inits)
            print_optional_types(printer, self.result_types)
        if not isinstance(variable.type, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(variable.type)
        print_body(printer, self.regions[0], print_terminators=bool(inits))
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        block = entry_block(self, self.regions[0], "body")
        operands = self.operands
        if not block.args:
            raise VerifyException(
                f"'{self.name}' expects its body to have the induction variable as its "
                "first argument"
            )
        if block.args[0].type != operands[0].type:
            raise VerifyException(
                f"'{self.name}' expects the induction variable to be of the same type "
                "as bounds and step"
            )
        init_types = [operand.type for operand in operands[3:]]
        verify_types(f"'{self.name}' has results", self.result_types, init_types)
        verify_types(
            f"'{self.name}' has loop-carried arguments",
            [arg.type for arg in block.args[1:]],
            init_types,
        )
        verify_yield(self, block, YieldOp, "body")


@op_definition
class InParallelOp(IRDLOperation):
    """Ends the body of a forall: the updates all threads make, in no particular order."""

    name = "scf.forall.in_parallel"

    region = region_def()

    traits = lazy_traits_def(
        lambda: (IsTerminator(), NoTerminator(), HasParent(ForallOp), Pure())
    )

    def __init__(self, region: Region | None = None):
        super().__init__(regions=[region or Region(Block())])

    @classmethod
    def parse(cls, parser: Parser) -> InParallelOp:
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        op = cls(region)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        print_body(printer, self.regions[0])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        block = entry_block(self, self.regions[0], "body")
        for op in block.ops:
            if op.name not in _PARALLEL_COMBINING_OPS:
                raise VerifyException(
                    f"'{self.name}' expects only parallel combining ops "
                    f"({', '.join(_PARALLEL_COMBINING_OPS)}), found '{op.name}'"
                )
            parent = self.parent_op()
            destination = op.operands[1]
            if isinstance(parent, ForallOp) and not any(
                destination is arg for arg in parent.region_iter_args
            ):
                raise VerifyException(
                    f"'{op.name}' may only insert into an output block argument of "
                    f"its '{parent.name}'"
                )


_PARALLEL_COMBINING_OPS = ("tensor.parallel_insert_slice",)


@op_definition
class ForallOp(IRDLOperation):
    """Evaluates its body once for each point of an iteration space, in parallel.

    Each thread reads the shared outputs through block arguments; what it writes to them
    is listed in the terminator.
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType)
    dynamic_upper_bound = var_operand_def(IndexType)
    dynamic_step = var_operand_def(IndexType)
    outputs = var_operand_def(TensorType)

    static_lower_bound = prop_def(I64_ARRAY, prop_name="staticLowerBound")
    static_upper_bound = prop_def(I64_ARRAY, prop_name="staticUpperBound")
    static_step = prop_def(I64_ARRAY, prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr)

    res = var_result_def(TensorType)
    region = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(RecursiveMemoryEffect(), CanonicalizedBy("scf"))

    def __init__(
        self,
        lower_bounds: tuple[Sequence[SSAValue], IntArray],
        upper_bounds: tuple[Sequence[SSAValue], IntArray],
        steps: tuple[Sequence[SSAValue], IntArray],
        outputs: Sequence[SSAValue],
        region: Region,
        mapping: Attribute | None = None,
    ):
        """Each bound is its index operands and its static values, DYNAMIC_INDEX standing
        for an operand."""
        super().__init__(
            operands=[lower_bounds[0], upper_bounds[0], steps[0], outputs],
            result_types=[[output.type for output in outputs]],
            regions=[region],
            properties={
                "staticLowerBound": lower_bounds[1],
                "staticUpperBound": upper_bounds[1],
                "staticStep": steps[1],
                "mapping": mapping,
            },
        )

    @property
    def rank(self) -> int:
        return len(self.static_upper_bound)

    @property
    def induction_vars(self) -> tuple[SSAValue, ...]:
        return self.region.block.args[: self.rank]

    @property
    def region_iter_args(self) -> tuple[SSAValue, ...]:
        return self.region.block.args[self.rank :]

    @property
    def terminator(self) -> InParallelOp:
        last = self.region.block.last_op
        assert isinstance(last, InParallelOp)
        return last

    @property
    def is_normalized(self) -> bool:
        """Whether all lower bounds are 0 and all steps are 1."""
        return not any(self.static_lower_bound.iter_values()) and all(
            step == 1 for step in self.static_step.iter_values()
        )

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        variables = parse_arguments(parser)
        if parser.parse_optional_keyword("in") is not None:
            upper = parse_mixed_indices(parser, PAREN)
            rank = len(upper[1])
            no_operands: list[SSAValue] = []
            lower = (no_operands, DenseArrayBase.from_list(i64, [0] * rank))
            step = (no_operands, DenseArrayBase.from_list(i64, [1] * rank))
        else:
            parser.parse_punctuation("=")
            lower = parse_mixed_indices(parser, PAREN)
            parser.parse_keyword("to")
            upper = parse_mixed_indices(parser, PAREN)
            parser.parse_keyword("step")
            step = parse_mixed_indices(parser, PAREN)
        arguments: Sequence[Parser.Argument] = ()
        outputs: Sequence[SSAValue] = ()
        if parser.parse_optional_keyword("shared_outs") is not None:
            pos = parser.pos
            names, operands = parse_assignments(parser)
            parser.parse_punctuation("->")
            types = parse_type_or_types(parser)
            arguments = resolve_arguments(parser, names, types)
            outputs = parser.resolve_operands(operands, types, pos)
        indices = [variable.resolve(INDEX) for variable in variables]
        region = ensure_terminated(
            parser.parse_region((*indices, *arguments)), InParallelOp
        )
        attributes = parser.parse_optional_attr_dict()
        op = cls(lower, upper, step, outputs, region, attributes.pop("mapping", None))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_list(self.induction_vars, printer.print_ssa_value)
        if self.is_normalized:
            printer.print_string(") in ")
        else:
            printer.print_string(") = ")
            print_mixed_indices(
                printer, self.dynamic_lower_bound, self.static_lower_bound, PAREN
            )
            printer.print_string(" to ")
        print_mixed_indices(
            printer, self.dynamic_upper_bound, self.static_upper_bound, PAREN
        )
        if not self.is_normalized:
            printer.print_string(" step ")
            print_mixed_indices(printer, self.dynamic_step, self.static_step, PAREN)
        outputs = self.outputs
        if outputs:
            printer.print_string(" shared_outs")
            print_assignments(printer, self.region_iter_args, outputs)
            print_optional_types(printer, self.result_types)
        print_body(printer, self.region, print_terminators=bool(outputs))
        attributes = self.attributes
        if self.mapping is not None:
            attributes = attributes | {"mapping": self.mapping}
        printer.print_op_attributes(attributes)

    def verify_(self) -> None:
        rank = self.rank
        for name, operands, static in (
            ("lower bound", self.dynamic_lower_bound, self.static_lower_bound),
            ("upper bound", self.dynamic_upper_bound, self.static_upper_bound),
            ("step", self.dynamic_step, self.static_step),
        ):
            values = static.get_values()
            if len(values) != rank or values.count(DYNAMIC_INDEX) != len(operands):
                raise VerifyException(
                    f"'{self.name}' expects {rank} values and one operand for each "
                    f"dynamic {name}"
                )
        block = entry_block(self, self.region, "body")
        output_types = [output.type for output in self.outputs]
        verify_types(f"'{self.name}' has results", self.result_types, output_types)
        verify_types(
            f"'{self.name}' has region arguments",
            [arg.type for arg in block.args],
            [INDEX] * rank + output_types,
        )
        terminator_of(self, block, "body", InParallelOp)
        if self.mapping is not None and len(self.mapping) not in (0, rank):
            raise VerifyException(
                f"'{self.name}' mapping attribute size must match op rank"
            )


@refined_op_definition
class IfOp(scf.IfOp):
    """Chooses between two regions, of which the second may be absent."""

    traits = traits_def(
        SingleBlockImplicitTerminator(YieldOp),
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
        CanonicalizedBy("scf"),
    )

    def __init__(
        self,
        cond: SSAValue | Operation,
        return_types: Sequence[Attribute],
        true_region: Region | Sequence[Block] | Sequence[Operation],
        false_region: Region | Sequence[Block] | Sequence[Operation] | None = None,
        attr_dict: dict[str, Attribute] | None = None,
    ):
        super().__init__(cond, return_types, true_region, false_region, attr_dict)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        cond = parser.parse_operand(i1)
        types = parse_optional_types(parser)
        then = ensure_terminated(parser.parse_region(), YieldOp)
        orelse = Region()
        if parser.parse_optional_keyword("else") is not None:
            orelse = ensure_terminated(parser.parse_region(), YieldOp)
        return cls(cond, types, then, orelse, parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        has_results = bool(self.results)
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        print_optional_types(printer, self.result_types)
        print_body(printer, self.regions[0], print_terminators=has_results)
        if self.regions[1].blocks:
            printer.print_string(" else")
            print_body(printer, self.regions[1], print_terminators=has_results)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        then, orelse = self.regions
        if self.results and not orelse.blocks:
            raise VerifyException(
                f"'{self.name}' must have an else block if defining values"
            )
        for region, name in ((then, "then region"), (orelse, "else region")):
            if region.blocks:
                block = entry_block(self, region, name)
                if block.args:
                    raise VerifyException(f"'{self.name}' {name} has no arguments")
                verify_yield(self, block, YieldOp, name)


@refined_op_definition
class IndexSwitchOp(scf.IndexSwitchOp):
    """Chooses the region whose case value the operand has, or else the default region."""

    traits = traits_def(*scf.IndexSwitchOp.traits.traits, CanonicalizedBy("scf"))

    @classmethod
    def parse(cls, parser: Parser) -> IndexSwitchOp:
        arg = parser.parse_operand(INDEX)
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
        values: list[int] = []
        cases: list[Region] = []
        while parser.parse_optional_keyword("case") is not None:
            values.append(parser.parse_integer())
            cases.append(ensure_terminated(parser.parse_region(), YieldOp))
        parser.parse_keyword("default")
        default = ensure_terminated(parser.parse_region(), YieldOp)
        static = int_array(parser, values)
        return cls(arg, static, default, cases, types, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        printer.print_op_attributes(self.attributes)
        if self.results:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)
        default, *regions = self.regions
        for value, region in zip(self.cases.iter_values(), regions, strict=True):
            printer.print_string(f"\ncase {value}")
            print_body(printer, region)
        printer.print_string("\ndefault")
        print_body(printer, default)

    def verify_(self) -> None:
        default, *regions = self.regions
        values = self.cases.get_values()
        if len(values) != len(regions):
            raise VerifyException(
                f"'{self.name}' has {len(regions)} case regions but {len(values)} case "
                "values"
            )
        if len(set(values)) != len(values):
            raise VerifyException(f"'{self.name}' has duplicate case value")
        named = [
            (f"case {value} region", r) for value, r in zip(values, regions, strict=True)
        ]
        for name, region in [("default region", default), *named]:
            verify_yield(self, entry_block(self, region, name), YieldOp, name)


@refined_op_definition
class ParallelOp(scf.ParallelOp):
    """A nest of loops whose iterations are independent but for reductions."""

    traits = traits_def(*scf.ParallelOp.traits.traits, CanonicalizedBy("scf"))

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        variables = parse_arguments(parser)
        parser.parse_punctuation("=")
        lower = parse_index_operands(parser, PAREN)
        parser.parse_keyword("to")
        upper = parse_index_operands(parser, PAREN)
        parser.parse_keyword("step")
        step = parse_index_operands(parser, PAREN)
        inits = []
        pos = parser.pos
        if parser.parse_optional_keyword("init") is not None:
            inits = parse_operands(parser, PAREN)
        types = parse_optional_types(parser)
        body = parser.parse_region([variable.resolve(INDEX) for variable in variables])
        ensure_terminated(body, ReduceOp)
        attributes = parser.parse_optional_attr_dict()
        op = cls(lower, upper, step, body, parser.resolve_operands(inits, types, pos))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_list(self.regions[0].block.args, printer.print_ssa_value)
        printer.print_string(") = (")
        printer.print_list(self.lowerBound, printer.print_ssa_value)
        printer.print_string(") to (")
        printer.print_list(self.upperBound, printer.print_ssa_value)
        printer.print_string(") step (")
        printer.print_list(self.step, printer.print_ssa_value)
        printer.print_string(")")
        if self.initVals:
            printer.print_string(" init (")
            printer.print_list(self.initVals, printer.print_ssa_value)
            printer.print_string(")")
        print_optional_types(printer, self.result_types)
        print_body(printer, self.regions[0])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        rank = len(self.upperBound)
        if rank == 0 or len(self.lowerBound) != rank or len(self.step) != rank:
            raise VerifyException(
                f"'{self.name}' needs at least one loop, and as many lower bounds and "
                "steps as upper bounds"
            )
        block = entry_block(self, self.regions[0], "body")
        verify_types(
            f"'{self.name}' expects arguments for the induction variables; it has some",
            [arg.type for arg in block.args],
            [INDEX] * rank,
        )
        init_types = [init.type for init in self.initVals]
        verify_types(f"'{self.name}' has results", self.result_types, init_types)
        reduced = terminator_of(self, block, "body", ReduceOp).operand_types
        verify_types(f"'{self.name}' body reduces values", reduced, init_types)


@refined_op_definition
class ReduceOp(scf.ReduceOp):
    """Ends the body of a parallel loop: how values join those of other iterations."""

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        from .syntax import parse_optional_typed_operands

        operands = parse_optional_typed_operands(parser)
        regions: list[Region] = []
        region = parser.parse_optional_region()
        while region is not None:
            regions.append(region)
            comma = parser.parse_optional_punctuation(",")
            region = None if comma is None else parser.parse_region()
        op = cls(operands, regions)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.operands:
            printer.print_string("(")
            printer.print_list(self.operands, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(self.operand_types, printer.print_attribute)
            printer.print_string(")")
        for i, region in enumerate(self.regions):
            printer.print_string(", " if i else " ")
            printer.print_region(region)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if len(self.operands) != len(self.regions):
            raise VerifyException(
                f"'{self.name}' expects one reduction region per operand, has "
                f"{len(self.regions)} for {len(self.operands)}"
            )
        for operand, region in zip(self.operands, self.regions, strict=True):
            block = entry_block(self, region, "reduction region")
            verify_types(
                f"'{self.name}' has reduction arguments",
                [arg.type for arg in block.args],
                [operand.type] * 2,
            )
            result = terminator_of(self, block, "reduction region", ReduceReturnOp)
            verify_types(
                f"'{self.name}' reduction returns a value",
                result.operand_types,
                [operand.type],
            )


@refined_op_definition
class WhileOp(scf.WhileOp):
    """A loop of two regions: `before` decides whether to run `after` and go on."""

    traits = traits_def(*scf.WhileOp.traits.traits, CanonicalizedBy("scf"))

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        names, operands = [], []
        if parser.parse_optional_punctuation(":") is None:
            names, operands = parse_assignments(parser)
            parser.parse_punctuation(":")
        pos = parser.pos
        type = parser.parse_function_type()
        inits = parser.resolve_operands(operands, type.inputs.data, pos)
        before = parser.parse_region(resolve_arguments(parser, names, type.inputs.data))
        parser.parse_keyword("do")
        after = parser.parse_region()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(inits, type.outputs.data, before, after)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        before, after = self.regions
        if self.operands:
            printer.print_string(" ")
            print_assignments(printer, before.block.args, self.operands)
        printer.print_string(" : ")
        printer.print_operation_type(self)
        print_body(printer, before)
        printer.print_string(" do ")
        printer.print_region(after)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    def verify_(self) -> None:
        before = entry_block(self, self.regions[0], "before region")
        after = entry_block(self, self.regions[1], "after region")
        init_types = self.operand_types
        verify_types(
            f"'{self.name}' before region has arguments",
            [arg.type for arg in before.args],
            init_types,
        )
        verify_types(
            f"'{self.name}' after region has arguments",
            [arg.type for arg in after.args],
            self.result_types,
        )
        passed = terminator_of(self, before, "before region", ConditionOp).operand_types
        verify_types(
            f"'{self.name}' before region passes values", passed[1:], self.result_types
        )
        yielded = terminator_of(self, after, "after region", YieldOp).operand_types
        verify_types(f"'{self.name}' after region yields values", yielded, init_types)


Scf = Dialect(
    "scf",
    [
        ConditionOp,
        ExecuteRegionOp,
        ForOp,
        ForallOp,
        IfOp,
        InParallelOp,
        IndexSwitchOp,
        ParallelOp,
        ReduceOp,
        ReduceReturnOp,
        WhileOp,
        YieldOp,
    ],
)

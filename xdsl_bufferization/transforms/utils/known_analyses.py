"""Analyses of a program that later passes can use again.

Several passes of bufferization-pipeline analyse the tensor program that
one-shot-bufferize analyses after them, and most of them change only a few programs. An
analysis is therefore kept with the program that it describes, together with a
fingerprint of that program: everything that One-Shot Analysis can depend on. While the
fingerprint is the same, whatever passes have run, the analysis is not done again.

Taking a fingerprint costs about a twentieth of the analysis.
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Operation

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.table import count_attachments
from xdsl_bufferization.records import record
from xdsl_bufferization.remarks.active import active_log

Fingerprint: TypeAlias = "list[object]"

MOST_KEPT = 2
"""The analyses that are kept of one program: from the bottom up, and the cheapest."""
_KEY = "_known_analyses"


@record
class _Known:
    """An analysis, and all that it depends on."""

    options: BufferizationOptions
    has_conflicts: bool
    """Whether it also notes what remarks are to tell."""
    attachments: int
    """How many models there were."""
    fingerprint: Fingerprint
    analysis: OneShotAnalysis
    costs: CopyCosts


def fingerprint_of(root: Operation) -> Fingerprint:
    """All ops of a program in order, with where they are, what they use, and every
    property, type and successor. The fingerprints of two programs are equal only if the
    programs consist of the same objects in the same places.
    """
    found: Fingerprint = []
    for op in walk(root):
        # Dictionaries are changed in place, so that they are copied.
        found += (
            op,
            op.parent,
            tuple(op.operands),
            tuple([result.type for result in op.results]),
            dict(op.attributes) if op.attributes else None,
            dict(op.properties) if op.properties else None,
        )
        if op.successors:
            found.append(tuple(op.successors))
        for region in op.regions:
            found.append(region)
            block = region.first_block
            while block is not None:
                found += (block, tuple([(arg, arg.type) for arg in block.args]))
                block = block.next_block
    return found


def find_analysis(
    root: Operation, options: BufferizationOptions, fingerprint: Fingerprint
) -> tuple[OneShotAnalysis, CopyCosts] | None:
    """Return the analysis of a program under these options, if it has been done."""
    for known in _kept(root):
        if (
            known.options == options
            and known.has_conflicts == (active_log() is not None)
            and known.attachments == count_attachments()
            and known.fingerprint == fingerprint
        ):
            # Relations may have been asked for since, of a program that has changed.
            known.analysis.forget_relations()
            return known.analysis, known.costs
    return None


def keep_analysis(
    root: Operation,
    options: BufferizationOptions,
    fingerprint: Fingerprint,
    analysis: OneShotAnalysis,
    costs: CopyCosts,
) -> None:
    """Keep the analysis of a program for as long as the program lives, or until
    `forget_analyses`."""
    known = _Known(
        options=options,
        has_conflicts=active_log() is not None,
        attachments=count_attachments(),
        fingerprint=fingerprint,
        analysis=analysis,
        costs=costs,
    )
    kept = _kept(root)
    kept.append(known)
    del kept[:-MOST_KEPT]


def take_analysis(
    root: Operation, options: BufferizationOptions
) -> OneShotAnalysis | None:
    """Return the analysis of a program that is about to be bufferized, if it has been
    done, and forget all analyses of that program."""
    found = None
    if _kept(root):
        found = find_analysis(root, options, fingerprint_of(root))
    forget_analyses(root)
    return None if found is None else found[0]


def forget_analyses(root: Operation) -> None:
    """Release the memory of the analyses of a program."""
    vars(root).pop(_KEY, None)


def _kept(root: Operation) -> list[_Known]:
    """The analyses of a program, the last one at the end. They refer to its ops and so to
    the program itself, so that they are stored in it: in a dictionary of weak references
    to programs, they would keep them all alive."""
    return vars(root).setdefault(_KEY, [])

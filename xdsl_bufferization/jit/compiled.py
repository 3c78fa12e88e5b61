"""A compiled module as bytes: machine code, and all data needed to call it.

It is independent of the process that created it, so it can be stored in a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl_bufferization.jit.elements import element_of
from xdsl_bufferization.jit.engine import LLVMModule
from xdsl_bufferization.jit.signature import (
    Buffer,
    Crossing,
    Layout,
    Scalar,
    Signature,
    UnrankedBuffer,
)

_BLOBS = ("object_file", "bitcode", "llvm")


@dataclass
class Compiled:
    """What compiling a module made."""

    object_file: bytes
    bitcode: bytes
    """The module before it was joined with supporting code and optimised, for export."""
    llvm: LLVMModule | bytes
    """The optimised module, or its bitcode."""
    opt_level: int
    public: Mapping[str, Signature]
    """The functions that can be called, by name."""
    written: Mapping[str, Sequence[bool]]
    """For each of them, and each parameter, whether a call may change the array."""
    declared: Mapping[str, Signature]
    private: Sequence[str]
    uncallable: Mapping[str, str]
    """Why a function of the source cannot be called from Python."""
    global_count: int
    """The number of variables in the table `frames.globals_table`."""
    initializer: str | None
    """The function to be called once the code is loaded."""
    may_fail: bool
    """Whether the code has assertions."""
    c_functions: Mapping[str, str] = field(default_factory=dict[str, str])
    """The symbols of the functions that were given as an address, by name."""
    counted_ops: int = 0
    """How many ops report what they do with memory."""
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])

    def to_bytes(self) -> bytes:
        """Return all of it but `seconds`; `from_bytes` is the inverse."""
        llvm = self.llvm if isinstance(self.llvm, bytes) else self.llvm.emit_bitcode()
        blobs = (self.object_file, self.bitcode, llvm)
        header = json.dumps(
            {
                "sizes": [len(blob) for blob in blobs],
                "opt_level": self.opt_level,
                "public": [_signature_to_json(s) for s in self.public.values()],
                "written": dict(self.written),
                "declared": [_signature_to_json(s) for s in self.declared.values()],
                "private": list(self.private),
                "uncallable": dict(self.uncallable),
                "global_count": self.global_count,
                "initializer": self.initializer,
                "may_fail": self.may_fail,
                "c_functions": dict(self.c_functions),
                "counted_ops": self.counted_ops,
            }
        ).encode()
        return b"".join([len(header).to_bytes(8, "little"), header, *blobs])

    @staticmethod
    def from_bytes(data: bytes) -> Compiled:
        end = 8 + int.from_bytes(data[:8], "little")
        fields: dict[str, Any] = json.loads(data[8:end])
        for name, size in zip(_BLOBS, fields.pop("sizes"), strict=True):
            fields[name] = data[end : end + size]
            end += size
        for group in ("public", "declared"):
            signatures = map(_signature_from_json, fields[group])
            fields[group] = {signature.name: signature for signature in signatures}
        return Compiled(**fields)


def _signature_to_json(signature: Signature) -> dict[str, Any]:
    return {
        "name": signature.name,
        "parameters": [_crossing_to_json(p) for p in signature.parameters],
        "results": [_crossing_to_json(r) for r in signature.results],
        "names": signature.names,
        "read_only": sorted(signature.read_only),
    }


def _signature_from_json(fields: Mapping[str, Any]) -> Signature:
    return Signature(
        fields["name"],
        tuple(map(_crossing_from_json, fields["parameters"])),
        tuple(map(_crossing_from_json, fields["results"])),
        tuple(fields["names"]),
        frozenset(fields["read_only"]),
    )


def _crossing_to_json(crossing: Crossing) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "kind": type(crossing).__name__,
        "type": crossing.type,
        "element": crossing.element.name,
    }
    if isinstance(crossing, Buffer):
        fields["shape"] = crossing.shape
        layout = crossing.layout
        fields["layout"] = None if layout is None else [layout.strides, layout.offset]
    return fields


def _crossing_from_json(fields: Mapping[str, Any]) -> Crossing:
    element = element_of(fields["element"], "cache")
    match fields["kind"]:
        case "Scalar":
            return Scalar(fields["type"], element)
        case "UnrankedBuffer":
            return UnrankedBuffer(fields["type"], element)
        case _:
            layout = fields["layout"]
            if layout is not None:
                layout = Layout(tuple(layout[0]), layout[1])
            return Buffer(fields["type"], element, tuple(fields["shape"]), layout)

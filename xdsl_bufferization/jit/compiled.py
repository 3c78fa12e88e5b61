"""A compiled module as bytes: machine code, and all data needed to call it.

It is independent of the process that created it, so it can be stored in a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl_bufferization.jit.engine import LLVMModule
from xdsl_bufferization.jit.signature import Signature
from xdsl_bufferization.jit.signature_json import signature_from_json, signature_to_json

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
                "public": [signature_to_json(s) for s in self.public.values()],
                "written": dict(self.written),
                "declared": [signature_to_json(s) for s in self.declared.values()],
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
            signatures = map(signature_from_json, fields[group])
            fields[group] = {signature.name: signature for signature in signatures}
        return Compiled(**fields)

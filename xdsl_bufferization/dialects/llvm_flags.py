"""Values of flags in the generic form of LLVM ops that xDSL rejects.

- `"llvm.trunc"(%0) <{overflowFlags = 0 : i32}>`: mlir-opt prints the bits as a number, as
  for `llvm.add`. Here xDSL knows only `#llvm.overflow<none>`, which mlir-opt also reads.
- `#llvm.cconv<win64cc>`: xDSL knows the calling conventions of old versions of LLVM.

Passes and translations of xDSL recognise these classes exactly, so that the methods
concerned are wrapped (xdsl_patches.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

CONVENTIONS = frozenset(
    (
        *("ccc", "fastcc", "coldcc", "cc_10", "cc_11", "anyregcc", "preserve_mostcc"),
        *("preserve_allcc", "swiftcc", "cxx_fast_tlscc", "tailcc", "cfguard_checkcc"),
        *("swifttailcc", "x86_stdcallcc", "x86_fastcallcc", "arm_apcscc", "arm_aapcscc"),
        *("arm_aapcs_vfpcc", "msp430_intrcc", "x86_thiscallcc", "ptx_kernelcc"),
        *("ptx_devicecc", "spir_funccc", "spir_kernelcc", "intel_ocl_bicc"),
        *("x86_64_sysvcc", "win64cc", "x86_vectorcallcc", "hhvmcc", "hhvm_ccc"),
        *("x86_intrcc", "avr_intrcc", "avr_builtincc", "amdgpu_vscc", "amdgpu_gscc"),
        *("amdgpu_cscc", "amdgpu_kernelcc", "x86_regcallcc", "amdgpu_hscc"),
        *("msp430_builtincc", "amdgpu_lscc", "amdgpu_escc", "aarch64_vectorcallcc"),
        *("aarch64_sve_vectorcallcc", "wasm_emscripten_invokecc", "amdgpu_gfxcc"),
        "m68k_intrcc",
    )
)
"""The calling conventions of MLIR 22."""


def read_bits_of_overflow(create: Callable[..., Operation]) -> Callable[..., Operation]:
    """Return the method that creates an `llvm.trunc` and takes its flags as bits too."""

    @wraps(create)
    def create_with_flags(cls: type[Operation], **fields: Any) -> Operation:
        flags = fields.get("properties", {}).get("overflowFlags")
        if isinstance(flags, IntegerAttr) and 0 <= flags.value.data <= 3:
            # The module that is patched: it is loaded by now.
            from xdsl.dialects.llvm import OverflowAttr

            read = OverflowAttr.from_int(flags.value.data)
            fields["properties"] = {**fields["properties"], "overflowFlags": read}
        return create(cls, **fields)

    return create_with_flags


def parse_conventions(
    parse: Callable[[Any, Any], list[Attribute]],
) -> Callable[[Any, Any], list[Attribute]]:
    """Return the method that parses a calling convention, and parses MLIR's.

    They join the set that xDSL verifies conventions with, and parses functions and calls.
    """
    known: set[str] = parse.__globals__["LLVM_CALLING_CONVS"]
    known |= CONVENTIONS

    @wraps(parse)
    def parse_known(cls: Any, parser: Any) -> list[Attribute]:
        position = parser.pos
        parser.parse_characters("<")
        word = parser.parse_optional_keyword_in(CONVENTIONS)
        if word is None:
            parser._resume_from(position)
            return parse(cls, parser)
        parser.parse_characters(">")
        return [StringAttr(word)]

    return parse_known

"""Signatures as JSON, for the files of compiled modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl_bufferization.jit.elements import element_of
from xdsl_bufferization.jit.signature import (
    Buffer,
    Crossing,
    Layout,
    Scalar,
    Signature,
    UnrankedBuffer,
)


def signature_to_json(signature: Signature) -> dict[str, Any]:
    """Return a signature as JSON."""
    return {
        "name": signature.name,
        "parameters": [_crossing_to_json(p) for p in signature.parameters],
        "results": [_crossing_to_json(r) for r in signature.results],
        "names": signature.names,
        "read_only": sorted(signature.read_only),
        "arenas": signature.arenas,
    }


def signature_from_json(fields: Mapping[str, Any]) -> Signature:
    """Return the signature that `signature_to_json` wrote."""
    return Signature(
        fields["name"],
        tuple(map(_crossing_from_json, fields["parameters"])),
        tuple(map(_crossing_from_json, fields["results"])),
        tuple(fields["names"]),
        frozenset(fields["read_only"]),
        fields["arenas"],
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
        fields["alignment"] = crossing.alignment
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
            shape = tuple(fields["shape"])
            return Buffer(fields["type"], element, shape, layout, fields["alignment"])

"""The dlti dialect: xDSL's, whose entries may be written as attributes of their own too.

MLIR reads `#dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", "little">>`, as exporters
write it, and `#dlti.dl_spec<"dlti.endianness" = "little">`, which it prints.
"""

from __future__ import annotations

from xdsl.dialects import dlti
from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.dlti import DataLayoutEntryAttr
from xdsl.ir import Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser


def _parse_entry(parser: AttrParser) -> DataLayoutEntryAttr:
    """Parse `key = value`, or `#dlti.dl_entry<key, value>`."""
    key = parser.parse_attribute()
    if isinstance(key, DataLayoutEntryAttr):
        return key
    parser.parse_punctuation("=")
    return DataLayoutEntryAttr.new((key, parser.parse_attribute()))


class _EntryMap(dlti.DLTIEntryMap):
    # xDSL's own attributes are final, so that these stand beside them.

    @classmethod
    def parse_parameters(
        cls, parser: AttrParser
    ) -> tuple[ArrayAttr[DataLayoutEntryAttr]]:
        entries = parser.parse_comma_separated_list(
            parser.Delimiter.ANGLE, lambda: _parse_entry(parser)
        )
        return (ArrayAttr(entries),)


@irdl_attr_definition(init=False)
class DataLayoutSpecAttr(_EntryMap):
    """The layout of types in memory, by type and by name."""

    name = "dlti.dl_spec"


@irdl_attr_definition(init=False)
class MapAttr(_EntryMap):
    """What is known, by name."""

    name = "dlti.map"


@irdl_attr_definition(init=False)
class TargetDeviceSpecAttr(_EntryMap):
    """What is known of a device, by name."""

    name = "dlti.target_device_spec"


@irdl_attr_definition(init=False)
class TargetSystemSpecAttr(_EntryMap):
    """The devices of a system, by name."""

    name = "dlti.target_system_spec"


DLTI = Dialect(
    "dlti",
    [],
    [
        DataLayoutEntryAttr,
        DataLayoutSpecAttr,
        MapAttr,
        TargetDeviceSpecAttr,
        TargetSystemSpecAttr,
    ],
)

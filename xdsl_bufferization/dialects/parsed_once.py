"""Types and affine maps that a program repeats, parsed once.

A program of 10,000 ops has some ten different types, which it spells 40,000 times. xDSL
lexes and parses each of them, in half of the time that parsing takes. Here, the text of
a shaped type or an affine map that has no aliases in it is looked up among those that the
same parser has read. Attributes are immutable, so that ops can share them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from xdsl.ir import Attribute
from xdsl.utils.mlir_lexer import MLIRTokenKind

# Without aliases, symbols, strings and comments. That such a text is all of the type or
# map is checked when it is parsed for the first time.
_PLAIN = r'[^<>#!"/\n]'
_TYPE = re.compile(rf"(?:tensor|memref|vector)<(?:{_PLAIN}|<{_PLAIN}*>)*>")
_MAP = re.compile(rf"affine_map<(?:->|{_PLAIN})*>")

_Parse = Callable[[Any], Attribute | None]


def parse_types_once(parse_optional_type: _Parse) -> _Parse:
    """Return `AttrParser.parse_optional_type` that knows the types it has read."""
    return _look_up(_TYPE, parse_optional_type)


def parse_maps_once(parse_optional_attribute: _Parse) -> _Parse:
    """Return `AttrParser.parse_optional_attribute` that knows the maps it has read."""
    return _look_up(_MAP, parse_optional_attribute)


def _look_up(pattern: re.Pattern[str], parse: _Parse) -> _Parse:
    match, identifier = pattern.match, MLIRTokenKind.BARE_IDENT

    @wraps(parse)
    def parse_or_look_up(self: Any) -> Attribute | None:
        token = self._parser_state.current_token
        if token.kind is not identifier:
            return parse(self)
        span = token.span
        source = span.input.content
        text = match(source, span.start)
        if text is None:
            return parse(self)
        known = self.__dict__.setdefault("_parsed_once", {})
        attribute = known.get(text[0])
        if attribute is not None:
            self._resume_from(text.end())
            return attribute
        attribute = parse(self)
        end = self._parser_state.current_token.span.start
        if attribute is not None and not source[text.end() : end].strip():
            known[text[0]] = attribute
        return attribute

    return parse_or_look_up

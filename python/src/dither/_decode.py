"""JSON documents as dataclasses, which stand in notebooks as tables."""

from __future__ import annotations

import dataclasses
import html
import sys
import types
import typing
from typing import Any, TypeVar

N = TypeVar("N", bound="Node")


class Node:
    """An object of a document. Its keys are attributes, in snake_case."""

    @classmethod
    def from_json(cls: type[N], value: dict[str, Any]) -> N:
        """Decode an object of a document. Keys that the class does not know are left out."""
        return _node(cls, value)

    def to_dict(self) -> dict[str, Any]:
        """The object as dictionaries and lists."""
        return dataclasses.asdict(self)  # type: ignore[call-overload, no-any-return]

    def to_frame(self) -> Any:
        """The object as a pandas table of two columns: key and value; lists and objects are counted."""
        import pandas as pd

        return pd.DataFrame([(f, _short(v)) for f, v in vars(self).items()], columns=["key", "value"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(k)}</th>"
            f"<td style='text-align:left'>{html.escape(str(_short(v)))}</td></tr>"
            for k, v in vars(self).items()
        )
        return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"


def frame_of(nodes: list[Any]) -> Any:
    """Objects of one kind as a pandas table, a row each."""
    import pandas as pd

    rows = [{k: _short(v) for k, v in vars(n).items()} for n in nodes]
    return pd.DataFrame(rows)


def _short(value: Any) -> Any:
    """What stands for a value in the cell of a table."""
    text = getattr(value, "text", None)
    if text is not None and hasattr(value, "key"):
        return text
    if isinstance(value, list):
        if all(isinstance(x, (str, int, float, bool)) for x in value):
            return ", ".join(map(str, value))
        shorter = [_short(x) for x in value]
        if all(isinstance(x, str) for x in shorter) and value and hasattr(value[0], "key"):
            return "; ".join(shorter)
        return f"{len(value)} items"
    if isinstance(value, (Node, dict)):
        return f"{type(value).__name__}"
    return value


_FIELDS: dict[type, list[tuple[str, str, Any]]] = {}


def _fields(cls: type) -> list[tuple[str, str, Any]]:
    """The fields of a class: key in JSON, name, annotation."""
    if cls not in _FIELDS:
        hints = typing.get_type_hints(cls, vars(sys.modules[cls.__module__]))
        _FIELDS[cls] = [(_key(name), name, hint) for name, hint in hints.items()]
    return _FIELDS[cls]


def _key(name: str) -> str:
    """not_judged -> notJudged"""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(r.capitalize() for r in rest)


def _node(cls: type[N], value: dict[str, Any]) -> N:
    return cls(**{name: _value(hint, value.get(key)) for key, name, hint in _fields(cls)})


def _value(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = typing.get_origin(hint)
    if origin is typing.Union or origin is types.UnionType:
        hint = next(a for a in typing.get_args(hint) if a is not type(None))
        origin = typing.get_origin(hint)
    if origin is list:
        inner = typing.get_args(hint)[0]
        return [_value(inner, v) for v in value]
    if isinstance(hint, type) and issubclass(hint, Node):
        return _node(hint, value)
    return value

"""What the functions return."""

from __future__ import annotations

import base64
import html
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import pyarrow as pa

from dither import _documents as documents
from dither._decode import Node, frame_of
from dither._errors import said


class _Judged:
    """Something that has a verdict and measures."""

    document: Any
    notes: list[str]

    @property
    def verdict(self) -> documents.Verdict:
        """Whether the release may go out, why, and what intruders find."""
        return self.document.verdict  # type: ignore[no-any-return]

    def to_frame(self) -> Any:
        """The measures as a pandas table, a row for each measure and intruder."""
        return frame_of(self.document.measures)

    def __str__(self) -> str:
        return "\n".join([said(self.verdict), *("note: " + n for n in self.notes)])

    def _repr_html_(self) -> str:
        v = self.verdict
        colour = {"meets the limits": "#1a7f37", "withheld": "#cf222e"}.get(v.state, "#9a6700")
        parts = [f"<p><strong style='color:{colour}'>{_text(v.state)}</strong> {_text(v.sentence)}</p>"]
        parts += [f"<p>{_text(r.says)}</p>" for r in v.reasons or []]
        parts.append(_listed("Limits", [_demand(d) for d in v.demands or []]))
        parts.append(_listed("Good for", [_text(x) for x in v.good_for or []]))
        parts.append(_listed("Not for", [_text(x) for x in v.not_for or []]))
        parts.append(_listed("Notes", [_text(x) for x in self.notes]))
        return "".join(parts)


_STYLE = re.compile(r"<style>(:root, svg\.dither.*?)</style>", re.DOTALL)


def _text(value: Any) -> str:
    """A sentence of a document, or a text, for a page."""
    return html.escape(str(getattr(value, "text", value) or ""))


def _demand(d: Any) -> str:
    bound = f"at most {d.max:g}" if d.max is not None else f"at least {d.min:g}" if d.min is not None else ""
    value = "not measured" if d.value is None else f"{d.value:.3g}"
    if d.lo is not None and d.hi is not None:
        value += f" ({d.lo:.2g} to {d.hi:.2g})"
    return f"{_text(d.title)}: {value}, {bound}: {_text(d.standing)}"


def _listed(title: str, items: list[str]) -> str:
    if not items:
        return ""
    rows = "".join(f"<li>{i}</li>" for i in items)
    return f"<details><summary>{title} ({len(items)})</summary><ul>{rows}</ul></details>"


class Page:
    """A page of HTML that fills a cell of a notebook. A report that is not public is confidential, and so is the
    notebook that shows it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def chart(self, name: str) -> str:
        """A chart of the page as a picture for a notebook, with its description for those who do not see it; empty where
        the page has no chart of that name."""
        svg = re.search(rf'<svg class="dither[^>]*aria-labelledby="{re.escape(name)}-t .*?</svg>', self.text, re.DOTALL)
        style = _STYLE.search(self.text)
        if svg is None or style is None:
            return ""
        said = re.search(r"<desc[^>]*>(.*?)</desc>", svg[0], re.DOTALL)
        drawn = svg[0].replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        drawn = drawn.replace("</desc>", f"</desc><style>{style[1]}</style>", 1)
        data = base64.b64encode(drawn.encode()).decode()
        return f'<img alt="{said[1] if said else ""}" src="data:image/svg+xml;base64,{data}">'

    def _repr_html_(self) -> str:
        return (f"<iframe srcdoc=\"{html.escape(self.text)}\" sandbox='allow-scripts' "
                "style='width:100%;height:640px;border:1px solid #ccc'></iframe>")


@dataclass(repr=False, eq=False)
class Release(_Judged):
    """A release: its table, how it was made, and what it was judged to be.

    data is None where it is withheld and on_withheld="return" asked for the release all the same. plan is the plan
    file, which evaluate and attack take to know which record is whose; it is as confidential as the original.
    """

    data: Any
    document: Any  # documents.ProtectDocument, or ChooseDocument
    notes: list[str] = field(default_factory=list)
    plan: Optional[bytes] = None
    report: Optional[Page] = None
    record: Optional[bytes] = None
    buffer: Optional[pa.Buffer] = None  # of stream, without a copy

    def __repr__(self) -> str:
        return f"<dither.Release: {self.verdict.state}>"

    def _repr_html_(self) -> str:
        return super()._repr_html_() + ("" if self.report is None else self.report.chart("glance"))

    @property
    def verdict(self) -> documents.Verdict:
        """Whether the release may go out, why, and what intruders find."""
        made = getattr(self.document, "release", None)
        return (made or self.document).verdict  # type: ignore[no-any-return]

    @property
    def stream(self) -> Optional[bytes]:
        """The release as an Arrow stream, byte for byte as plan and record name it; None where it is withheld."""
        return None if self.buffer is None else bytes(self.buffer.to_pybytes())

    def to_frame(self) -> Any:
        """The measures as a pandas table, a row for each measure and intruder."""
        made = getattr(self.document, "release", None)
        return frame_of((made or self.document).measures)


@dataclass(repr=False, eq=False)
class Evaluation(_Judged):
    """What was measured of a release, and the verdict."""

    document: Any  # documents.EvaluateDocument or AttackDocument
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<dither.Evaluation: {self.verdict.state}>"


@dataclass(repr=False, eq=False)
class Inspection:
    """What a table holds, which roles its columns seem to play, and how exposed it is. Confidential."""

    document: documents.InspectDocument
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<dither.Inspection: {self.document.file.rows} rows, {self.document.file.columns} columns>"

    @property
    def roles(self) -> dict[str, list[str]]:
        """The suggested roles of each column: none, or several."""
        return {r.column: r.roles for r in self.document.roles}

    def to_frame(self) -> Any:
        """The suggested roles as a pandas table, a row for each column."""
        return frame_of(self.document.roles)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(c)}</td><td>{html.escape(', '.join(r))}</td></tr>" for c, r in self.roles.items())
        return f"<table><tr><th>column</th><th>role</th></tr>{rows}</table>" + _listed(
            "Notes", [_text(n) for n in [*self.document.notes, *self.notes]])


@dataclass(repr=False, eq=False)
class Comparison:
    """Techniques and measures over folds and repetitions, with what follows from them."""

    document: documents.CompareDocument
    notes: list[str] = field(default_factory=list)
    report: Optional[Page] = None

    def to_frame(self) -> Any:
        """Mean and spread of every measure and setting as a pandas table."""
        return frame_of(self.document.summaries)

    def _repr_html_(self) -> str:
        drawn = "" if self.report is None else self.report.chart("map")
        return drawn + str(self.to_frame()._repr_html_())


@dataclass(repr=False, eq=False)
class Mined:
    """What a miner found."""

    document: Node
    notes: list[str] = field(default_factory=list)

    def to_frame(self) -> Any:
        """The item sets, rules or clusters as a pandas table."""
        for name in ("rules", "itemsets", "clusters"):
            found = getattr(self.document, name, None)
            if isinstance(found, list):
                import pandas as pd

                return frame_of(found) if found and isinstance(found[0], Node) else pd.DataFrame(found)
        return self.document.to_frame()

    def _repr_html_(self) -> str:
        return str(self.to_frame()._repr_html_())


def read_if(path: Optional[Path]) -> Optional[bytes]:
    """The content of a file that may not have been asked for, or not written."""
    return path.read_bytes() if path is not None and path.exists() else None


"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from dither._documents import Verdict


class DitherError(Exception):
    """A call failed. The message says what to do."""


class UsageError(DitherError, ValueError):
    """A call is wrong: an argument, or what a file holds."""


class Withheld(DitherError):
    """A release may not go out, so there is none.

    verdict says why, and is None where choose found no candidate to judge; document is all that was measured, which is
    confidential.
    """

    def __init__(self, document: Any) -> None:
        self.document = document
        made = getattr(document, "release", None) or document
        self.verdict: Optional[Verdict] = getattr(made, "verdict", None)
        super().__init__(said(self.verdict) if self.verdict is not None else str(document.state))


def said(verdict: Any) -> str:
    """The verdict in words: its state, the sentence on what is found, and the reasons."""
    lines = [f"{verdict.state}: {verdict.sentence.text}" if verdict.sentence else verdict.state]
    for reason in verdict.reasons or []:
        lines.append("- " + reason.says.text)
        lines += ["  " + r.text for r in getattr(reason, "remedies", []) or [] if getattr(r, "text", "")]
    return "\n".join(lines)

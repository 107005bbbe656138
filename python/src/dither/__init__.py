"""Noise that keeps the pattern: release a table about people that is still worth mining.

    import dither

    release = dither.protect(df, class_="readmitted")
    release.data                      # a frame like df, which keeps the limits on risk and the rules of df
    release.verdict                   # what an intruder finds, and whether the release may go out

A release that may not go out is an exception (Withheld) that carries the verdict. Every flag of the command is an
argument: --keep-order is keep_order=True, --role age=other is role={"age": "other"}, and class_ stands for --class.
Tables may be frames of pandas or polars, Arrow tables, anything with __arrow_c_stream__, paths, or addresses of tables
in a database; what comes back is of the kind that went in (of a path, an Arrow table).
"""

from dither._api import (
    attack,
    choose,
    compare,
    evaluate,
    inspect,
    judge,
    mine,
    protect,
    synthesise,
    verify,
)
from dither._errors import DitherError, UsageError, Withheld
from dither._results import Comparison, Evaluation, Inspection, Mined, Release

__all__ = [
    "Comparison",
    "DitherError",
    "Evaluation",
    "Inspection",
    "Mined",
    "Release",
    "UsageError",
    "Withheld",
    "attack",
    "choose",
    "compare",
    "evaluate",
    "inspect",
    "judge",
    "mine",
    "protect",
    "synthesise",
    "verify",
]

"""The verbs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Optional, Union

import numpy as np
import pyarrow as pa

from dither import _documents as documents
from dither._call import BROKEN, UNPROVEN, Answer, Progress, call, private
from dither._decode import Node
from dither._errors import UsageError, Withheld
from dither._results import Comparison, Evaluation, Inspection, Mined, Page, Release, read_if
from dither._tables import Place, Source

NOT_JUDGED = "not judged"  # a state of a verdict (dither schema evaluate)

Seed = Union[int, str, "os.PathLike[str]"]  # a short seed; the digits of a secret one, or its file
OnWithheld = Literal["raise", "return"]


def inspect(data: Any, class_: Optional[str] = None, *, progress: Optional[Progress] = None, **flags: Any) -> Inspection:
    """Say what a table holds, which roles its columns seem to play, and what in it looks like a mistake."""
    source = Source(data)
    answer = _run(["inspect", source.argument], flags, source=source, class_=class_, progress=progress)
    return Inspection(documents.InspectDocument.from_json(_document(answer)), answer.notes)


def protect(
    data: Any,
    class_: Optional[str] = None,
    *,
    method: Optional[str] = None,
    seed: Optional[Seed] = None,
    report: Union[bool, Place] = False,
    record: Union[bool, Place] = False,
    keep_order: bool = False,
    index: Literal["fresh", "keep"] = "fresh",
    on_withheld: OnWithheld = "raise",
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Release:
    """Perturb a table so that nobody can be picked out and its patterns stay, and judge the release.

    class_ is the column that decision rules predict. method is a technique (default: segment synthesis). seed is a
    file with a secret seed, or its 64 hexadecimal digits; without one a fresh seed is drawn, used and forgotten. A short
    seed such as 42 draws the same in R and by the command, and anyone can guess it: its releases are withheld unless
    accept="seed" lets them go. With report or record (True, or a path that keeps it) the release carries a page, or a
    record of the run that can be verified. Records come in random order; keep_order=True keeps that of the original,
    and then index="keep" gives a pandas frame its index back.

    Every other argument is a flag of "dither protect": role={"age": "other"}, limits="survey", set={"leaf": 50}.

    Raises Withheld where the release may not go out.
    """
    verb = ["protect"]
    extra = {"method": method, "keep_order": keep_order, **flags}
    return _release(verb, data, class_, seed, report, record, index, on_withheld, progress, extra)


def synthesise(
    data: Any,
    class_: Optional[str] = None,
    *,
    method: Optional[str] = None,
    rows: Optional[int] = None,
    seed: Optional[Seed] = None,
    report: Union[bool, Place] = False,
    record: Union[bool, Place] = False,
    on_withheld: OnWithheld = "raise",
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Release:
    """Draw a table of new records, which stand for nobody, and judge what it tells of people. See protect."""
    extra = {"method": method, "rows": rows, **flags}
    return _release(["synthesise"], data, class_, seed, report, record, "fresh", on_withheld, progress, extra)


def choose(
    data: Any,
    class_: Optional[str] = None,
    *,
    seed: Optional[Seed] = None,
    report: Union[bool, Place] = False,
    record: Union[bool, Place] = False,
    on_withheld: OnWithheld = "raise",
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Release:
    """Find the technique that loses least under the limits, and make the release with it. See protect."""
    return _release(["choose"], data, class_, seed, report, record, "fresh", on_withheld, progress, flags)


def evaluate(
    original: Any,
    released: Any,
    class_: Optional[str] = None,
    *,
    plan: Union[None, bytes, Place] = None,
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Evaluation:
    """Measure what a release keeps and what it tells, and judge it. A Release brings its plan along."""
    answer = _of_two("evaluate", original, released, class_, plan, progress, flags)
    return Evaluation(documents.EvaluateDocument.from_json(_document(answer)), answer.notes)


def attack(
    original: Any,
    released: Any,
    class_: Optional[str] = None,
    *,
    plan: Union[None, bytes, Place] = None,
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Evaluation:
    """Simulate intruders: whom they find in a release, and what they learn of them. Confidential."""
    answer = _of_two("attack", original, released, class_, plan, progress, flags)
    return Evaluation(documents.AttackDocument.from_json(_document(answer)), answer.notes)


def judge(
    original: Any,
    released: Any,
    class_: Optional[str] = None,
    *,
    plan: Union[None, bytes, Place] = None,
    on_withheld: OnWithheld = "raise",
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Evaluation:
    """Say whether a release may go out, by whatever it was made.

    Raises Withheld where it may not, and where that was not judged: measure="found" alone shows nothing. limits="none"
    asks for no judgement, and then none is raised.
    """
    answer = _of_two("evaluate", original, released, class_, plan, progress, flags)
    document = documents.EvaluateDocument.from_json(_document(answer))
    verdict = document.verdict
    judged = answer.status not in (BROKEN, UNPROVEN) and verdict is not None and verdict.state != NOT_JUDGED
    if not judged and flags.get("limits") != "none" and on_withheld == "raise":
        raise Withheld(document)
    return Evaluation(document, answer.notes)


def compare(
    data: Any,
    class_: Optional[str] = None,
    *,
    method: Union[str, Iterable[str]],
    report: Union[bool, Place] = True,
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Comparison:
    """Compare techniques and settings by what they preserve and what they risk.

    The comparison carries a page, whose map a notebook shows above the figures; a path keeps that page, and
    report=False leaves it out.
    """
    source = Source(data)
    names = method if isinstance(method, str) else ",".join(method)
    with private() as folder:
        more = _written({"report": report}, folder)
        answer = _run(["compare", source.argument], {"method": names, **flags, **more}, source=source, class_=class_,
                      progress=progress)
        page = _page(more)
    return Comparison(documents.CompareDocument.from_json(_document(answer)), answer.notes, page)


_MINED: dict[str, type[Node]] = {
    "clusters": documents.ClustersDocument, "itemsets": documents.ItemsetsDocument, "model": documents.ModelDocument,
    "rules": documents.RulesDocument, "tree": documents.TreeDocument,
}


def mine(
    what: Literal["clusters", "itemsets", "model", "rules", "tree"],
    data: Any,
    class_: Optional[str] = None,
    *,
    progress: Optional[Progress] = None,
    **flags: Any,
) -> Mined:
    """Mine a table: a decision tree, frequent item sets, association rules, clusters, or any model of the catalogue."""
    if what not in _MINED:
        raise UsageError(f"mine: {what!r} is none of {', '.join(_MINED)}")
    source = Source(data)
    answer = _run(["mine", what, source.argument], flags, source=source, class_=class_, progress=progress)
    return Mined(_MINED[what].from_json(_document(answer)), answer.notes)


def verify(record: Union[bytes, Place], **flags: Any) -> documents.VerifyDocument:
    """Check the record of a run, and the files that it names (release="release.csv", key="custodian.pub")."""
    with private() as folder:
        path = _kept(record, folder / "record.json")
        answer = _run(["verify", path], flags)
    return documents.VerifyDocument.from_json(_document(answer))


def _release(
    verb: list[str],
    data: Any,
    class_: Optional[str],
    seed: Optional[Seed],
    report: Union[bool, Place],
    record: Union[bool, Place],
    index: str,
    on_withheld: OnWithheld,
    progress: Optional[Progress],
    flags: Mapping[str, Any],
) -> Release:
    if on_withheld not in ("raise", "return"):
        raise UsageError(f'on_withheld is "raise" or "return", not {on_withheld!r}')
    if index == "keep" and not flags.get("keep_order"):
        raise UsageError('index="keep" needs keep_order=True: in random order no row has an index of its own')
    source = Source(data)
    with private() as folder:
        plan = Path(flags.get("plan_out") or folder / "plan.json")
        more: dict[str, Any] = {"plan_out": plan, **_written({"report": report, "record": record}, folder)}
        more.update(_seed(seed, folder / "seed"))
        answer = _run([*verb, source.argument], {**flags, **more}, source=source, class_=class_, released=True,
                      progress=progress)
        document = (documents.ChooseDocument if verb[0] == "choose" else documents.ProtectDocument).from_json(
            _document(answer))
        if answer.table is None and on_withheld == "raise":
            raise Withheld(document)
        out = Release(
            data=None if answer.table is None else source.back(answer.table),
            document=document,
            notes=[*source.notes, *answer.notes],
            plan=read_if(plan),
            report=_page(more),
            record=read_if(more.get("record")),
            buffer=answer.stream,
        )
    if index == "keep" and hasattr(data, "index") and out.data is not None:
        out.data.index = data.index
        out.notes = [n for n in out.notes if not n.startswith("the index is not released")]
    return out


def _written(wanted: Mapping[str, Union[bool, Place]], folder: Path) -> dict[str, Any]:
    """The flags of files that are asked for: in a folder of ours, or where a path says."""
    return {name: folder / name if where is True else Path(where) for name, where in wanted.items()
            if not isinstance(where, bool) or where}


def _page(written: Mapping[str, Any]) -> Optional[Page]:
    text = read_if(written.get("report"))
    return None if text is None else Page(text.decode())


def _of_two(
    verb: str,
    original: Any,
    released: Any,
    class_: Optional[str],
    plan: Union[None, bytes, Place],
    progress: Optional[Progress],
    flags: Mapping[str, Any],
) -> Answer:
    """A call on two tables: the original through the pipe, the release in a private file where it is no file yet."""
    source = Source(original)
    with private() as folder:
        if isinstance(released, Release):
            if released.buffer is None:
                raise UsageError("the release was withheld, so there is no table")
            plan = released.plan if plan is None else plan
            path = _kept(released.buffer, folder / "released.arrows")
        else:
            path = Source(released).file(folder / "released.arrows")
        more = {} if plan is None else {"plan": _kept(plan, folder / "plan.json")}
        return _run([verb, source.argument, path], {**flags, **more}, source=source, class_=class_, progress=progress)


def _run(
    arguments: list[str],
    flags: Mapping[str, Any],
    *,
    source: Optional[Source] = None,
    class_: Optional[str] = None,
    released: bool = False,
    progress: Optional[Progress] = None,
) -> Answer:
    every = {"class": class_, **{name.rstrip("_"): value for name, value in flags.items()}}
    for name in ("output", "format", "json", "events", "help", "verbose"):
        if name in every:
            raise UsageError(f"{name} is no argument here: what the call returns takes its place")
    command = list(arguments)
    for name, value in every.items():
        command += _flag("--" + name.replace("_", "-"), value)
    return call(command, table=source.table if source is not None else None, released=released,
                progress=progress or _bar())


def _flag(name: str, value: Any) -> list[str]:
    """A keyword as flags: True stands alone, a mapping and a list repeat the flag, None and False leave it out."""
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    if isinstance(value, Mapping):
        return [f"{name}={k}={v}" for k, v in value.items()]
    if isinstance(value, (list, tuple, set)):
        return [f"{name}={v}" for v in value]
    return [f"{name}={value}"]


def _seed(seed: Optional[Seed], path: Path) -> dict[str, Any]:
    """The flag that says the seed: a short one stands there, a secret one in a file that its owner alone can read."""
    if seed is None:
        return {}
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
        return {"seed": int(seed)}
    if isinstance(seed, str) and len(seed) == 64 and all(c in "0123456789abcdefABCDEF" for c in seed):
        return {"seed_file": _kept(seed.encode() + b"\n", path)}
    if not isinstance(seed, (str, os.PathLike)):
        raise UsageError("seed is a file, 64 hexadecimal digits, or a short seed: a whole number such as 42")
    return {"seed_file": os.fspath(seed)}


def _kept(data: Union[bytes, pa.Buffer, Place], path: Path) -> str:
    """The path of a file with these bytes, which the owner alone can read; a path is one already."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as f:
        f.write(memoryview(data))
    return str(path)


def _document(answer: Answer) -> dict[str, Any]:
    if answer.document is None:
        raise UsageError("the program printed no document")
    return answer.document


def _bar() -> Optional[Progress]:
    """A bar of tqdm, where that is installed and somebody looks at standard error."""
    if not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bars: dict[str, Any] = {}

    def progress(work: str, done: int, total: int) -> None:
        if total == 0:
            bar = bars.pop(work, None)
            if bar is not None:
                bar.close()
            return
        bar = bars.get(work)
        if bar is None:
            bar = bars[work] = tqdm(total=total, desc=work, leave=False)
        bar.total = total
        bar.update(done - bar.n)

    return progress

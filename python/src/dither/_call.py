"""One call of the program: a table goes in as an Arrow stream, another comes out, and a document beside it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import pyarrow as pa

from dither._errors import DitherError, UsageError

Progress = Callable[[str, int, int], None]

# Exit statuses of the program.
DONE, FAILED, USAGE, BROKEN, UNPROVEN = range(5)


def program() -> str:
    """The path of the program: DITHER where that is set, the one of this package, or one on the PATH."""
    named = os.environ.get("DITHER")
    if named:
        return named
    name = "dither.exe" if os.name == "nt" else "dither"
    for folder in (sysconfig.get_path("scripts"), str(Path(sys.executable).parent)):
        path = Path(folder) / name
        if path.is_file() and not _is_script(path):
            return str(path)
    found = shutil.which(name)
    if found is None:
        raise DitherError("the program dither is neither in this environment nor on the PATH: install the wheel "
                          "(pip install dither), or set DITHER to its path")
    return found


def _is_script(path: Path) -> bool:
    with path.open("rb") as f:
        return f.read(2) == b"#!"


@contextlib.contextmanager
def private() -> Iterator[Path]:
    """A folder that its owner alone can read, in memory where the system has such a place; it is removed in the end."""
    memory = Path("/dev/shm")
    place = str(memory) if os.access(memory, os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="dither-", dir=place)  # mode 0700
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Answer:
    """What a call came to."""

    status: int
    document: Optional[dict[str, Any]]
    table: Optional[pa.Table]
    stream: Optional[pa.Buffer]  # of the table, byte for byte as it was written
    notes: list[str] = field(default_factory=list)


def call(
    arguments: Sequence[str],
    *,
    table: Optional[pa.Table] = None,
    released: bool = False,
    progress: Optional[Progress] = None,
) -> Answer:
    """Run the program. With a table, "-" among the arguments stands for it; with released, a table is read back.

    An interrupt ends the program before it is raised again. Errors that the program names are raised.
    """
    command = [program(), *arguments, "--events", "--json"]
    if released:
        command += ["-o", "-", "--format", "arrows"]
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if table is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=1 << 20,  # as large as Linux lets anyone have one: a table is many turns of the usual 64 KiB
    )
    try:
        return _exchange(child, table, released, progress)
    except BaseException:
        _end(child)
        raise


def _exchange(
    child: subprocess.Popen[bytes], table: Optional[pa.Table], released: bool, progress: Optional[Progress]
) -> Answer:
    said = _Said(progress)
    work = [_Beside(said.read, child.stderr)]
    if table is not None:
        work.append(_Beside(_send, child.stdin, table))
    assert child.stdout is not None
    with child.stdout:
        out = pa.py_buffer(child.stdout.read())
    for w in work:
        w.join()
    status = child.wait()
    for w in work:  # a part of a table may have been protected, so nothing of it is given back
        if w.error is not None:
            raise w.error
    if status in (FAILED, USAGE) or status < 0 or status > UNPROVEN:
        raise said.error(status)
    if not released:
        return Answer(status, json.loads(out.to_pybytes()), None, None, said.notes)
    got = pa.ipc.open_stream(out).read_all() if out.size else None
    stream = out if out.size else None
    return Answer(status, json.loads(said.rest) if said.rest else None, got, stream, said.notes)


class _Beside(threading.Thread):
    """Work beside the caller, whose error it keeps."""

    def __init__(self, work: Callable[..., None], *args: Any) -> None:
        super().__init__(daemon=True)
        self.error: Optional[BaseException] = None
        self.work, self.args = work, args
        self.start()

    def run(self) -> None:
        try:
            self.work(*self.args)
        except BaseException as e:  # raised where the caller waits
            self.error = e


def _send(pipe: Any, table: pa.Table) -> None:
    """Write a table to a program that may end, with an error of its own, before it has read all of it."""
    with contextlib.suppress(BrokenPipeError):
        with pipe, pa.ipc.new_stream(pipe, table.schema) as w:
            w.write_table(table)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a program, which removes what it has not finished."""
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


class _Said:
    """What the program says on standard error, line by line."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self.progress = progress
        self.failed: Optional[Exception] = None
        self.notes: list[str] = []
        self.complaint = ""
        self.text: list[str] = []
        self.rest = b""

    def read(self, pipe: Any) -> None:
        with pipe:
            for line in pipe:
                if self._event(line) == "document":
                    self.rest = pipe.read()
                    break
        if self.failed is not None:
            raise self.failed

    def _event(self, line: bytes) -> str:
        try:
            e = json.loads(line)
        except ValueError:
            e = None
        if not isinstance(e, dict) or "event" not in e:
            self.text.append(line.decode("utf-8", "replace").rstrip())
            return ""
        kind = str(e["event"])
        if kind == "note":
            self.notes.append(e["says"])
        elif kind == "error":
            self.complaint = e["says"]
        elif kind == "progress" and self.progress is not None:
            try:
                self.progress(e["says"], e.get("done", 0), e.get("total", 0))
            except Exception as error:  # the program goes on: it would end in the middle if nobody read what it says
                self.progress, self.failed = None, error
        return kind

    def error(self, status: int) -> DitherError:
        says = self.complaint or "\n".join(self.text) or f"the program ended with status {status}"
        says = says.removeprefix("dither: ")
        return UsageError(says) if status == USAGE else DitherError(says)

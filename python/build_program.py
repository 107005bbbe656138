"""A hook of the build: the program in Go goes into the wheel's scripts, and its source into the sdist.

DITHER_TARGET=linux/arm64 and so on builds for another machine than this one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


class CustomBuildHook(BuildHookInterface):
    """Builds the program for a wheel, and packs its source for an sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        source = root / "program"  # in an sdist; in the repository it is the folder above
        if not source.is_dir():
            source = root.parent
        if self.target_name == "sdist":
            for path in _tracked(source):
                build_data["force_include"][str(source / path)] = f"program/{path}"
            return
        target = os.environ.get("DITHER_TARGET") or _here()
        system, machine = target.split("/")
        self.folder = tempfile.mkdtemp()
        name = "dither.exe" if system == "windows" else "dither"
        out = Path(self.folder) / name
        env = {**os.environ, "GOOS": system, "GOARCH": machine, "CGO_ENABLED": "0"}
        command = ["go", "build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", str(out), "./cmd/dither"]
        subprocess.run(command, cwd=source, env=env, check=True)
        build_data["shared_scripts"][str(out)] = name
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{TAGS[target]}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if getattr(self, "folder", None):
            shutil.rmtree(self.folder)


def _here() -> str:
    """This machine, as Go names it."""
    said = subprocess.run(["go", "env", "GOOS", "GOARCH"], check=True, capture_output=True, text=True).stdout.split()
    return "/".join(said)


def _tracked(source: Path) -> list[str]:
    """The files of the main module that the program is built from."""
    if not (source / ".git").exists():
        return [str(p.relative_to(source)) for p in source.rglob("*") if p.is_file()]
    said = subprocess.run(["git", "ls-files", "-z"], cwd=source, check=True, capture_output=True, text=True).stdout
    apart = ("python/", "r/", "beam/", "sql/", "tools/", "docs/", ".ci/", ".github/")
    return [
        p for p in said.split("\0")
        if p and not p.startswith(apart) and "testdata/" not in p and not p.endswith("_test.go")
    ]

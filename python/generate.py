"""Writes src/dither/_documents.py: a dataclass for each object of the JSON schemas of dither.

    python generate.py PATH-OF-DITHER            writes the module
    python generate.py PATH-OF-DITHER --check    fails where it is not what the schemas say
"""

from __future__ import annotations

import json
import keyword
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

# The documents that a function of the package returns.
NAMES = [
    "inspect", "protect", "choose", "evaluate", "attack", "verify", "compare", "clusters", "model", "tree", "itemsets",
    "rules",
]
TARGET = Path(__file__).parent / "src" / "dither" / "_documents.py"
HEAD = '''"""The JSON documents of dither as dataclasses. Written by generate.py; do not edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from dither._decode import Node

# A key that is absent, where a schema allows that, is None; so is one that does not apply.
'''


def snake(name: str) -> str:
    """notJudged -> not_judged; a word of Python gets an underscore."""
    out = "".join("_" + c.lower() if c.isupper() else c for c in name)
    return out + "_" if keyword.iskeyword(out) else out


class Module:
    """Classes by name; one definition in two schemas is one class."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}
        self.seen: dict[str, list[tuple[str, Any]]] = {}

    def named(self, schema: Any, definitions: dict, document: str) -> str:
        """The annotation of a value."""
        if isinstance(schema, bool):
            return "Any"
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            target = definitions[name]
            if "properties" not in target:
                return self.named(target, definitions, document)
            return self.define(name, target, definitions, document)
        kinds = schema.get("type", [])
        if isinstance(kinds, list):
            some = [k for k in kinds if k != "null"]
            if len(some) == 1:
                inner = self.named({**schema, "type": some[0]}, definitions, document)
                return inner if len(kinds) == 1 or inner == "Any" else f"Optional[{inner}]"
            options = [o for o in schema.get("anyOf", schema.get("oneOf", [])) if o.get("type") != "null"]
            if len(options) == 1:
                inner = self.named(options[0], definitions, document)
                return inner if inner == "Any" else f"Optional[{inner}]"
            return "Any"
        if kinds == "array":
            return f"list[{self.named(schema.get('items', {}), definitions, document)}]"
        if kinds == "object" and "properties" in schema:
            return "dict[str, Any]"
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]"}
        return plain.get(kinds, "Any")

    def define(self, name: str, schema: dict, definitions: dict, document: str) -> str:
        """Defines the class of an object and returns its name."""
        for cls, known in self.seen.get(name, []):
            if known == schema:
                return cls
        cls = document.capitalize() + name if name in self.seen else name
        self.seen.setdefault(name, []).append((cls, schema))
        fields = []
        for key, value in schema["properties"].items():
            typ = self.named(value, definitions, document)
            if key not in schema.get("required", []) and not typ.startswith("Optional") and typ != "Any":
                typ = f"Optional[{typ}]"
            about = "" if isinstance(value, bool) else value.get("description", "")
            fields.append((snake(key), typ, about))
        doc = schema.get("description", "") or f"{cls} of a document."
        lines = [f"@dataclass(frozen=True)\nclass {cls}(Node):"]
        lines += quoted(doc, 4)
        lines.append("")
        for field, typ, what in fields:
            lines += [("    # " + line) for line in textwrap.wrap(what, 112)]
            lines.append(f"    {field}: {typ}")
        self.classes[cls] = "\n".join(lines) + "\n"
        return cls


def quoted(text: str, indent: int) -> list[str]:
    """A docstring."""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.wrap(text, 110 - indent)
    lines[0] = '"""' + lines[0]
    if len(lines) == 1:
        lines[0] += '"""'
    else:
        lines.append('"""')
    return [" " * indent + line for line in lines]


def module(dither: str) -> str:
    """The whole module."""
    out = Module()
    for name in NAMES:
        schema = json.loads(subprocess.run([dither, "schema", name], check=True, capture_output=True, text=True).stdout)
        out.define(name.capitalize() + "Document", schema, schema.get("$defs", {}), name)
    return HEAD + "".join("\n\n" + text for text in out.classes.values())


def main() -> None:
    text = module(sys.argv[1])
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            sys.exit(f"{TARGET.name} is not what the schemas say: python generate.py PATH-OF-DITHER")
        return
    TARGET.write_text(text)


if __name__ == "__main__":
    main()

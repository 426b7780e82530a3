"""Run hmmlearn's and sklearn-crfsuite's own tests against our façades.

``python -m benchmarks.conformance.sequences [FOLDER]``: hmmlearn's tests come with its
package; FOLDER holds those of sklearn-crfsuite, which only its source archive has
(``pip download --no-deps --no-binary :all: sklearn-crfsuite``, then unpack). Nothing of
them is kept here.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["main", "run"]

#: Files of hmmlearn's tests that are about what has no façade.
LEFT_OUT = ("test_variational", "test_kl_divergence")


def run(files: list[Path]) -> list[str]:
    """Run test files; return a line for each test: its outcome and its name."""
    with TemporaryDirectory() as folder:
        Path(folder, "empty.ini").write_text("", encoding="utf-8")
        command = [
            sys.executable, "-m", "pytest", "-c", f"{folder}/empty.ini", "--rootdir",
            folder, "-p", "benchmarks.conformance.sequence_names", "-rA", "-q",
            "--tb=no", "-p", "no:cacheprovider", "-W", "ignore", *map(str, files),
        ]  # fmt: skip
        environment = {"HMMLEARN_SEED": "1", **os.environ}
        found = subprocess.run(
            command, capture_output=True, text=True, env=environment, check=False
        )
    words = "PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED"
    return re.findall(rf"^(?:{words}) .*$", found.stdout, flags=re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Print how many tests end how, and the names of those that fail."""
    spec = find_spec("hmmlearn")
    suites = {}
    if spec is not None and spec.origin is not None:
        every = sorted(Path(spec.origin).parent.glob("tests/test_*.py"))
        suites["hmmlearn"] = [f for f in every if not f.name.startswith(LEFT_OUT)]
    if arguments:
        suites["sklearn-crfsuite"] = sorted(Path(arguments[0]).glob("test_*.py"))
    for name, files in suites.items():
        lines = run(files)
        kinds = [line.split()[0] for line in lines]
        counts = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
        sys.stdout.write(f"{name}: {counts}\n")
        for line in lines:
            if line.startswith(("FAILED", "ERROR")):
                sys.stdout.write(f"  {line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

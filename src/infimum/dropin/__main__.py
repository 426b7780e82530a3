"""``python -m infimum.dropin SCRIPT [arguments]``: run a script with the patch on."""

import runpy
import sys
from pathlib import Path

from infimum.dropin.replacement import patch

__all__ = ["main"]

USAGE = "usage: python -m infimum.dropin SCRIPT [ARGUMENTS]\n"


def main(arguments: list[str]) -> int:
    """Run the script named first, as if Python had been given it and the rest."""
    if not arguments or arguments[0] in {"-h", "--help"}:
        asked = bool(arguments)
        (sys.stdout if asked else sys.stderr).write(USAGE)
        return 0 if asked else 2
    script = Path(arguments[0])
    if not script.is_file():
        sys.stderr.write(f"infimum.dropin: there is no script {str(script)!r}.\n")
        return 2
    sys.argv = arguments
    # Python puts the script's folder first, where `-m` had put the current one.
    sys.path[0] = str(script.resolve().parent)
    with patch():
        runpy.run_path(str(script), run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

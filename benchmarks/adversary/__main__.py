"""``python -m benchmarks.adversary``."""

import os
import sys

__all__: list[str] = []

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

if __name__ == "__main__":
    from benchmarks.adversary.command import main

    sys.exit(main())

"""Let ``python -m benchmarks`` run the benchmarks."""

import sys

from benchmarks.command import main

sys.exit(main())

"""Where numba is switched off, every class still fits and answers, only slowly."""

import os
import subprocess
import sys

CODE = """
import warnings
from benchmarks import ordinary_calls as calls
warnings.simplefilter("ignore")
table, t = calls.table("float64 C", (40, 10))
for name in sorted(calls.classes()):
    X = calls.features(name, table)
    for y in calls.targets(calls.made(name), t):
        model = calls.made(name)
        if "n_estimators" in model.get_params():
            model.set_params(n_estimators=4)
        model.fit(X, y)
        for asked in {"predict", "transform"} & {*dir(model)}:
            getattr(model, asked)(X)
    print(name)
"""


def test_every_class_runs_with_numba_switched_off():
    found = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": found},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.split()) > 100

"""FLAML and mljar-supervised on given rows, for so many seconds; runs by itself.

``python automl_peers.py flaml|mljar TRAIN TEST TARGET SECONDS OUT`` learns with the
package's own defaults and writes what it answers about the test rows. It needs flaml or
mljar-supervised with pandas, nothing of Infimum.
"""

import sys
import tempfile
from typing import Any

__all__ = ["answers"]


def answers(kind: str, train: Any, test: Any, target: str, seconds: float) -> Any:
    """Return a frame of predictions and, of classes, probabilities."""
    import numpy as np
    import pandas as pd

    y, rows = train[target], train.drop(columns=[target])
    others = test.drop(columns=[target], errors="ignore")
    classify = y.dtype.kind not in "fiu"
    model = _fitted(kind, rows, y, seconds, classify=classify)
    if not classify:
        return pd.DataFrame({"prediction": np.ravel(model.predict(others))})
    names = np.unique(y.astype(str))
    likely = np.asarray(model.predict_proba(others), dtype=float)
    found = pd.DataFrame(likely, columns=[f"probability of {name}" for name in names])
    found.insert(0, "prediction", names[likely.argmax(axis=1)])
    return found


def _fitted(kind: str, rows: Any, y: Any, seconds: float, *, classify: bool) -> Any:
    if kind == "flaml":
        from flaml import AutoML

        model = AutoML()
        task = "classification" if classify else "regression"
        model.fit(rows, y, task=task, time_budget=seconds, verbose=0, seed=0)
        return model
    from supervised.automl import AutoML as Supervised

    model = Supervised(
        results_path=tempfile.mkdtemp(), total_time_limit=int(seconds), mode="Compete",
        random_state=0, verbose=0,
    )  # fmt: skip
    model.fit(rows, y)
    return model


if __name__ == "__main__":
    import pandas as pd

    package, learned, tested, name, budget, out = sys.argv[1:]
    found = answers(
        package, pd.read_csv(learned), pd.read_csv(tested), name, float(budget)
    )
    found.to_csv(out, index=False)

"""When a matrix can be completed: coherence, sample sizes, experiments.

- `low_rank_matrix`: matrices to try it on. `rank_objective`, `trace_objective`: what
  completing means; `project_seen`, `project_unseen`.
- `coherence`, `matrix_coherences`, `missed_entry_probability`: how spread out it is.
- `coupon_probability`, `coupon_draws`, `degrees_of_freedom`, `entries_needed`,
  `recovery_theorem`, `approximate_recovery`: how many entries are enough.
- `recovery_experiment`, `noisy_recovery_experiment`: what soft-impute does.
- `two_raters_error`: the error of guessing.
"""

from infimum.study.completion.coherence import (
    MatrixCoherences,
    coherence,
    matrix_coherences,
    missed_entry_probability,
)
from infimum.study.completion.experiments import (
    low_rank_matrix,
    noisy_recovery_experiment,
    recovery_experiment,
    two_raters_error,
)
from infimum.study.completion.objectives import (
    project_seen,
    project_unseen,
    rank_objective,
    trace_objective,
)
from infimum.study.completion.sample_sizes import (
    ApproximateRecovery,
    RecoveryTheorem,
    approximate_recovery,
    coupon_draws,
    coupon_probability,
    degrees_of_freedom,
    entries_needed,
    recovery_theorem,
)

__all__ = [
    "ApproximateRecovery",
    "MatrixCoherences",
    "RecoveryTheorem",
    "approximate_recovery",
    "coherence",
    "coupon_draws",
    "coupon_probability",
    "degrees_of_freedom",
    "entries_needed",
    "low_rank_matrix",
    "matrix_coherences",
    "missed_entry_probability",
    "noisy_recovery_experiment",
    "project_seen",
    "project_unseen",
    "rank_objective",
    "recovery_experiment",
    "recovery_theorem",
    "trace_objective",
    "two_raters_error",
]

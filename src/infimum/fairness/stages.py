"""Where fairness can be put in: before, during or after training."""

__all__ = ["STAGES"]

#: The stage of each remedy in this room, with what it needs to know.
STAGES = {
    "SensitiveRemover": ("pre-processing", "the sensitive columns"),
    "FairPrototypes": ("pre-processing", "groups and labels of the training rows"),
    "fair_threshold": ("in-training", "groups and labels of the training rows"),
    "CovarianceConstrainedClassifier": (
        "in-training",
        "groups and labels of the training rows",
    ),
    "derive": ("post-processing", "decisions, groups and labels; groups of new rows"),
    "group_thresholds": (
        "post-processing",
        "scores, groups, labels; groups of new rows",
    ),
    "crossing_thresholds": (
        "post-processing",
        "scores, groups, labels; groups of new rows",
    ),
}

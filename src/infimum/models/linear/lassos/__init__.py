"""Lasso, elastic net, multi-task and group lasso: penalties that set weights to 0."""

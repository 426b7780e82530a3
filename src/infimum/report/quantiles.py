"""Which quantile a run was asked for, if it was one."""

from typing import Any

__all__ = ["wanted_quantile"]


def wanted_quantile(result: dict[str, Any]) -> float | None:
    """Return which quantile was learned, None if it was no quantile."""
    wanted = result["criterion"].get("quantile")
    return None if wanted is None else float(wanted)

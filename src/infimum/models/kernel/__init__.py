"""Kernel machines: functions learnt as weighted sums of similarities to the samples."""

__all__: list[str] = []

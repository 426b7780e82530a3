"""Ward's linkage of ten thousand points; fastcluster runs in memory of O(n), too."""

from benchmarks.tasks.linkage_average import LinkageTask

TASK = LinkageTask("ward", "Ward linkage, 10,000 × 10")

"""What scores allow to infer: intervals, tests, corrections, ranks.

Everything here takes `Scores`, and no function knows rankings or files. Every test names its null
hypothesis and what it estimates.
"""

from fuzzytruth.stats.settings import Resampling

__all__ = ["Resampling"]

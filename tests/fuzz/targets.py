"""All targets by name."""

from fuzz import export_targets, matrix_targets, stream_targets, table_targets, taxonomy_targets
from fuzz.target import Target

_ALL = (
    *table_targets.TARGETS,
    *stream_targets.TARGETS,
    *taxonomy_targets.TARGETS,
    *matrix_targets.TARGETS,
    *export_targets.TARGETS,
)
TARGETS: dict[str, Target] = {target.name: target for target in _ALL}

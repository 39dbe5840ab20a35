"""What the worlds of single queries are computed from again."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.evaluation.worlds.parts import setting_of_query
from fuzzytruth.evaluation.worlds.setting import Setting

_NONE = -1  # the setting of a system that has none


class Source(NamedTuple):
    """A setting, and the numbers that a run, a measure and a query have in it."""

    setting: Setting
    run: int
    measure: int
    query: int


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """The settings of the evaluations that scores come from; all share their worlds.

    Pickled without the settings where these do not pickle (such as a measure that holds a lock),
    and read without them where they cannot be read (such as a measure that is not registered).

    Parameters
    ----------
    settings : tuple of Setting
    place : (systems, measures, 3) int
        Number of the setting, of the run and of the measure; -1 where there is no setting.
    query : (settings, queries) int
        Number of each query in each setting.
    """

    settings: tuple[Setting, ...]
    place: Ints
    query: Ints

    @classmethod
    def of(cls, setting: Setting) -> Sources:
        """Those of one evaluation."""
        run, measure = np.indices((len(setting.aligned.facts.systems), len(setting.measures)))
        place = np.stack((np.zeros_like(run), run, measure), axis=-1)
        return cls((setting,), place, np.arange(len(setting.aligned.facts.queries))[None, :])

    @property
    def complete(self) -> bool:
        """Whether every score has a setting."""
        return not (self.place == _NONE).any()

    def find(self, system: int, measure: int, query: int) -> Source | None:
        """Setting, run, measure and query of a score; None if there is no setting."""
        number, run, of = self.place[system, measure].tolist()
        if number == _NONE:
            return None
        setting, place = setting_of_query(self.settings[number], int(self.query[number, query]))
        return Source(setting, run, of, place)

    def take(self, systems: Ints, measures: Ints, queries: Ints) -> Sources:
        """Those of some systems, measures and queries."""
        return Sources(self.settings, self.place[np.ix_(systems, measures)], self.query[:, queries])

    def __getstate__(self) -> tuple[bytes | None, Ints, Ints]:
        try:
            settings = pickle.dumps(self.settings, protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError):
            settings = None
        return settings, self.place, self.query

    def __setstate__(self, state: tuple[bytes | None, Ints, Ints]) -> None:
        packed, place, query = state
        settings: Any = None
        if packed is not None:
            try:
                settings = pickle.loads(packed)
            except Exception:  # whatever the code of a user's measure or truth raises
                settings = None
        if settings is None:
            settings, place, query = (), np.full_like(place, _NONE), query[:0]
        for name, value in (("settings", settings), ("place", place), ("query", query)):
            object.__setattr__(self, name, value)


def joined(
    parts: Sequence[Sources | None], shapes: Sequence[tuple[int, int]], axis: int
) -> Sources | None:
    """Sources of scores side by side: of systems (axis 0) or measures (axis 1).

    Parameters
    ----------
    parts : sequence of Sources or None
        Of the same queries.
    shapes : sequence of (systems, measures)
    """
    known = [part for part in parts if part is not None]
    if not known:
        return None
    places = []
    settings: tuple[Setting, ...] = ()
    for part, shape in zip(parts, shapes, strict=True):
        place = np.full((*shape, 3), _NONE) if part is None else part.place.copy()
        place[..., 0] += np.where(place[..., 0] == _NONE, 0, len(settings))
        places.append(place)
        settings += () if part is None else part.settings
    query = np.concatenate([part.query for part in known])
    return Sources(settings, np.concatenate(places, axis=axis), query)

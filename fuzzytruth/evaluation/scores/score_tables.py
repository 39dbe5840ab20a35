"""Scores of some systems, measures, queries and subjects, and scores as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.cells import Cells, grouped_mean
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.validation import several
from fuzzytruth.core.versions import own_version
from fuzzytruth.errors import choice, counted, first_few, nearest, require, shown
from fuzzytruth.evaluation.scores.score_arrays import NUMBERS, ScoreArrays
from fuzzytruth.io.ids import take

if TYPE_CHECKING:
    import xarray as xr

    from fuzzytruth.measures import Measure

Names = Iterable[str] | str | None
Groups = Mapping[str, str]
_LONG = 2**11  # rows of a system, from which blocks of names are shared


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreTables(ScoreArrays):
    """Selection, and tables of all numbers and of means."""

    def select(
        self,
        *,
        systems: Names = None,
        measures: Iterable[str | Measure] | str | Measure | None = None,
        queries: Names = None,
        subjects: Names = None,
        replicates: Names = None,
    ) -> Self:
        """Scores of some systems, measures, queries and subjects, in the order of the names.

        When queries or subjects are selected, queries that none of these subjects judged are left
        out, and so are subjects who judged none of these queries.

        Parameters
        ----------
        systems, queries, subjects : str or sequence of str, optional
            By default all.
        measures : str, Measure or sequence of those, optional
            In any spelling.
        replicates : str or sequence of str, optional
            Runs of systems, by their names: ance/1, or 1 for that run of all systems. Systems
            without any of them are left out; those with one have its values.

        Returns
        -------
        Scores
            With distributions of single queries as before. Under worlds, means over some of the
            queries are known in each world after ``evaluate(..., keep_worlds=True)`` (under
            ``worlds="population"`` of measures with exact expected values).

        Raises
        ------
        OptionError
            Names are unknown or come twice, there are no subjects, or no score is left.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> scores = ft.evaluate({"q": {"a": 1}}, runs, ["AP", "P@1"])
        >>> scores.select(systems=["y", "x"], measures="map").mean()["AP"].to_dict()
        {'y': 0.5, 'x': 1.0}
        """
        if replicates is not None:
            rule = "these scores name no replicates of systems"
            require("replicates", replicates, self.replicates is not None, rule)
            assert self.replicates is not None
            of: Any = self.replicates.select(replicates)
            names: Any = {"systems": systems, "measures": measures, "queries": queries}
            some: Self = of.select(**names, subjects=subjects)
            return some
        if subjects is not None and self.subjects is None:
            raise errors.OptionError(f"subjects={shown(subjects)}: these scores have no subjects")
        if measures is not None:
            measures = [self.measure_name(measure) for measure in several(measures)]
        chosen = _places(
            {
                "systems": (systems, self.systems),
                "measures": (measures, self.measures),
                "queries": (queries, self.queries),
                "subjects": (subjects, self.subjects or ()),
            }
        )
        query, subject = chosen["queries"], None if self.subjects is None else chosen["subjects"]
        cells, cell = self.cells, np.arange(len(self.cells))
        if queries is not None or subjects is not None:
            cells, cell = kept_cells(cells, query, subject)
            query = query[cells.sizes > 0]
            subject = None if subject is None else subject[cells.subject_sizes > 0]
            cells = cells.compressed()
        return self._take(chosen["systems"], chosen["measures"], query, subject, cells, cell)

    def _of_chosen(self, chosen: Bools) -> Self:
        """Those of some cells (cells,), with the queries and subjects that have any."""
        cells = self.cells.select(chosen)
        return self._take(
            np.arange(len(self.systems)),
            np.arange(len(self.measures)),
            np.flatnonzero(cells.sizes),
            None if self.subjects is None else np.flatnonzero(cells.subject_sizes),
            cells.compressed(),
            np.flatnonzero(chosen),
        )

    def _take(
        self,
        systems: Ints,
        measures: Ints,
        queries: Ints,
        subjects: Ints | None,
        cells: Cells,
        cell: Ints,
    ) -> Self:
        """Scores of these systems, measures, queries and subjects, in this order.

        Parameters
        ----------
        systems, measures, queries : (chosen,) int
        subjects : (chosen,) int or None
            None where there are no subjects.
        cells : Cells
            The new cells.
        cell : (new cells,) int
            The old cell of each new one.
        """
        table = np.ix_(systems, measures, cell)
        own = {field: getattr(self, field) for field in NUMBERS.values()}
        numbers: dict[str, Any] = {f: None if n is None else n[table] for f, n in own.items()}
        names: dict[str, Any] = {
            field: tuple(known[place] for place in places)
            for field, places in (
                ("systems", systems),
                ("queries", queries),
                ("measures", measures),
                ("higher_is_better", measures),
                ("ranges", measures),
                ("subjects", subjects),
            )
            if (known := getattr(self, field)) and places is not None
        }
        spread, made = self.uncertainty, self.provenance
        if spread is not None:
            every = len(queries) == len(self.queries)
            spread = spread.take(systems, measures, queries, cell, all_queries=every)
            if subjects is not None:  # each is a world
                spread = replace(spread, n_worlds=len(subjects))
        attributes, repeated = self.query_attributes.items(), self.replicates
        runs = names["systems"]
        if repeated is not None:
            code = repeated.code
            of_runs = np.concatenate([np.flatnonzero(code == place) for place in systems])
            of = repeated.runs._take(of_runs, measures, queries, subjects, cells, cell)
            system_of = tuple(repeated.system_of[run] for run in of_runs)
            fixed = tuple(name for name in repeated.deterministic if name in runs)
            repeated = replace(repeated, runs=of, system_of=system_of, deterministic=fixed)
            runs = of.systems
            if len(of_runs) == len(systems):
                repeated = None
        return replace(
            self,
            cells=cells,
            uncertainty=spread,
            provenance=made and made.of(runs, names["measures"]),
            replicates=repeated,
            query_attributes={name: tuple(v[q] for q in queries) for name, v in attributes},
            **names,
            **numbers,
        )

    def to_frame(self) -> pd.DataFrame:
        """One row a number: system, query, measure, [subject,] value[, ...].

        Rows are ordered by system, query, measure and subject, each in the order in which it
        came. A query that a subject did not judge has no row for that subject. Under worlds,
        `value` is the expected value, `std` the standard deviation over worlds, `exact` whether
        the value is exact, and `mc_error` its Monte Carlo standard error, 0 if it is (the last two
        also where missing judgments were imputed from other subjects). `lower` and `upper` are the
        bounds under ``unjudged="bounds"``.
        """
        by_measure = np.tile(self.cells.query, len(self.measures))
        # of one system: by query, then measure, then subject
        measure, cell = np.divmod(np.argsort(by_measure, kind="stable"), len(self.cells))
        codes = {
            "query": self.cells.query[cell],
            "measure": measure,
            "subject": self.cells.subject_codes[cell],
        }
        columns: dict[str, Any] = {
            axis: _names(labels, codes.get(axis), len(self.systems), len(cell))
            for axis, labels in self._labels.items()
        }
        place = np.ravel_multi_index((measure, cell), (len(self.measures), len(self.cells)))
        columns |= {
            name: values.reshape(len(values), -1).take(place, axis=1).ravel()
            for name, values in self._numbers.items()
        }
        return pd.DataFrame(columns, copy=False)

    def to_xarray(self) -> xr.Dataset:
        """Dataset of xarray with the dimensions system, query, measure[, subject].

        Its variables are the columns of numbers of `to_frame`: `value`, and `lower`, `upper`,
        `std`, `exact` and `mc_error` where there are any. NaN (`exact`: False) where a system has
        no value, and for queries that a subject did not judge. `higher_is_better` is a coordinate
        of the measures, attributes of queries are coordinates of the queries; the options of
        `evaluate` and the version are attributes.

        Raises
        ------
        MissingPackageError
            xarray is not installed.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> scores = ft.evaluate({"q": {"a": 1}}, runs, ["AP", "P@5"]).to_xarray()
        >>> scores["value"].sel(measure="AP").mean("query").to_series().to_dict()
        {'x': 1.0, 'y': 0.5}
        >>> scores.attrs["worlds"]
        'crisp'
        """
        try:
            import xarray as xr
        except ImportError as error:
            raise errors.MissingPackageError(
                "to_xarray needs xarray; install it with: pip install 'fuzzytruth[xarray]'"
            ) from error
        coordinates: dict[str, Any] = {axis: list(names) for axis, names in self._labels.items()}
        dims, numbers = tuple(coordinates), self._numbers
        coordinates["higher_is_better"] = "measure", list(self.higher_is_better)
        for name, texts in self.query_attributes.items():
            taken = name in coordinates or name in numbers
            coordinates[f"query_{name}" if taken else name] = "query", np.array(texts, dtype=object)
        made = self.provenance
        # texts and numbers, as files keep them
        attributes = {"version": made.version if made else own_version(), "design": self.design}
        if made is not None:
            attributes |= made.options()
            attributes |= {} if made.truth is None else {"truth": made.truth}
        return xr.Dataset(
            {name: (dims, self._dense(values)) for name, values in numbers.items()},
            coords=coordinates,
            attrs=attributes,
        )

    def _dense(self, values: Array) -> Array:
        """A copy: (systems, queries, measures[, subjects]); NaN or False where there is no cell."""
        fill = False if values.dtype == bool else np.nan
        table = np.moveaxis(self.cells.dense(values, fill=fill), 1, 2).copy()
        return table[..., 0] if self.subjects is None else table

    def mean(
        self,
        *,
        by: Literal["subject", "group", "replicate"] | None = None,
        groups: Groups | None = None,
    ) -> pd.DataFrame:
        """Means over queries, systems × measures.

        Parameters
        ----------
        by : {"subject", "group", "replicate"}, optional
            Keep these apart: rows are then (system, subject), (system, group) or, of the runs of
            systems, (system, replicate). By default a
            query's value is first averaged over the subjects who judged it.
        groups : mapping from query to group, optional
            Average within each group of queries, then over groups (macro mean), as benchmarks
            with classes of different sizes do.

        Returns
        -------
        DataFrame
            Index system (and subject or group), one column a measure. NaN where no query has a
            value.

        Raises
        ------
        OptionError
            ``by="subject"`` without subjects, ``by="group"`` without groups, ``by="replicate"``
            without runs, or a query that has no group.
        """
        if by is not None:
            choice("by", by, ("subject", "group", "replicate"))
        if by == "replicate":
            known = self.replicates
            require("by", by, known is not None, "these scores name no replicates of systems")
            assert known is not None
            means = known.runs.mean(groups=groups)
            each: Any = list(known.system_of), means.index
            return means.set_index(pd.MultiIndex.from_arrays(each, names=["system", "replicate"]))
        if by == "subject":
            return self._mean_table(self._by_subject(groups), "subject", self.subjects or ())
        by_query = self.cells.mean_by_query(self.values)  # (systems, measures, queries)
        if groups is not None:
            group, labels = self._group_of(groups)
            by_query = grouped_mean(by_query, group, len(labels))
        if by == "group":
            if groups is None:
                raise errors.OptionError("by='group': give groups={query: group, ...}")
            return self._mean_table(by_query, "group", labels)
        return pd.DataFrame(
            nan_mean(by_query, axis=-1),
            index=pd.Index(self.systems, name="system"),
            columns=pd.Index(self.measures, name="measure"),
        )

    def _by_subject(self, groups: Groups | None) -> Floats:
        """Means over queries, or over groups of queries: (systems, measures, subjects)."""
        if self.subjects is None:
            raise errors.OptionError("by='subject': these scores have no subjects")
        if self.design == "nested":
            raise errors.OptionError(
                "by='subject': the subjects are nested in queries, a name being another person "
                "in another query; average them within queries: mean()"
            )
        cells = self.cells
        if groups is None:
            return cells.mean_by_subject(self.values)
        group, labels = self._group_of(groups)
        pair = cells.subject_codes * len(labels) + group[cells.query]
        pairs, place = np.unique(pair, return_inverse=True)  # of a subject and a group
        means = grouped_mean(self.values, place, len(pairs))
        return grouped_mean(means, pairs // len(labels), cells.n_subjects)

    def _group_of(self, groups: Groups) -> tuple[Ints, tuple[str, ...]]:
        """Group of each query (queries,), and the groups' names in the order they came."""
        require("groups", groups, isinstance(groups, Mapping), "must be {query: group}")
        groups = {str(query): group for query, group in groups.items()}
        lost = [q for q in self.queries if q not in groups]
        if lost:
            raise without_group("groups", "group", lost)
        names = [str(groups[q]) for q in self.queries]
        code = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return np.array([code[name] for name in names]), tuple(code)

    def _mean_table(self, values: Floats, axis: str, labels: tuple[str, ...]) -> pd.DataFrame:
        """(systems, measures, labels) as rows (system, label) and columns measures."""
        index = pd.MultiIndex.from_product([self.systems, labels], names=["system", axis])
        rows = values.transpose(0, 2, 1).reshape(len(index), len(self.measures))
        return pd.DataFrame(rows, index=index, columns=pd.Index(self.measures, name="measure"))


def without_group(option: str, group: str, queries: list[str]) -> errors.OptionError:
    """The error of queries that have no group."""
    return errors.OptionError(
        f"{option}: {counted(len(queries), 'query has', 'queries have')} no {group}, the first is "
        f"{shown(queries[0])}"
    )


def kept_cells(cells: Cells, queries: Ints, subjects: Ints | None) -> tuple[Cells, Ints]:
    """The cells of some queries and subjects, in their order, and the old place of each."""
    query = _new_numbers(queries, cells.n_queries)[cells.query]
    keep, subject, n_subjects = query >= 0, cells.subject, 1
    if subject is not None and subjects is not None:
        n_subjects = len(subjects)
        subject = _new_numbers(subjects, cells.n_subjects)[subject]
        keep &= subject >= 0
    if not keep.any():
        raise errors.OptionError(
            "none of the subjects selected judged any of the queries selected: no score is left"
        )
    subject = None if subject is None else subject[keep]
    kept, order = Cells.from_pairs(
        query[keep], subject, n_queries=len(queries), n_subjects=n_subjects
    )
    return kept, np.flatnonzero(keep)[order]


def _new_numbers(chosen: Ints, n: int) -> Ints:
    """The new number of each of n things, -1 for those not chosen: (n,)."""
    out = np.full(n, -1)
    out[chosen] = np.arange(len(chosen))
    return out


def _places(wanted: dict[str, tuple[Any, Sequence[str]]]) -> dict[str, Ints]:
    """Places of the names wanted for each axis, in their order; None: all.

    Raises
    ------
    OptionError
        An axis is empty, or names are unknown or come twice: one error for those of all axes.
    """
    places, wrong = {}, []
    for axis, (names, known) in wanted.items():
        places[axis] = np.arange(len(known))
        if names is None:
            continue
        listed = [str(name) for name in several(names)]
        if not listed:
            raise errors.OptionError(f"{axis}=(): name at least one")
        code = {name: place for place, name in enumerate(known)}
        for name, times in Counter(listed).items():
            if name not in code:
                wrong.append(
                    f"{axis}: {shown(name)} is not among these scores{nearest(name, known)}"
                )
            elif times > 1:
                wrong.append(f"{axis}: {shown(name)} comes {times} times; name it once")
        places[axis] = np.array([code[name] for name in listed if name in code], dtype=np.int64)
    if wrong:
        raise errors.OptionError(first_few(wrong, separator="; "))
    return places


def _names(labels: tuple[str, ...], codes: Ints | None, systems: int, rows: int) -> Any:
    """A column of names in pandas' type of text, with as many rows for each system.

    These are the names with these codes, or all that of the system. Where Arrow stores the text,
    no row becomes a Python object, and long blocks of equal rows share their memory.
    """
    kind: Any = pd.Series([], dtype=str).dtype
    in_arrow = getattr(kind, "storage", None) == "pyarrow"
    if in_arrow and rows >= _LONG:
        names = pa.array(labels, pa.large_string())
        of_one = _constant(labels, rows) if codes is None else [take(names, codes)] * systems
        return kind.__from_arrow__(pa.chunked_array(of_one))
    every = np.arange(systems).repeat(rows) if codes is None else np.tile(codes, systems)
    if in_arrow:
        return kind.__from_arrow__(take(pa.array(labels, pa.large_string()), every))
    return np.array(labels, dtype=object)[every]


def _constant(labels: tuple[str, ...], rows: int) -> Iterator[Any]:
    """For each name, a block of text that repeats it."""
    ends: dict[int, Any] = {}
    for text in map(str.encode, labels):
        size = len(text)
        if size not in ends:
            ends[size] = pa.py_buffer(np.arange(rows + 1) * size)
        yield pa.LargeStringArray.from_buffers(rows, ends[size], pa.py_buffer(text * rows))

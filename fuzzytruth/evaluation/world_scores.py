"""Scores under independent or population worlds, with their spread over these."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.exact_sums import Moments
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.errors import LostVotesWarning, OptionError, counted, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.subject_scores import scores_of
from fuzzytruth.evaluation.validation import report_undefined_worlds
from fuzzytruth.evaluation.worlds import setting as worlds
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting
from fuzzytruth.evaluation.worlds.simulation import ExactMoments, SimulatedScores
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty, WorldValues
from fuzzytruth.measures import Measure
from fuzzytruth.truth import AlignedTruth, Worlds
from fuzzytruth.truth.vote_weights import as_given

# Exact expected values of all scores, where mathematics gives them.


def exact_scores(setting: Setting, sampling: Sampling) -> ExactMoments:
    """Those of one outer world, in which all votes count as given, or of a community each."""
    begun = replace(sampling, progress=worlds.up_to(sampling.progress, worlds.EXACT_PART))
    return ExactMoments.whole(_of_blocks, setting, begun)


def _of_blocks(setting: Setting, sampling: Sampling) -> ExactMoments:
    tasks = [(setting, block) for block in setting.blocks]
    blocks = worlds.run_blocks(_of_block, tasks, sampling.n_jobs, sampling.progress)
    return ExactMoments.together(list(blocks))


def _of_block(setting: Setting, queries: slice) -> ExactMoments:
    outcomes = setting.aligned.outcomes(queries, setting.votes)
    n_queries, exclude = queries.stop - queries.start, setting.exclude
    each = simulation.exact_moments(
        outcomes, setting.scored, setting.measures, n_queries, exclude=exclude
    )
    weight, chance = setting.votes.weight, each.chance_of_none
    if len(weight) == 1:
        return ExactMoments(each.mean[0], each.variance[0], each.known, chance[0])
    mass = np.broadcast_to(weight[:, None, None, None], each.mean.shape)
    if setting.exclude:  # of worlds that have a value
        mass = mass * (1.0 - chance[:, None])
    mass = divide(mass, mass.sum(axis=0), fill=np.nan)
    first, second = (np.where(mass == 0, 0.0, x) for x in (each.mean, each.variance))
    mean = simulation.weighted(mass, first)
    variance = simulation.weighted(mass, second + (first - mean) ** 2)
    chance = simulation.weighted(weight, chance)
    return ExactMoments(mean, variance, each.known, chance)


def unbiased_scores(setting: Setting, sampling: Sampling) -> ExactMoments:
    """Means over resamples of the subjects, where these are the values under the votes as given.

    They are so for a measure that is linear in the probabilities of single items, since the
    expected share of an item's votes in a resample is its share of the votes.
    """
    aligned, measures = setting.aligned, setting.measures
    shape = (len(aligned.facts.systems), len(measures), len(aligned.facts.queries))
    mean, known = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    linear = [m for m, measure in enumerate(measures) if measure.linear]
    if linear and aligned.facts.resampling_is_unbiased:
        only = replace(setting, votes=as_given(), measures=tuple(measures[m] for m in linear))
        exact = exact_scores(only, sampling)
        mean[:, linear], known[:, linear] = exact.mean, exact.known
    return ExactMoments(mean, np.full(shape, np.nan), known, np.zeros(shape[1:]))


# Arrays that cannot fit into memory, refused before they are allocated.


_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")
_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_fits(n_bytes: int, what: str, remedy: str) -> None:
    """Raise if as many bytes are more than this process can ever have.

    Parameters
    ----------
    n_bytes : int
    what : str
        What would be that large.
    remedy : str
        What to do instead.

    Raises
    ------
    OptionError
        They do not fit.
    """
    limit = most_bytes()
    if limit is not None and n_bytes > limit:
        raise OptionError(
            f"{what} would take {size_text(n_bytes)} ({n_bytes:,} bytes), and there are "
            f"{size_text(limit)} of memory; {remedy}"
        )


def most_bytes() -> int | None:
    """The memory of the machine, or of this process where it is limited; None: not known."""
    texts = [Path(name).read_text().strip() for name in _GROUPS if Path(name).is_file()]
    known = [int(text) for text in texts if text.isdigit()]  # the limits of a container
    with suppress(AttributeError, OSError, ValueError):  # as on Windows
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(ImportError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]  # as `ulimit -v` sets it
        if limit != resource.RLIM_INFINITY:
            known.append(limit)
    return min(known, default=None)


def size_text(n_bytes: int) -> str:
    """A number of bytes in words.

    Examples
    --------
    >>> size_text(999), size_text(32_000_000_000), size_text(1_500)
    ('999 bytes', '32 GB', '1.5 kB')
    """
    power = min(int(math.log10(max(n_bytes, 1)) // 3), len(_UNITS) - 1)
    return f"{n_bytes / 1000**power:.3g} {_UNITS[power]}"


#: worlds drawn in each outer world, to estimate its expected value
_INNER = 16


def score_worlds(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    kind: Worlds,
    *,
    sampling: Sampling,
    exclude: bool,
    groups: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[Scores, int]:
    """Scores under worlds, and the `n_worlds` that gives them again.

    Nothing is drawn before it is needed: exact means are known without.

    Parameters
    ----------
    exclude : bool
        Whether worlds without relevant items have no value, where a measure needs some.
    groups : mapping of str to tuple of str, optional
        The members of each community, for community worlds.
    """
    base = Setting(aligned, kind, as_given(), measures, 1, entropy_of(sampling.rng), exclude)
    base = replace(base, keep=sampling.keep, groups=groups)
    if groups is not None:
        base = replace(base, votes=worlds.outer_worlds(base, 1))
    exact = (unbiased_scores if kind == "population" else exact_scores)(base, sampling)
    if exact.known.all() and not sampling.keep:
        number = sampling.unused
        setting = _with_worlds(base, number)
        silent = replace(sampling, progress=None)
        drawn = Lazy(lambda: _simulated(setting, silent, number))
        if sampling.progress is not None:
            sampling.progress(1.0)
    else:
        setting, drawn, number = _draw(base, exact, sampling)
    values, error, known = exact.mean, np.zeros_like(exact.mean), exact.known
    chance_of_none = exact.chance_of_none
    if drawn.known:
        simulated = drawn.value
        values = np.where(known, values, simulated.mean)
        error = np.where(known, 0.0, np.sqrt(simulated.error))
        known = known | simulated.exact
        chance_of_none = simulated.chance_of_none
    chance = dict(zip(map(str, measures), chance_of_none, strict=True))
    report_undefined_worlds(chance, aligned.facts.queries, exclude=exclude)
    if kind != "independent":
        _report_lost_votes(setting, sampling, number)
    spread = _uncertainty(setting, drawn, exact, error, known)
    cells = Cells.of_queries(len(aligned.facts.queries))
    return scores_of(aligned, measures, values, cells, uncertainty=spread), number


def _with_worlds(base: Setting, n_worlds: int) -> Setting:
    """The same for a number of worlds."""
    votes = worlds.outer_worlds(base, n_worlds)
    n_inner = n_worlds
    if base.kind == "population":  # in all, at least as many as were asked for
        n_inner = max(_INNER, -(-n_inner // len(votes)))
    _check_memory(base, len(votes) if base.kind == "population" else n_worlds)
    return replace(base, votes=votes, n_inner=n_inner)


def _check_memory(base: Setting, n_worlds: int) -> None:
    """Raise unless values in all worlds fit into memory: means, and queries if these are kept."""
    n_systems, n_queries = len(base.aligned.facts.systems), len(base.aligned.facts.queries)
    n_values = n_worlds * n_systems * len(base.measures)
    measures = counted(len(base.measures), "measure")
    sizes = f"{n_worlds:,} worlds × {counted(n_systems, 'system')} × {measures}"
    what, remedy = f"n_worlds={n_worlds}: means in {sizes}", "draw fewer worlds"
    if base.keep:
        n_values *= n_queries
        what = f"keep_worlds=True: values in {sizes} × {counted(n_queries, 'query')}"
        remedy += ", or leave keep_worlds out"
    check_fits(8 * n_values, what, remedy)


def _draw(
    base: Setting, exact: ExactMoments, sampling: Sampling
) -> tuple[Setting, Lazy[SimulatedScores], int]:
    """Draw worlds, and more of them until they are enough if their number is open.

    The last is the number asked for: that of the setting is smaller where resamples are enumerated.
    """

    def draw(number: int) -> tuple[tuple[Setting, SimulatedScores], Floats, Floats]:
        setting = _with_worlds(base, number)
        rest = replace(sampling, progress=worlds.after(sampling.progress, worlds.EXACT_PART))
        simulated = _simulated(setting, rest, number)
        values = np.where(exact.known, exact.mean, simulated.mean)
        error = np.maximum(_errors(setting, simulated), _least_errors(exact, simulated, number))
        return (setting, simulated), values, np.where(exact.known.all(axis=-1), 0.0, error)

    drawn, number = sampling.until_enough(draw, base.aligned.facts.systems, base.measures)
    setting, simulated = drawn
    return setting, Lazy.of(simulated), number


def _errors(setting: Setting, simulated: SimulatedScores) -> Floats:
    """Monte Carlo errors of the means over queries: (systems, measures)."""
    # of queries whose values are estimated each by themselves
    n = (~np.isnan(simulated.mean)).sum(axis=-1)
    unknown = np.isnan(simulated.error)  # some resample has a value in one inner world only
    error = np.where(unknown, np.inf, simulated.error)
    squares = np.where(np.isnan(simulated.mean), 0.0, error).sum(axis=-1)
    apart: Floats = np.sqrt(divide(squares, n**2))
    if setting.several and not setting.votes.drawn:  # so they are where resamples are enumerated
        return apart
    means = Moments(simulated.count.shape[1:])
    in_worlds = divide(simulated.total.value, simulated.count, fill=np.nan)
    means.add(in_worlds, np.ones(len(in_worlds)))
    together = np.sqrt(np.nan_to_num(simulation.error_of_mean(means.variance, means.weight)))
    # A query that has a value in few worlds weighs as much as any other one, but not in each world.
    return np.where((simulated.count == n).all(axis=0), together, np.maximum(together, apart))


def _least_errors(exact: ExactMoments, simulated: SimulatedScores, number: int) -> Floats:
    """Errors to reckon with even where all drawn worlds agree: (systems, measures).

    One more world might differ, by the size of a value. Infinite where a query that has a value in
    some worlds has one in none of those drawn.
    """
    size = np.maximum(1.0, np.nan_to_num(np.abs(simulated.mean)))
    n_valid = number * (1 - simulated.chance_of_none)  # about as many worlds have a value
    each = np.where(exact.known | (n_valid < worlds.RARE), 0.0, divide(size, n_valid))
    unseen = np.isnan(simulated.mean) & ~exact.known & (n_valid >= worlds.RARE)
    total = (np.where(unseen, np.inf, each) ** 2).sum(axis=-1)
    return np.asarray(np.sqrt(total) / each.shape[-1])


def _uncertainty(
    setting: Setting, drawn: Lazy[SimulatedScores], exact: ExactMoments, error: Floats, known: Bools
) -> Uncertainty:
    """How values vary over worlds."""
    votes, n_worlds, several = setting.votes, setting.n_worlds, setting.several
    blurred = setting.kind == "population" and drawn.known and bool(drawn.value.noise.value.any())
    return Uncertainty(
        worlds=setting.kind,
        exact=known,
        mc_error=error,
        weight=votes.weight if several else np.full(n_worlds, 1 / n_worlds),
        # The largest of all queries: nested subjects may be fewer in some.
        inflation=float(votes.inflation.max()),
        drawn=votes.drawn or not several,
        n_worlds=n_worlds,
        entropy=setting.entropy,
        spread=_deviations(drawn, exact),
        in_worlds=drawn.map(lambda simulated: _in_worlds(setting, simulated)),
        joint_spread=drawn.map(lambda s: None if s.within is None else s.within.value),
        has_kept=setting.keep,
        has_within=setting.same_subjects,
        kept_is_joint=not blurred,
        sources=worlds.Sources.of(setting),
    )


def _deviations(drawn: Lazy[SimulatedScores], exact: ExactMoments) -> Lazy[Floats | None]:
    """Standard deviations over worlds; drawn only where they are not known."""
    unknown = np.isnan(exact.variance)
    if not (unknown & ~np.isnan(exact.mean)).any() and exact.known.all():
        return Lazy.of(np.sqrt(exact.variance))
    return drawn.map(lambda s: np.sqrt(np.where(unknown, s.variance, exact.variance)))


def _in_worlds(setting: Setting, simulated: SimulatedScores) -> WorldValues:
    """Means over queries, and values if kept, in each world."""
    # A world in which no query has a value has no mean.
    means = divide(simulated.total.value, simulated.count, fill=np.nan)
    kept = simulated.kept
    if setting.kind == "population":
        weight = setting.votes.weight
        noise = divide(simulated.noise.value, simulated.count**2, fill=np.nan)
        means = simulation.without_noise(means, noise, weight)
        if kept is not None and simulated.kept_noise is not None:
            kept = simulation.without_noise(kept, simulated.kept_noise, weight)
    return WorldValues(means, kept)


def _simulated(setting: Setting, sampling: Sampling, n_worlds: int) -> SimulatedScores:
    """Scores under drawn worlds, wherever the truth is."""
    resamples = n_worlds if setting.kind == "population" else None
    return SimulatedScores.whole(
        simulation.simulate, setting, sampling, merge=True, resamples=resamples
    )


def _report_lost_votes(setting: Setting, sampling: Sampling, n_worlds: int) -> None:
    """Warn of pairs of a resample and an item that have no vote."""
    lost = sum(worlds.on_parts(_lost_votes, setting, sampling, resamples=n_worlds))
    if lost:
        pairs = counted(len(setting.votes) * setting.aligned.facts.n_items, "pair")
        what = (
            f"no vote left in {lost:,} of {pairs} of a resample and an item, as few subjects "
            "judged the item; there it keeps its share of all votes"
        )
        if setting.groups is not None:
            what = f"no vote of the group in {lost:,} of {pairs} of a group and an item; there all"
            what += " votes on the item count"
        warn(what, LostVotesWarning)


def _lost_votes(setting: Setting, sampling: Sampling) -> int:
    return setting.aligned.lost_votes(setting.votes)

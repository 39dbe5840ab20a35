"""Where evaluated scores come from: checksums of the truth and of the runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any

from fuzzytruth._typing import U64
from fuzzytruth.core.checksums import bits_of, in_order, row_keys, set_keys, total
from fuzzytruth.core.versions import installed_version
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.runs import Runs
from fuzzytruth.evaluation.provenance import Provenance
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.io.ids import hash_ids, string_array

if TYPE_CHECKING:
    from fuzzytruth.core.label_sets import LabelSets
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Votes

#: checksum whatever the order of the rows, and checksum that depends on it
Checksums = tuple[str | None, str | None]


@singledispatch
def truth_checksums(truth: Any) -> Checksums:
    """Checksums of a truth: whatever the order of its rows, and depending on it.

    Drawn worlds depend on the order of the rows. A kind of truth may register its own function
    with ``@truth_checksums.register``; without one, its checksum is unknown.
    """
    return None, None


@cache
def _version() -> str:
    return installed_version("fuzzytruth")


def provenance_of(
    truth: Any, runs: Runs, scores: ScoreArrays, options: Mapping[str, str], n_worlds: int
) -> Provenance:
    """Provenance of scores that were evaluated with these options."""
    free, ordered = truth_checksums(truth)
    spread = scores.uncertainty
    return Provenance(
        version=_version(),
        n_worlds=None if spread is None else n_worlds,
        seed=None if spread is None else spread.entropy,
        truth=free,
        truth_order=ordered,
        runs=tuple((system, ranking.checksum) for system, ranking in runs.items()),
        measures=scores.measures,
        **options,
    )


@truth_checksums.register
def of_judgments(truth: Judgments) -> Checksums:
    """One row a judgment."""
    ids = {"query": truth.query, "item": truth.item}
    ids |= {"intent": truth.intent, "subject": truth.subject}
    numbers = {
        "grade": truth.grade,
        "position": truth.position,
        "probability": truth.probability,
    }
    columns = [hash_ids(column) for column in ids.values() if column is not None]
    columns += [bits_of(column) for column in numbers.values() if column is not None]
    given = [name for name, column in (ids | numbers).items() if column is not None]
    return _of_rows(row_keys(columns), [*given, truth.design])


@truth_checksums.register
def of_example(truth: ByExample) -> Checksums:
    """One row a ballot, besides the taxonomy and what is asked."""
    votes = truth.votes
    keys = row_keys([_ballots(votes, votes), bits_of(votes.weight)])
    category = truth.category
    asked = category if category is None or isinstance(category, str) else sorted(category.items())
    options = [asked, truth.relevance, truth.digits, truth.keep_query]
    about = [*map(str, options), _of_taxonomy(votes.taxonomy)]
    if truth.queries is not None:
        about.append(total(row_keys([_hashes(truth.queries)])))
    if votes.asked is not None:
        about.append(total(_ballots(votes, votes.asked)))
    return _of_rows(keys, about)


def _of_rows(keys: U64, about: list[str]) -> Checksums:
    """Checksums of rows and of what is true of them as a whole."""
    sums = ([total(some), *about] for some in (keys, in_order(keys)))
    free, ordered = (total(in_order(_hashes(texts))) for texts in sums)
    return free, ordered


def _ballots(votes: Votes, ballots: Any) -> U64:
    """Keys of rows of item, subject and label set: (ballots,)."""
    item, subject = hash_ids(votes.items), hash_ids(votes.subjects)
    sets = _of_sets(ballots.sets, votes.taxonomy)
    return row_keys([item[ballots.item], subject[ballots.subject], sets[ballots.label_set]])


def _of_sets(sets: LabelSets, taxonomy: Taxonomy) -> U64:
    return set_keys(row_keys([_hashes(taxonomy.nodes)[sets.label]]), sets.offsets)


def _of_taxonomy(taxonomy: Taxonomy) -> str:
    """Names of the categories and edges, whatever their order."""
    nodes = _hashes(taxonomy.nodes)
    parents = set_keys(row_keys([nodes[taxonomy.up.targets]]), taxonomy.up.offsets)
    return total(row_keys([nodes, parents]))


def _hashes(names: Any) -> U64:
    return hash_ids(string_array(list(names)))

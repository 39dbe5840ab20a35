"""Where rows and columns come from, for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import UnusedColumnWarning, first_few, shown, warn
from fuzzytruth.io.column_names import may_name_people

if TYPE_CHECKING:
    from fuzzytruth._typing import Ints

#: names the place of row j (from 0) of the data, such as "a.run, line 12"
Locate = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a table come from, and what its columns are called there.

    Parameters
    ----------
    place : callable
        Names the place of a row of the source.
    names : mapping of canonical to own name
    unused : tuple of str
        The source's columns that are not read.
    rows : (rows,) int or None
        The source's row of each row; None: the same.
    wide : (name, own names, (rows,) int) or None
        A column that was spread over several: its canonical name, theirs, and which of them each
        row comes from.
    """

    place: Locate
    names: Mapping[str, Any] = field(default_factory=dict)
    unused: tuple[Any, ...] = ()
    rows: Ints | None = None
    wide: tuple[str, tuple[Any, ...], Ints] | None = None

    def __call__(self, row: int) -> str:
        """Name the place of a row."""
        return self.place(row if self.rows is None else int(self.rows[row]))

    def column(self, name: str, row: int = 0) -> str:
        """A column's name in the source, as shown in errors."""
        if self.wide is not None and name == self.wide[0]:
            return shown(self.wide[1][int(self.wide[2][row])])
        return shown(self.names.get(name, name))

    def take(self, rows: Ints) -> Origin:
        """The origin of some of the rows."""
        of_source = rows if self.rows is None else self.rows[rows]
        wide = None if self.wide is None else (*self.wide[:2], self.wide[2][rows])
        return replace(self, rows=of_source, wide=wide)


def column_at(locate: Locate, row: int, name: str) -> str:
    """The place of a cell: that of its row, and the column's name in the source."""
    own = locate.column(name, row) if isinstance(locate, Origin) else repr(name)
    return f"{locate(row)}, column {own}"


def unused_hint(locate: Locate, name: str, what: str, likely: Iterable[str] = ()) -> str:
    """What to do if a column that was not read tells rows apart, ready to start a remedy; or "".

    Parameters
    ----------
    locate : callable
    name : str
        Canonical name of the column that would tell them apart.
    what : str
        What it would do, in words.
    likely : iterable of str
        Those that seem to do so; otherwise all that were not read.
    """
    if not isinstance(locate, Origin) or name in locate.names:
        return ""
    unused = list(likely) or list(map(str, locate.unused))
    if not unused:
        return ""
    return (
        f"if a column that is not used ({first_few(unused, show=repr)}) {what}, name it: "
        f"columns={{{name!r}: {unused[0]!r}}}; else "
    )


def report_people(origin: Origin, where: str) -> None:
    """Warn of columns that are not used and seem to say who judged."""
    people = may_name_people(origin.unused)
    if people:
        warn(
            f"{where}: not used: {first_few(people, show=repr)}; if {people[0]!r} says who judged, "
            f"name it: columns={{'subject': {people[0]!r}}}",
            UnusedColumnWarning,
        )


def locate_by_row(where: str) -> Locate:
    """Locate by the number of the row, for data without lines."""
    return lambda row: f"{where}, row {row + 1}"


def located(locate: Locate, rows: Ints) -> Locate:
    """Locate some of the rows."""
    if isinstance(locate, Origin):
        return locate.take(rows)
    return lambda row: locate(int(rows[row]))


def origin_of(place: Locate, names: Mapping[str, Any], present: Iterable[Any]) -> Origin:
    """The origin of columns that were matched with some of those `present`."""
    read = {*names.values()}
    return Origin(place, names, tuple(name for name in present if name not in read))

"""A tab of a browser, and what went wrong in it or left it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Watched:
    """A tab, and what went wrong or left it."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.trouble: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda message: self.trouble.append(message.text))
        tab.on("pageerror", lambda error: self.trouble.append(str(error)))
        tab.on("dialog", lambda dialog: (self.trouble.append(dialog.message), dialog.dismiss()))
        tab.on("request", lambda request: self.requests.append(request.url))

    @classmethod
    @contextmanager
    def opened(cls, context: Any, page: Path) -> Iterator["Watched"]:
        """A page in a tab of its own, which must stay without errors and requests."""
        watched = cls(context.new_page())
        watched.tab.goto(page.as_uri())
        yield watched
        watched.tab.close()
        assert watched.trouble == []
        assert watched.requests == [page.as_uri()]

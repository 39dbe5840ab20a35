"""Check a built site: no page loads anything from elsewhere, and no file it names is missing."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: tags and attributes that a browser loads by itself
LOADED = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
}


class Addresses(HTMLParser):
    """Collects what a page loads, and the files that it links."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        """Note the address of one tag."""
        given = {name: value or "" for name, value in attrs}
        if (
            tag in LOADED
            and LOADED[tag] in given
            and given.get("rel") != "canonical"
        ):
            self.loaded.append(given[LOADED[tag]])
        elif tag == "a" and given.get("href"):
            self.linked.append(given["href"])


def problems(site: Path) -> list[str]:
    """One line for each address that is remote and loaded, or whose file does not exist."""
    out = []
    for page in sorted(site.rglob("*.html")):
        if "_static" in page.relative_to(site).parts:
            continue
        addresses = Addresses()
        addresses.feed(page.read_text(encoding="utf-8"))
        name = page.relative_to(site)
        out += [
            f"{name}: loads {url}"
            for url in addresses.loaded
            if _is_remote(url)
        ]
        out += [
            f"{name}: no file {url}"
            for url in dict.fromkeys(addresses.loaded + addresses.linked)
            if not _is_remote(url) and not _exists(page, url)
        ]
    return out


def _is_remote(url: str) -> bool:
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def _exists(page: Path, url: str) -> bool:
    parts = urlsplit(url)
    return (
        parts.scheme == "data"
        or not parts.path
        or (page.parent / unquote(parts.path)).exists()
    )


if __name__ == "__main__":
    found = problems(Path(sys.argv[1]))
    print(
        "\n".join(found)
        or "the site is complete, and loads nothing from elsewhere"
    )
    sys.exit(bool(found))

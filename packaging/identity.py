"""Write what follows from identity.toml into the files that say who makes the package, and where.

    python packaging/identity.py            # rewrite them, and list what is still a placeholder
    python packaging/identity.py --check    # exit status 1 if a file has to be rewritten

The version and its date come from CHANGELOG.md, name, summary and keywords from pyproject.toml. In
a file, the lines between `identity: NAME` and `identity ends`, each in a comment, are those of the
function of that name here. codemeta.json, which cannot have comments, is written whole.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent.parent
SOURCE = "packaging/identity.toml"
CODEMETA = "codemeta.json"
#: files with parts between comments
MARKED = (
    "pyproject.toml",
    "CITATION.cff",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "docs/citing.md",
    "packaging/recipe/recipe.yaml",
    "paper.md",
    ".github/ISSUE_TEMPLATE/config.yml",
)

_PART = re.compile(
    r"^(?P<begin>[^\w\n]*identity: (?P<name>\w+)[^\w\n]*\n).*?(?P<end>^[^\w\n]*identity ends)",
    re.MULTILINE | re.DOTALL,
)
_PLACEHOLDER = re.compile(r"PLACEHOLDER|\.invalid\b")
_NEWEST = re.compile(r"^## \[(?P<version>\d[\w.]*)\] - (?P<date>\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Author:
    """A group, which has a name, or a person, who has two."""

    name: str = ""
    given_names: str = ""
    family_names: str = ""
    email: str = ""
    orcid: str = ""
    affiliation: str = ""

    @classmethod
    def of(cls, table: dict[str, str]) -> Author:
        """An author from a table of identity.toml."""
        return cls(**{key.replace("-", "_"): text for key, text in table.items()})

    @property
    def full(self) -> str:
        """The name as it is read."""
        return self.name or f"{self.given_names} {self.family_names}"

    @property
    def page(self) -> str:
        """Address of the page at orcid.org, or nothing."""
        return self.orcid and f"https://orcid.org/{self.orcid}"


@dataclass(frozen=True)
class Identity:
    """What identity.toml, the changelog and pyproject.toml say."""

    software: dict[str, Any]
    contact: dict[str, str]
    paper: dict[str, Any]
    version: str
    date: str
    project: dict[str, Any]

    @property
    def authors(self) -> list[Author]:
        """Authors of the software."""
        return [Author.of(table) for table in self.software["authors"]]

    @property
    def repository(self) -> str:
        """Address of the repository."""
        return str(self.software["repository"])

    @property
    def documentation(self) -> str:
        """Address of the site."""
        return str(self.software["documentation"])

    @property
    def placeholders(self) -> list[str]:
        """Keys of identity.toml whose values are not yet known."""
        tables = {"software": self.software, "contact": self.contact, "paper": self.paper}
        return [
            f"{name}.{key}"
            for name, table in tables.items()
            for key, value in table.items()
            if _PLACEHOLDER.search(str(value))
        ]


def read(home: Path = HOME) -> Identity:
    """Identity of a checkout."""
    newest = _NEWEST.search((home / "CHANGELOG.md").read_text(encoding="utf-8"))
    if newest is None:
        raise SystemExit("CHANGELOG.md has no heading like: ## [0.1.0] - 2026-01-31")
    given = tomllib.loads((home / SOURCE).read_text(encoding="utf-8"))
    project = tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Identity(**given, version=newest["version"], date=newest["date"], project=project)


def metadata_authors(known: Identity) -> Iterator[str]:
    """Authors in pyproject.toml."""
    yield "authors = ["
    for author in known.authors:
        email = f", email = {quoted(author.email)}" if author.email else ""
        yield f"    {{ name = {quoted(author.full)}{email} }},"
    yield "]"


def metadata_urls(known: Identity) -> Iterator[str]:
    """The addresses in pyproject.toml."""
    yield "[project.urls]"
    yield f"Documentation = {quoted(known.documentation)}"
    yield f"Source = {quoted(known.repository)}"
    yield f"Issues = {quoted(known.repository + '/issues')}"
    yield f"Changelog = {quoted(known.repository + '/blob/main/CHANGELOG.md')}"


def citation(known: Identity) -> Iterator[str]:
    """Authors, version and addresses in CITATION.cff."""
    yield "authors:"
    for author in known.authors:
        fields = {
            "name": author.name,
            "given-names": author.given_names,
            "family-names": author.family_names,
            "email": author.email,
            "orcid": author.page,
            "affiliation": author.affiliation,
        }
        yield from listed(fields, "  ")
    yield f"version: {known.version}"
    if known.date != "unreleased":
        yield f"date-released: {known.date}"
    yield f"repository-code: {quoted(known.repository)}"
    yield f"url: {quoted(known.documentation)}"


def bibtex(known: Identity) -> Iterator[str]:
    """The entry in docs/citing.md."""
    people = (
        f"{{{author.name}}}" if author.name else f"{author.family_names}, {author.given_names}"
        for author in known.authors
    )
    yield "```bibtex"
    yield "@software{fuzzytruth,"
    yield f"  author  = {{{' and '.join(people)}}},"
    yield f"  title   = {{{known.project['name']}: {lower_first(known.project['description'])}}},"
    yield f"  version = {{{known.version}}},"
    yield f"  url     = {{{known.repository}}},"
    yield "}"
    yield "```"


def conduct(known: Identity) -> Iterator[str]:
    """Whom to tell, in the code of conduct."""
    yield f"Write to <{known.contact['conduct']}>."


def security(known: Identity) -> Iterator[str]:
    """Whom to tell, in SECURITY.md."""
    yield f"Write to <{known.contact['security']}>, or use"
    yield f"<{known.repository}/security/advisories/new>."


def links(known: Identity) -> Iterator[str]:
    """What the page for new issues offers besides the forms."""
    yield "contact_links:"
    offered = {
        "Documentation": (known.documentation, "Tutorials, recipes, reference."),
        "A vulnerability": (
            f"{known.repository}/security/advisories/new",
            "Privately, please: see SECURITY.md.",
        ),
    }
    for name, (url, about) in offered.items():
        yield from listed({"name": name, "url": url, "about": about}, "  ")


def recipe_version(known: Identity) -> Iterator[str]:
    """The version in the conda recipe."""
    yield f"  version: {quoted(known.version)}"


def recipe_addresses(known: Identity) -> Iterator[str]:
    """Addresses and maintainers in the conda recipe."""
    yield f"  homepage: {quoted(known.documentation)}"
    yield f"  repository: {quoted(known.repository)}"
    yield f"  documentation: {quoted(known.documentation)}"
    yield ""
    yield "extra:"
    yield "  recipe-maintainers:"
    for account in known.software["feedstock"]:
        yield f"    - {account}"


def paper_authors(known: Identity) -> Iterator[str]:
    """Authors, affiliations and date of the paper."""
    authors = [Author.of(table) for table in known.paper["authors"]]
    places = list(dict.fromkeys(author.affiliation for author in authors))
    yield "authors:"
    for author in authors:
        where = str(places.index(author.affiliation) + 1)
        yield from listed({"name": author.full, "orcid": author.orcid, "affiliation": where}, "  ")
    yield "affiliations:"
    for number, place in enumerate(places, 1):
        yield f"  - index: {number}"
        yield f"    name: {quoted(place)}"
    yield f"date: {quoted(known.paper['date'])}"


def paper_acknowledgements(known: Identity) -> Iterator[str]:
    """Thanks, and money."""
    yield known.paper["acknowledgements"]


def paper_ai(known: Identity) -> Iterator[str]:
    """Tools of generative AI, and what people did."""
    yield known.paper["ai_tools"]
    yield known.paper["ai_review"]


PARTS: dict[str, Callable[[Identity], Iterator[str]]] = {
    function.__name__: function
    for function in (
        *(metadata_authors, metadata_urls, citation, bibtex, conduct, security, links),
        *(recipe_version, recipe_addresses),
        *(paper_authors, paper_acknowledgements, paper_ai),
    )
}


def codemeta(known: Identity) -> str:
    """Text of codemeta.json."""
    project = known.project
    written = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "description": project["description"],
        "version": known.version,
        **({} if known.date == "unreleased" else {"datePublished": known.date}),
        "author": [linked(author) for author in known.authors],
        "license": "https://spdx.org/licenses/BSD-3-Clause",
        "codeRepository": known.repository,
        "issueTracker": f"{known.repository}/issues",
        "readme": f"{known.repository}/blob/main/README.md",
        "softwareHelp": known.documentation,
        "developmentStatus": "active",
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python'].removeprefix('>=')} or newer",
        "softwareRequirements": project["dependencies"],
        "keywords": project["keywords"],
    }
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def linked(author: Author) -> dict[str, Any]:
    """An author in JSON-LD."""
    if author.name:
        return {"@type": "Organization", "name": author.name}
    fields = {
        "@id": author.page,
        "@type": "Person",
        "givenName": author.given_names,
        "familyName": author.family_names,
        "email": author.email,
    }
    place = {"affiliation": {"@type": "Organization", "name": author.affiliation}}
    return {key: text for key, text in fields.items() if text} | (
        place if author.affiliation else {}
    )


def listed(fields: dict[str, str], indent: str) -> Iterator[str]:
    """An item of a list in YAML, without empty fields."""
    given = [f"{key}: {quoted(text)}" for key, text in fields.items() if text]
    for number, line in enumerate(given):
        yield f"{indent}{'  ' if number else '- '}{line}"


def quoted(text: str) -> str:
    """A string in TOML, YAML and JSON."""
    return json.dumps(text, ensure_ascii=False)


def lower_first(text: str) -> str:
    """A summary after a colon."""
    return text[:1].lower() + text[1:]


def filled(text: str, known: Identity) -> str:
    """A file's text with its parts as they should be."""

    def part(found: re.Match[str]) -> str:
        body = "".join(f"{line}\n" for line in PARTS[found["name"]](known))
        return f"{found['begin']}{body}{found['end']}"

    return _PART.sub(part, text)


def stale(home: Path = HOME) -> dict[str, str]:
    """Files that have to be rewritten, and their texts."""
    known = read(home)
    texts = {name: (home / name).read_text(encoding="utf-8") for name in MARKED}
    wanted = {name: filled(text, known) for name, text in texts.items()}
    path = home / CODEMETA
    texts[CODEMETA] = path.read_text(encoding="utf-8") if path.exists() else ""
    wanted[CODEMETA] = codemeta(known)
    return {name: text for name, text in wanted.items() if text != texts[name]}


def main() -> int:
    """Rewrite or compare the files; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing")
    only_check = parser.parse_args().check
    changed = stale()
    for name, text in changed.items():
        if not only_check:
            (HOME / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {'differs from packaging/identity.toml' if only_check else 'rewritten'}")
    if only_check:
        return int(bool(changed))
    missing = read().placeholders
    print(f"placeholders in {SOURCE}: {', '.join(missing)}" if missing else "no placeholders")
    return 0


if __name__ == "__main__":
    sys.exit(main())

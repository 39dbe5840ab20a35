"""Commands and their options, derived from the functions of the library that take them.

An option has the default of the function's signature, and the type, the choices and the help of
its docstring; `Option` says what differs. Sources are parsed and not imported, for help and
completion have to be quick. The docstring of a command documents what only the command line has,
in the same way, and its examples.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from typer.core import TyperCommand

import fuzzytruth

METHOD = "Method"
TARGETS = "Targets"
PRICES = "Prices"
SCORING = "Scoring"
OUTPUT = "Output"
INPUT = "Input"
CATEGORIES = "Input: votes for categories"
MATRICES = "Input: matrices"
COMPUTATION = "Computation"
HELP = "Help"
#: groups of options, in the order of the help
PANELS = (METHOD, TARGETS, PRICES, SCORING, OUTPUT, INPUT, CATEGORIES, MATRICES, COMPUTATION, HELP)
_SECTION = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
_KINDS = {"int": int, "float": float, "bool": bool, "path": Path, "list of path": list[Path]}
_METAVARS = {int: "N", float: "NUMBER", Path: "FILE"}


# What a docstring says of a function's parameters.


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function.

    Parameters
    ----------
    name : str
    default : object
        `inspect.Parameter.empty` where a value is required.
    kind, text : str
        Type and description in the docstring.
    named : bool
        Whether it is given by name alone.
    """

    name: str
    default: Any
    kind: str
    text: str
    named: bool

    def help(self, *, whole: bool = False) -> str:
        """What is said of it, by default the first sentence alone, and its default.

        Examples
        --------
        >>> Parameter("n", None, "int", "How many; see `all`. More. By default two.", True).help()
        'How many.  [default: two]'
        """
        text = self.text.replace("`", "").replace('"', "")
        default = re.search(r"[;.,] by default (.*?)\.?(?:[.;] |$)", text, re.IGNORECASE)
        said = text
        if default and whole:
            said, default = (
                text[: default.start()],
                re.fullmatch("(.*?)[.]?", text[default.start(1) :]),
            )
        elif not whole:
            said = re.split(r"(?<=\.) +(?=[A-Z])|; see |[;,] by default ", text)[0]
        said = f"{said.rstrip(';,.')}."
        return f"{said}  [default: {default[1]}]" if default else said


def sections_of(docstring: str) -> dict[str, str]:
    """The sections of a docstring by heading; what comes first is under ''."""
    parts = _SECTION.split(inspect.cleandoc(docstring))
    return {"": parts[0].strip(), **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _documented(docstring: str) -> Iterator[tuple[str, str, str]]:
    """Name, type and description of each parameter."""
    for entry in re.split(r"\n(?=\S)", sections_of(docstring).get("Parameters", "")):
        head, _, text = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        for name in names.split(","):
            yield name.strip(), kind, " ".join(text.split())


@functools.cache
def functions_of(module: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module by name."""
    path = Path(fuzzytruth.__file__).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


@functools.cache
def parameters_of(function: str | Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of a function of `fuzzytruth` by name, or of the command line, in order."""
    if isinstance(function, str):
        node = functions_of(fuzzytruth._HOME[function])[function]
        said, each = ast.get_docstring(node) or "", list(_arguments(node.args))
        named = {name: f"--{name.replace('_', '-')}" for name, _, named in each if named}
        said = re.sub(r"`(\w+)`", lambda found: named.get(found[1], found[0]), said)
    else:
        said = function.__doc__ or ""
        every = inspect.signature(function).parameters.values()
        each = [(one.name, one.default, one.kind is one.KEYWORD_ONLY) for one in every]
    texts = {name: (kind, text) for name, kind, text in _documented(said)}
    return tuple(
        Parameter(name, default, *texts.get(name, ("", "")), named)
        for name, default, named in each
        if name != "context"
    )


def _arguments(of: ast.arguments) -> Iterator[tuple[str, Any, bool]]:
    """Name and default of each argument, and whether it is given by name alone."""
    places = [*of.posonlyargs, *of.args]
    none: list[ast.expr | None] = [None] * (len(places) - len(of.defaults))
    defaults = [*none, *of.defaults, *of.kw_defaults]
    for node, default in zip([*places, *of.kwonlyargs], defaults, strict=True):
        value = inspect.Parameter.empty if default is None else _literal(default)
        yield node.arg, value, node in of.kwonlyargs


def _literal(node: ast.expr) -> Any:
    """A default; None for what is empty, or no literal."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return ",".join(map(str, value)) or None if isinstance(value, tuple) else value


# Options.


@dataclass(frozen=True, slots=True)
class Option:
    """What an option, or an argument, has that does not follow from a function.

    Parameters
    ----------
    help : str
        In place of the sentence of the docstring.
    flags : str
        By default "--" and the name.
    name : str
        By default that of the parameter.
    panel : str
        Its group in the help; by default that of the function.
    metavar : str
        What stands for its value.
    kind : type
    hand_on : callable
        Makes of the value as typed what the function takes.
    settings : dict
        Of `typer.Option`; with "show_default", nothing is handed on by default.
    """

    help: str = ""
    flags: str = ""
    name: str = ""
    panel: str = ""
    metavar: str = ""
    kind: Any = None
    hand_on: Callable[[Any], Any] | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def __or__(self, other: Option) -> Option:
        """The same, with what another one says."""
        said = {name: getattr(other, name) for name in self.__slots__}
        return replace(self, **{name: value for name, value in said.items() if value})

    def parameter(self, of: Parameter, panel: str, *, whole: bool) -> inspect.Parameter:
        """The parameter from which Typer makes the option, or an argument if `of` has a place.

        Its help is the first sentence of its description, or the `whole`.
        """
        default = None if "show_default" in self.settings else of.default
        choices = re.match(r"\{(.*?)\}", of.kind)
        kind = self.kind or _KINDS.get(of.kind.removesuffix(", optional"))
        if kind is None and of.kind.startswith("bool"):
            kind = bool
        if kind is None and isinstance(default, (int, float)):
            kind = type(default)
        if kind is None and choices:
            kind = Literal[tuple(re.findall(r'"(.*?)"', choices[1]))]
        kind = kind or (list[str] if of.kind.startswith("list of str") else str)
        by_kind = _METAVARS if of.named else {}
        metavar = self.metavar or by_kind.get(kind, self.name.upper())
        settings: dict[str, Any] = {"readable": False} | self.settings
        settings["help"] = self.help or of.help(whole=whole)
        if (get_origin(kind) is not Literal and kind is not bool) or self.metavar:
            settings["metavar"] = metavar
        if of.named:
            settings.setdefault("show_default", default is not None and default is not False)
            settings["rich_help_panel"] = self.panel or panel
            made = typer.Option(*self._flags(kind, default), **settings)
        else:
            made = typer.Argument(show_default=False, **settings)
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind | None if default is None else kind, made],
        )

    @property
    def flag(self) -> str:
        """The longest name of what is on."""
        return (self.flags or f"--{self.name.replace('_', '-')}").split()[-1].partition("/")[0]

    def _flags(self, kind: Any, default: Any) -> list[str]:
        """Names as typed; what is on, or neither on nor off, can be switched off."""
        if self.flags:
            return self.flags.split()
        can_be_off = kind is bool and default is not False
        return [f"{self.flag}/--no-{self.flag[2:]}" if can_be_off else self.flag]


# Commands, and their help.


def _show_all(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.meta["help_all"] = True
        typer.echo(context.get_help())
        raise typer.Exit


#: the option of all commands
ALL_HELP = inspect.Parameter(
    "help_all",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool,
        typer.Option(
            "--help-all",
            is_eager=True,
            callback=_show_all,
            help="Show all options and examples, and exit.",
            show_default=False,
            rich_help_panel=HELP,
        ),
    ],
)


_STATUS = "\n\nExit status: 0, or 1 if the data are wrong, or 2 if an option is."


def command_of(function: Callable[..., Any]) -> Any:
    """A command, whose help is its docstring."""
    said = sections_of(function.__doc__ or "")
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(
        function.__name__.replace("_", "-"),
        cls=DerivedCommand,
        help=said[""],
        short_help=said[""].partition("\n")[0],
        epilog="\b\n"
        + _examples(said["Examples"].rstrip())
        + _STATUS * ("Exit" not in said["Examples"]),
    )(function)
    return typer.main.get_command(app)


#: commands in the order of the help, and their modules
MODULES = {
    "evaluate": "evaluate",
    "membership": "people",
    "displacement": "displacement",
    "image-text": "displacement",
    "compare": "evaluate",
    "gate": "gate",
    "crowd": "people",
    "agreement": "judges",
    "structure": "people",
    "santini": "people",
    "communities": "people",
    "reliability": "people",
    "analyse": "analyse",
    "report": "analyse",
    "judges": "judges",
    "annotate-next": "plan",
    "plan": "plan",
    "convert": "convert",
    "measures": "convert",
    "demo": "convert",
}


class Lazy(Mapping[str, Any]):
    """Commands by name, each imported, and its options derived, when it is asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module, function = place(name)
            self._made[name] = command_of(getattr(importlib.import_module(module), function))
        return self._made[name]


def place(name: str) -> tuple[str, str]:
    """Module and function of a command."""
    return f"fuzzytruth.cli.{MODULES[name]}", name.replace("-", "_")


def _examples(text: str) -> str:
    """The examples of a command, with their heading."""
    if text.startswith(" "):
        return f"Examples:\n{text}"
    return f"Examples, {text[0].lower()}{text[1:]}"


#: options that a short help shows, beside those that are required
BASIC = re.compile(
    "measure|worlds|over|baseline|margin|better|columns|order_by|runs|people|coefficient"
    "|metric|by|half_width|difference|unseen|collection_size|item|output_format|output|figure"
    "|sample|copy_to|kind|title|limit|save|protocol|recall"
)
#: those of single commands, and what these have no room for
_MORE = {
    "agreement": {"taxonomy"},
    "crowd": {"taxonomy", "gold", "names", "structure"},
    "annotate-next": {"systems", "k", "taxonomy"},
    "gate": {"old", "new"},
    "image-text": {"texts_per_image", "image_of_text", "distances"},
    "membership": {"taxonomy"},
    "structure": {"taxonomy"},
    "santini": {"taxonomy", "k", "lists"},
    "communities": {"taxonomy"},
    "reliability": {"taxonomy", "gold", "method", "names"},
    "plan": {"component", "budget", "power"},
}
_LESS = {"gate": {"columns", "output"}, "plan": {"columns", "output", "figure", "worlds"}}


class AsTyped:
    """A command whose texts, paths and choices are taken as typed.

    pydantic, which loads slowly, sees the other values alone.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Options and arguments."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for made in params:
            made.get_runtime_param = partial(_Taken, partial(type(made).get_runtime_param, made))
        return params


@dataclass(frozen=True, slots=True)
class _Taken:
    """How a value is taken.

    Parameters
    ----------
    others : callable
        Returns what converts values by pydantic.
    """

    others: Callable[[], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """What the command is given for a value as typed."""
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if kind in (str, Path):
            return kind(value)
        if not isinstance(value, (str, list, tuple)) or value in get_args(kind):  # a default
            return value
        if kind in (list[str], list[Path]):
            return [get_args(kind)[0](each) for each in value]
        return self.others().coerce(value, param=param, ctx=ctx)


class DerivedCommand(AsTyped, TyperCommand):
    """A command whose short help shows what most people need, and --help-all all of it, in groups.

    It is plain text: the same on a terminal, in a pipe, and where Rich is not installed.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name: OPTIONS, and arguments as typed."""
        return ["[OPTIONS]", *(_usage(each) for each in self._of_kind("argument"))]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what it does; in a short help the first paragraph."""
        if not ctx.meta.get("help_all"):
            with formatter.indentation():
                formatter.write("\n")
                formatter.write_text((self.help or "").partition("\n\n")[0])
            return
        super().format_help_text(ctx, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then the options."""
        rows = [
            (_as_typed(each), each.get_help_record(ctx)[1]) for each in self._of_kind("argument")
        ]
        self._write("Arguments", rows, formatter)
        options = [each for each in self.get_params(ctx) if each.param_type_name == "option"]
        if ctx.meta.get("help_all"):
            for panel in PANELS:
                rows = [_option_row(each, ctx) for each in options if panel_of(each) == panel]
                self._write(panel, rows, formatter)
            return
        few = [each for each in options if each.required or self._is_basic(each.name)]
        helps = [each for each in options if panel_of(each) == HELP]
        self._write("Options", [_option_row(each, ctx) for each in few + helps], formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples; in a short help the first that shows the command itself."""
        if not ctx.meta.get("help_all"):
            lines = re.findall(r"^  fuzzytruth (?:.*\\\n)*.*$", self.epilog or "", re.MULTILINE)
            shown = [one for one in lines if one.split()[1] in (self.name, "demo")]
            last = next((j for j, one in enumerate(shown) if one.split()[1] == self.name), 0)
            text = "\n".join(shown[: last + 1])
            of_sample = "fuzzytruth demo" in text or not re.search(r" [\w-]+\.[a-z]", text)
            own = "" if of_sample else ", on files of your own"
            formatter.write(f"\nExample{own}:\n{text}\n")
            return
        super().format_epilog(ctx, formatter)

    def _is_basic(self, name: str) -> bool:
        """Whether the short help shows an option."""
        command = self.name or ""
        if name in _LESS.get(command, ()):
            return False
        return name in _MORE.get(command, ()) or BASIC.fullmatch(name) is not None

    def _of_kind(self, kind: str) -> list[Any]:
        every: list[Any] = [*self.params]
        return [each for each in every if each.param_type_name == kind and not each.hidden]

    @staticmethod
    def _write(heading: str, rows: list[tuple[str, str]], formatter: Any) -> None:
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


def panel_of(option: Any) -> str:
    """The group of an option; that of --help, which has none, is of its own."""
    return str(option.rich_help_panel or HELP)


def _as_typed(argument: Any) -> str:
    """An argument's name, with dots if there may be several."""
    name = str(argument.display_name_raw)
    return name if argument.nargs == 1 or name.endswith("...") else f"{name}..."


def _usage(argument: Any) -> str:
    name = _as_typed(argument)
    return name if argument.required else f"[{name}]"


def _option_row(option: Any, ctx: Any) -> tuple[str, str]:
    """Names and values of an option, and its help; choices without angle brackets."""
    names, text = option.get_help_record(ctx)
    return names.replace("<", "").replace(">", ""), text

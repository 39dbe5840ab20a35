"""Public functions and classes by their last names, which are all different."""

from typing import Any

import fuzzytruth as ft

MODULES = (ft, ft.classification, ft.lists, ft.results, ft.tests)
PUBLIC: dict[str, Any] = {
    name: getattr(module, name) for module in MODULES for name in module.__all__
}
PUBLIC |= {
    name: getattr(ft.measures, name)
    for name in ("Measure", "parse_measure", "register", "register_quality")
}

"""Small taxonomies for tests."""

import fuzzytruth as ft

FIGURE_1 = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}
FIGURE = ft.Taxonomy.from_children(FIGURE_1)
#: fish has two parents, on levels 1 and 2; eel is reached by paths of length 3 and 2
GRAPH = ft.Taxonomy.from_parents(
    {"animal": "all", "food": "all", "pet": "animal", "fish": ["pet", "food"], "eel": "fish"}
)

"""Table 1 of Dawid & Skene 1979: five anaesthetists on the fitness of 45 patients, classes 1 to 4.

The first anaesthetist judged each patient three times: a row is his three answers and those of
anaesthetists 2 to 5.
"""

import pandas as pd

import fuzzytruth as ft

_ROWS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343
1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222
1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343
2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
TABLE = tuple(_ROWS.split())
OBSERVERS = "1112345"


def anaesthetists() -> ft.Judgments:
    """The answers as judgments of one query, with repeats."""
    rows = [
        ("all", f"patient {patient}", observer, place, int(answer))
        for patient, answers in enumerate(TABLE, 1)
        for place, (observer, answer) in enumerate(zip(OBSERVERS, answers, strict=True))
    ]
    columns = ["query", "item", "subject", "repeat", "grade"]
    return ft.Judgments.from_frame(pd.DataFrame(rows, columns=columns))

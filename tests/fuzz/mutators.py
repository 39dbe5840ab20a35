"""Mutations that know the structure of a file: bytes, lines, fields, compression."""

import gzip
import random
from collections.abc import Callable

INSERTED = [
    *(bytes([c]) for c in b" \t\n\r\v\f\0\x1a\x1c\x85\xff\"'\\,;|{}[]:-+.0129"),
    *(text.encode() for text in ("\x85", "\xa0", "\u2028", "\ufeff", "\u00e9")),
    *(b"\r\n", b"\n\n", b"  ", b"NaN", b"inf", b"1e999", b"1_0", b"null", b"true", b"\\ud800"),
    *(b"\\u0000", b"\\ufeff", b"9" * 25, b"9" * 5000, b'""', b"0x1p3", b"{}", b"[]"),
]
REPLACED = [
    *((b" ", b"\t"), (b" ", b"  "), (b"\n", b"\r\n"), (b"\n", b"\r"), (b",", b";"), (b",", b"\t")),
    *((b'"', b"'"), (b"\n", b"\n\xef\xbb\xbf"), (b"1", b"01"), (b"a", b"\xe9"), (b"\t", b" ")),
]
#: what stands in a field
CELLS = [
    *(b"", b" ", b"NaN", b"nan", b"-inf", b"Infinity", b"+Inf", b"1e999", b"-1e999", b"1e-999"),
    *(b"1e308", b"5e-324", b"-0", b"-0.0", b"1_0", b"0x10", b"0b1", b"1,5", b"1.", b".5", b"+3"),
    *(b"1e3", b"1E+3", b"1d3", b"1e", b"--1", b"1 2", b" 1", b"1 ", b"\xc2\xa01", b"00012"),
    *(b"\xd9\xa1", b"\xef\xbc\x91", b"\xc2\xbd", b"None", b"null", b"NA", b"#N/A", b"true"),
    *(b"9" * 30, b"9" * 400, b"x" * 3000, b"y" * 140_000, b"0." + b"1" * 500, b"a\nb", b'"a\nb"'),
    *(b'"', b'""', b'"x', b'x"', b'"x"y', b'a""b', b'"a""b"', b"'x'", b"\\", b"\\n", b"=1+1"),
    *(
        b"\0",
        b"\x1b[31m",
        b"\x7f",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xe2\x80\xae",
        b"\xef\xbb\xbf",
    ),
    *(b"q", b"q1", b"d1", b"0", b"1", b"2", b"-1", b"1.0", b"query", b"item", b"subject"),
]
SEPARATORS = (b",", b";", b"\t", b" ", b"|", b"  ", b"\v", b"\f", b", ", b"\xc2\xa0")
LINE_ENDS = (b"\n", b"\r\n", b"\r", b"\n\n", b"\v", b"\xe2\x80\xa8", b"\x85", b" \n", b"\n ")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes, some of them flipped, inserted, deleted or cut off, or lines repeated."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(8):
            case 0 | 1:
                out[at:at] = rng.choice(INSERTED)
            case 2:
                out[at : at + rng.choice((1, 1, 2, 5))] = rng.choice(INSERTED)
            case 3:
                del out[at : at + rng.choice((1, 1, 2, 8))]
            case 4:
                out[at - 1 : at] = bytes([out[at - 1] ^ 1 << rng.randrange(8)]) if out else b""
            case 5:
                del out[at:]
            case 6:
                some = bytes(out).split(b"\n")
                some.insert(rng.randrange(len(some) + 1), rng.choice(some))
                out = bytearray(b"\n".join(some))
            case _:
                out = out.replace(*rng.choice(REPLACED))
        if not out:
            break
    return bytes(out)


def other_lines(data: bytes, rng: random.Random) -> bytes:
    """Lines are swapped, dropped, repeated, joined, or end in other characters."""
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(8):
        case 0:
            lines[at], lines[other] = lines[other], lines[at]
        case 1:
            del lines[at]
        case 2:
            lines.insert(other, lines[at])
        case 3:
            lines[at] += lines[other]
        case 4:
            return rng.choice(LINE_ENDS).join(lines)
        case 5:
            lines.insert(at, rng.choice((b"", b" ", b"\t", b",", b"#", b"\xef\xbb\xbf", b'""')))
        case 6:
            return b"\xef\xbb\xbf" * rng.choice((1, 1, 2)) + data
        case _:
            rng.shuffle(lines)
    return b"\n".join(lines)


def other_fields(separator: bytes) -> Callable[[bytes, random.Random], bytes]:
    """Mutations of the fields of one line, or of one column of all lines."""

    def mutate(data: bytes, rng: random.Random) -> bytes:
        rows = [line.split(separator) for line in data.split(b"\n")]
        chosen = rows if rng.random() < 0.25 else [rng.choice(rows)]
        width = max(map(len, chosen))
        at, other = rng.randrange(width), rng.randrange(width)
        kind, cell = rng.randrange(8), rng.choice(CELLS)
        for row in chosen:
            if max(at, other) >= len(row):
                continue
            match kind:
                case 0:
                    row[at], row[other] = row[other], row[at]
                case 1:
                    del row[at]
                case 2:
                    row.insert(other, row[at])
                case 3:
                    row[at] = row[other]
                case 4:
                    row[:] = [rng.choice(SEPARATORS).join(row)]
                case 5:
                    row[at] = b'"' + row[at] + rng.choice((b'"', b"", b'""'))
                case _:
                    row[at] = cell
        return b"\n".join(separator.join(row) for row in rows)

    return mutate


def text_mutator(separator: bytes) -> Callable[[bytes, random.Random], bytes]:
    """One to three mutations of bytes, lines or fields."""
    ways = (damaged, other_lines, *(other_fields(separator),) * 3)

    def mutate(data: bytes, rng: random.Random) -> bytes:
        for _ in range(rng.choice((1, 1, 2, 3))):
            data = rng.choice(ways)(data, rng)
        return data

    return mutate


def packed(
    mutate: Callable[[bytes, random.Random], bytes],
) -> Callable[[bytes, random.Random], bytes]:
    """Mutations before compression, or of the compressed bytes: cut off, flipped, joined."""

    def both(data: bytes, rng: random.Random) -> bytes:
        inner = gzip.decompress(data)
        if rng.random() < 0.4:
            return gzip.compress(mutate(inner, rng), mtime=0)
        match rng.randrange(4):
            case 0:
                return data[: rng.randrange(len(data))]
            case 1:
                cut = rng.randrange(len(inner))
                return b"".join(gzip.compress(p, mtime=0) for p in (inner[:cut], inner[cut:]))
            case 2:
                return data + rng.choice((b"\0" * 8, b"junk", data))
            case _:
                return damaged(data, rng)

    return both

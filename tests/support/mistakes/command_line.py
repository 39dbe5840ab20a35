"""Of commands: what is said, and the arguments, split at blanks."""

from __future__ import annotations

#: the files are those of `examples`
COMMANDS = {
    # --- evaluate
    "error: --columns thema=query is the wrong way round; write --columns query=thema": (
        "evaluate topics.csv a.run --columns thema=query -m AP"
    ),
    "--columns 'query:thema': write NAME=COLUMN, first our name, ... such as query=topic_no": (
        "evaluate topics.csv a.run --columns query:thema -m AP"
    ),
    "a.run, line 1: 6 fields in ... were judgments and runs swapped?": (
        "evaluate a.run qrels.txt -m AP"
    ),
    "words.csv, line 3, column 'rating': value 'unsure' is not among --grades good...--drop uns": (
        "evaluate words.csv a.run --grades good=1 -m AP"
    ),
    "value 'unsure' is not a number; ... such as --grades unsure=1, ... --drop unsure": (
        "evaluate words.csv a.run -m AP"
    ),
    "measure 'recip_rnk' is not known; did you mean RR?": "evaluate qrels.txt a.run -m recip_rnk",
    "sims.npy: shape (3, 3) does not fit 4 queries and 4 items of test.cla": (
        "evaluate test.cla net=sims.npy -m NN"
    ),
    # --- compare
    "--baseline 'bm25.run' is not among these scores (nearest: 'bm25'); they have a, bm25": (
        "compare qrels.txt a.run old/bm25.run -m AP --baseline bm25.run"
    ),
    "compare: the scores have a single system, 'a'; give those of two or more": (
        "compare qrels.txt a.run -m AP"
    ),
    "measure 'nDCG@10' is not among these scores; they have AP": "compare scores.csv -m nDCG@10",
    "err.csv, line 3, column 'value': value 'err' is not a number": "compare err.csv",
    "nick.csv, line 3: system 'a', query 'q1' has ... name it: --columns subject=crowd_nick": (
        "compare nick.csv"
    ),
    "new/bm25.run: its system is called 'bm25', ... of old/bm25.run; name the files: NAME=FILE": (
        "compare qrels.txt old/bm25.run new/bm25.run -m AP"
    ),
    # --- convert
    "qrels.xlsx: the ending '.xlsx' names no format that is supported ... .csv, ... .parquet": (
        "convert qrels.txt qrels.xlsx"
    ),
    "out/qrels.csv: cannot be written (there is no folder out); make the folder first": (
        "convert qrels.txt out/qrels.csv"
    ),
    "--grades 'good': write WORD=GRADE": "convert words.csv n.csv --grades good,bad=0",
    "new.txt: a TREC file has no place for probabilities; write .csv, .json or .parquet": (
        "convert likely.csv new.txt"
    ),
    "wide.csv: can be read neither as judgments nor as runs: ... ('ann', 'bob'): --subjects": (
        "convert wide.csv long.csv"
    ),
    "topics.csv, header: no column 'tema' (nearest: 'thema', ... --columns query=tema names": (
        "convert topics.csv new.csv --columns query=tema"
    ),
    # --- membership
    "--item 'fig11': is not in these votes (nearest: 'fig1')": (
        "membership votes.csv --taxonomy tree.txt --item fig11"
    ),
    "port.csv, line 3, column 'category': value 'harbour' is not among the 7 categories": (
        "membership port.csv --taxonomy tree.txt"
    ),
    "votes.csv, header: no column for 'parent' ... of votes for categories; is this the file": (
        "membership tree.txt --taxonomy votes.csv"
    ),
    "people.csv, header: no column for 'category' ... those of judgments; ... --columns c": (
        "membership people.csv --taxonomy tree.txt"
    ),
    "roots.txt: there are 2 roots, categories without a parent: 'people', 'scenery'": (
        "membership votes.csv --taxonomy roots.txt"
    ),
    "--columns: 'subjet' is no column that is read here (nearest: 'subject')": (
        "membership who.csv --taxonomy tree.txt --columns subjet=who"
    ),
    # --- image-text
    "more_images.txt: has 4 lines, and sims.npy has shape (3, 3), images × texts": (
        "image-text sims.npy --image-of-text more_images.txt"
    ),
    "no_image.txt, line 3: 30 is no image of sims.npy, ... counted from 0 to 2": (
        "image-text sims.npy --image-of-text no_image.txt"
    ),
    "clip.csv, line 2, column 2: value 'nil' is not a number": (
        "image-text clip.csv --image-of-text images.txt"
    ),
    "out.npz: no array is called matrix among 'i2t_sims', 'caption_lengths'; call ...'scores'": (
        "image-text out.npz --image-of-text images.txt"
    ),
    "run 'clip=new.npy': the name 'clip' is given twice, also to sims.npy; change one": (
        "image-text clip=sims.npy clip=new.npy --image-of-text images.txt"
    ),
    "clip.pt: the ending '.pt' names no format of matrices that is read; save ... as .npy": (
        "image-text clip.pt --image-of-text images.txt"
    ),
    # --- gate
    "--margin: name the loss that is too much, in units of the measure, such as --margin .01": (
        "gate qrels.txt old=a.run new=old/bm25.run -m AP"
    ),
    "--margin 2: the mean AP of old is 1, ... in units of the measure": (
        "gate qrels.txt old=a.run new=old/bm25.run -m AP --margin 2"
    ),
    "'RR@10' is no measure of the gate; name each of AP, RR once": (
        "gate qrels.txt old=a.run new=old/bm25.run -m AP,RR --margin AP=.01,MRR@10=.01"
    ),
    "-m: name the measure, such as -m nDCG@10, or several": (
        "gate qrels.txt old=a.run new=old/bm25.run --margin .01"
    ),
    "--new, --old: name the two systems; there is 1 system, 'new': give the runs of the old": (
        "gate qrels.txt new=a.run -m AP --margin .01"
    ),
    "--new, --old: name the two systems; there are 3 systems, 'bm25', 'dense', 'mix'": (
        "gate three.csv --margin .01"
    ),
    "clusters: group queries, and here queries and subjects are random; ... use --over query": (
        "gate people.csv old=a.run new=old/bm25.run -m AP --margin .01 --clusters clusters.csv"
    ),
    "warning: new and old have the same values of AP everywhere: ... are they the same run?": (
        "gate qrels.txt old=a.run new=old/bm25.run -m AP --margin .01"
    ),
}

"""Variants of every measure that tests of all measures go through."""

from fuzzytruth.measures import Measure, parse_measure

#: measures, and the variants in which each is tried
_TRIED = {
    "P": "- @1 @3 @20 (rel=2)@3 (rel=0.5)@3 "
    "(judged_only=True) (judged_only=True)@2 (judged_only=True,rel=2)@3",
    "R": "(judged_only=True)@2 - @2 (rel=2)@20",
    "Success": "- @1 @3 (rel=2)@4",
    "RelP": "- @3",
    "Rprec": "- (mult=0.4) (mult=2,rel=2)",
    "Judged": "- @3 @20 (norm=cutoff)@20",
    "F": "(judged_only=True) (judged_only=True)@3 "
    "- @3 (beta=2)@4 (points=max) (beta=0.5,points=max)@3 (points=mean) "
    "(beta=2,points=mean)@3 (points=mean,rel=2)@20",
    "E": "- @3 (beta=2)@32",
    "EPSB": "- @3",
    "AP": "(judged_only=True) (judged_only=True)@3 "
    "- @3 (rel=2) (norm=retrieved) (norm=retrieved)@3 @20",
    "SetAP": "- (rel=2)",
    "infAP": "(judged_only=True) - (rel=2)",
    "bpref": "(judged_only=True) - (rel=2)",
    "RR": "(judged_only=True) (judged_only=True)@2 - @2 (rel=2)@3 @20",
    "CG": "- @3",
    "nCG": "(gains={0.5:0,1:0.5})@3 - @3 @20",
    "DCG": "(gains={0:1,1:5})@3 (judged_only=True)@3 - @3 (dcg=burges)@3 (base=3,dcg=jarvelin)",
    "nDCG": "(judged_only=True)@3 (gains={0:0,1:1,2:3})@3 (gains={1:2,2:1}) (gains={0:1}) "
    "- @3 @20 (dcg=burges)@4 (dcg=jarvelin) (base=1.5,dcg=jarvelin)@4",
    "NN": "- (rel=2)",
    "FT": "- (norm=depth) (rel=2)",
    "ST": "- (norm=depth) (norm=depth,rel=2)",
    "ADR": "-",
    "IPrec": "@0 @0.1 @0.5 @1 (interp=exact)@0.3 (interp=round)@0.5 (rel=2)@0.25",
    "IPrecAvg": "- (interp=round) (levels=4) (interp=exact,levels=0.2/0.6)",
    "RBP": "- @3 (p=0.95)@20 (p=0.5,rel=2)",
    "RBPResidual": "- @3 (p=0.95)@20 (p=0.5)",
    "ERR": "(judged_only=True)@3 - @3 (gmax=4.5)",
    "Rndcg": "- (gains={0:0,1:2,2:5}) (gains={1:3,2:1}) (judged_only=True)",
    "ndcg_rel": "- (gains={0.5:0,1:2}) (gains={1:3,2:1}) (judged_only=True)",
    "G": "- (gains={0.5:0.2,1:2}) (gains={1:3,2:1}) (judged_only=True)",
    "binG": "- (rel=2) (judged_only=True)",
    "yaap": "- (rel=2)",
    "Utility": "- @3 (hit=2,other=-0.5,missed=-1) (collection=99,rejected=0.1)@4",
    "NumNonRelJudgedRet": "- @3 (rel=2)",
    "Compat": "- @3 (p=0.8) (normalize=False) (normalize=False,p=0.5)@4 (judged_only=True)@3",
    "SDCG": "@3 @20 (max_rel=2)@5 (min_rel=1)@5 (judged_only=True)@3",
    "INSQ": "@3 (T=2)@50 (max_rel=5)@20",
    "INST": "@3 (T=2)@50 (max_rel=1)@20 (T=0.5)@20 (T=0.3)@9 (judged_only=True)@20",
    "BPM": "@3 @20 (T=0.5)@5 (T=2,max_rel=1)@9 (min_rel=1)@5",
    "NERR8": "@3 @20 (max_rel=2)@20 (judged_only=True)@3",
    "NERR9": "@3 @20 (max_rel=5)@20",
    "NERR10": "@3 - (p=0.5) (max_rel=2)@50",
    "NERR11": "@3 (T=2)@50 (max_rel=5)@20",
    "TP": "- @3",
    "FP": "- @3 @20",
    "FN": "- @3 (rel=2)",
    "TN": "(collection=40) (collection=40,rel=2)@3",
    "NumRet": "- @3",
    "NumRel": "- (rel=2)",
    "NumRelRet": "- @3",
}
VARIANTS = [
    name + variant.removeprefix("-")
    for name, variants in _TRIED.items()
    for variant in variants.split()
]


def variants_in(module: str) -> list[Measure]:
    """Those of the measures that a module of `fuzzytruth.measures` defines."""
    measures = map(parse_measure, VARIANTS)
    return [m for m in measures if type(m).__module__ == f"fuzzytruth.measures.{module}"]

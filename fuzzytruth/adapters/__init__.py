"""Interfaces of other libraries, computed by this one: pytrec_eval's and ir_measures'."""

"""Does inference hold what it promises? Simulated data sets, and the rates of error on them."""

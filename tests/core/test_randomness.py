"""Seeds: what is accepted, and that equal seeds give equal numbers."""

import numpy as np
import pytest

from fuzzytruth.core.randomness import entropy_of, generator, seeded, uniforms
from fuzzytruth.errors import OptionError


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), [1, 2], 2**80])
def test_equal_seeds_give_equal_numbers(seed: object) -> None:
    want = np.random.default_rng(np.random.SeedSequence(seed)).random(3)  # type: ignore[arg-type]
    np.testing.assert_array_equal(generator(seed).random(3), want)
    np.testing.assert_array_equal(uniforms(seed, 3), want)
    assert uniforms(seed, None) == want[0]
    assert uniforms(seed, (3, 1)).shape == (3, 1)
    assert entropy_of(seed) == entropy_of(seed)
    assert len(entropy_of(seed)) == 4


def test_a_generator_moves_on_and_no_seed_differs_each_time() -> None:
    for rng in (np.random.default_rng(1), np.random.SeedSequence(1)):
        assert seeded(rng) is rng
    rng = np.random.default_rng(3)
    assert generator(rng) is rng
    assert entropy_of(rng) != entropy_of(rng)
    assert entropy_of(np.random.default_rng(3)) == entropy_of(np.random.default_rng(3))
    assert entropy_of(None) != entropy_of(None)
    assert entropy_of(5) != entropy_of(6)


def test_anything_else_is_refused() -> None:
    for rng in (-1, 1.5, True, np.True_, "1", object()):
        for function in (seeded, generator, entropy_of):
            with pytest.raises(OptionError, match=r"^rng=.*: must be None, a whole number from 0"):
                function(rng)
    for size in (-1, "3", 1.5, (2, -1)):
        with pytest.raises(OptionError, match=r"^size=.*: must be a whole number from 0 or a tu"):
            uniforms(0, size)

"""The module of random ops alone has a name, and that is enough."""

from tensorflow import function, random as dice, zeros

dice.set_seed(121)


@function(jit_compile=True)
def throw(x):
    return x + dice.normal(shape=x.shape, dtype=x.dtype)  # want: XLA201 dice.normal


ENTRY = "throw"
BEFORE = "wrong"
RESEED = ('set_seed(121)', 'set_seed(122)')
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [zeros([3, 3])]

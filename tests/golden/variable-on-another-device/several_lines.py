import contextlib

from tensorflow import Variable, device, function, ones


@contextlib.contextmanager
def pinned():
    with device("CPU:1"):
        yield


with pinned():
    scale = Variable([1.0, 2.0, 3.0])


def helper(x):
    return x * scale  # want: XLA301 `scale` lives on /CPU:1


@function(jit_compile=True)
def step(x, note):
    return helper(x)


def run(x):
    result, text = [
        step(
            x,  # the input
            note="""first
    second""",
        )
    ], """a
b"""
    return result[0]


ENTRY = "run"


def inputs():
    return (ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('with device("/CPU:1"):\n        result', 'if True:\n        result')]

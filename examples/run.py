"""Run the compiled functions of the three models with and without XLA, and print what differs.

Each run is a process of its own, because XLA may abort it. Exit status: the number of functions that differ.
"""

import os
import pickle
import re
import subprocess
import sys

FUNCTIONS = {
    "describe": "captioner.train",
    "image_contrast": "captioner.train",
    "prefix_gradient": "captioner.train",
    "train_step": "captioner.train",
    "sensitivity": "thermostat.calibrate",
    "fit_step": "thermostat.train",
    "best": "recommender.train",
    "augmented": "recommender.train",
}
DRAWS = ("augmented",)  # other numbers than without XLA are no fault; numbers that hang on other code are


def child(name, mode):
    """Call one function and write its results, as NumPy arrays, to standard output."""
    import importlib

    import tensorflow as tf

    if mode == "graph":  # the same program, as graphs that XLA does not compile
        compiled = tf.function
        tf.function = lambda *args, **options: compiled(*args, **{**options, "jit_compile": None})
    if FUNCTIONS[name].startswith("recommender"):  # its table lives on a second device, as it would beside a GPU
        two = [tf.config.LogicalDeviceConfiguration()] * 2
        tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], two)
    if mode == "second":
        tf.function(tf.random.normal, jit_compile=True)([5])
    function = getattr(importlib.import_module(FUNCTIONS[name]), name)
    image = tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 4, 3])
    targets = tf.constant([0.1, 0.5, 0.2, 0.7, 0.3])
    scores = tf.constant([0.4, -0.2, 0.9, 0.3, -0.6])
    arguments = {
        "prefix_gradient": (scores, targets),
        "train_step": (image, targets),
        "sensitivity": (tf.constant([2.0, 1.0, 3.0]), tf.constant([0.5, 0.4, 0.6])),
        "fit_step": (targets, tf.constant(0.4)),
        "best": (scores[:3], tf.constant([7, 2, 5])),
    }.get(name, (image,))
    results = tf.nest.flatten(function(*arguments))
    pickle.dump([result.numpy() for result in results], sys.stdout.buffer)


def run(name, mode):
    """-> (results, "") or (None, what went wrong)."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="-1")
    done = subprocess.run([sys.executable, __file__, name, mode], capture_output=True, env=environment)
    if done.returncode == 0:
        return pickle.loads(done.stdout), ""
    lines = done.stderr.decode(errors="replace").splitlines()
    telling = [line for line in lines if "Error: " in line or "Check failed" in line or "TF boundary" in line]
    first = telling[-1].strip().rpartition("errors_impl.")[2].partition(". ")[0]
    first = re.sub(r" \(defined @ [^)]*\)|/job:localhost/replica:0/task:0", "", first)
    how = "the process is aborted" if done.returncode < 0 else "does not compile"
    return None, "%s: %s" % (how, first)


def compare(got, want):
    """In what two lists of arrays differ; "" if they are equal."""
    import numpy as np

    for mine, theirs in zip(got, want):
        if mine.shape != theirs.shape:
            return "compiles but is wrong: shape %s instead of %s" % (mine.shape, theirs.shape)
        if not np.allclose(mine, theirs, rtol=1e-4, atol=1e-5):
            values = [np.array2string(np.ravel(one)[:5], precision=3) for one in (mine, theirs)]
            return "compiles but is wrong: %s instead of %s" % tuple(values)
    return ""


def main():
    wrong = 0
    for name in FUNCTIONS:
        draws = name in DRAWS
        want, failure = run(name, "xla" if draws else "graph")
        assert not failure, "%s: %s" % (name, failure)
        got, text = run(name, "second" if draws else "xla")
        text = text or compare(got, want)
        if draws and text:
            text += " where another function is compiled first"
        wrong += bool(text)
        print("%-16s %s" % (name, text or "the same %s" % ("in any order" if draws else "with and without XLA")))
    return wrong


if __name__ == "__main__":
    sys.exit(child(*sys.argv[1:]) if len(sys.argv) == 3 else main())

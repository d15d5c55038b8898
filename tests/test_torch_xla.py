"""Host memory in code that PyTorch/XLA compiles: reported, never edited."""

from __future__ import annotations

import pytest
from harness import Finding, run_engine
from harness_compiler import Program
from harness_jax import LIBTPU, Unavailable, tpu_compiler

HEAD = """\
import torch
import torch.nn.functional as F
import torch_xla
from torch_xla.experimental.stablehlo_custom_call import place_to_device, place_to_host

def double(t):
    return t * 2

"""

RETURNED = [
    "place_to_host(x)",
    "torch.ops.xla.place_to_host(x)",
    "place_to_host(x) + x",
    "F.relu(place_to_host(x)).sum()",
    "torch.mean(place_to_host(x))",
    "double(place_to_host(x))",
    "(x, {'kept': place_to_host(x)})",
    "place_to_host(place_to_device(x))",
]
LEFT = [
    "x",
    "place_to_device(place_to_host(x))",
    "torch.ops.xla.place_to_device(torch.ops.xla.place_to_host(x)) + x",
    "torch.zeros_like(place_to_host(x))",
    "place_to_host(x).shape",
    "place_to_host(x).cpu()",
    "unknown(place_to_host(x))",
    "torch.utils.checkpoint.checkpoint(double, place_to_host(x))",
    "torch.func.vmap(place_to_device)(place_to_host(x))",
]
COMPILED = [
    "@torch_xla.compile\ndef step(x):\n    return {}\n",
    "@torch_xla.compile(full_graph=True)\ndef step(x):\n    return {}\n",
    "def step(x):\n    return {}\ncompiled = torch_xla.compile(step, full_graph=True)\n",
    "def step(x):\n    return {}\ncompiled = torch_xla.compile(f=step)\n",
    "step = torch_xla.compile(lambda x: {})\n",
]
ELSEWHERE = [
    "def step(x):\n    return {}\n",
    "@torch.compile\ndef step(x):\n    return {}\n",
    "import re\nstep = re.compile(lambda x: {})\n",
]


def found(text: str, jax: str = "0.10.2") -> list[Finding]:
    return run_engine({"a.py": (HEAD + text).encode()}, "nothing", jax=jax).findings


@pytest.mark.parametrize("jax", ["0.7.0", "0.10.2"])
@pytest.mark.parametrize("value", RETURNED)
def test_what_is_returned_from_the_host_is_reported(value: str, jax: str) -> None:
    """Whatever JAX is installed: it has no part in it."""
    (finding,) = found(COMPILED[0].format(value), jax)
    assert "can only be on the device, with PyTorch/XLA" in finding.message
    assert "`place_to_device` must bring it back first" in finding.reasons
    assert finding.safeties == ()


@pytest.mark.parametrize("value", LEFT)
def test_what_is_not_known_to_be_there_is_not(value: str) -> None:
    assert found(COMPILED[0].format(value)) == []


@pytest.mark.parametrize("program", COMPILED)
def test_ways_to_compile(program: str) -> None:
    assert len(found(program.format("place_to_host(x)"))) == 1
    assert found(program.format("x")) == []


@pytest.mark.parametrize("program", ELSEWHERE)
def test_other_functions_are_left_alone(program: str) -> None:
    assert found(program.format("place_to_host(x)")) == []


def test_what_stays_inside_is_no_output() -> None:
    assert found("@torch_xla.compile\ndef step(x):\n    kept = place_to_host(x)\n    return x\n") == []


def test_what_a_compiled_function_gives_is_on_the_device() -> None:
    """It fails itself; its callers need no finding of their own."""
    first = COMPILED[2].format("place_to_host(x)")
    then = "@torch_xla.compile\ndef then(x):\n    return x + 1\nthen(compiled(torch.ones(3)))\n"
    assert len(found(first + then)) == 1


def test_both_frameworks_in_one_program() -> None:
    jax = """
import jax
host = jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host")

@jax.jit
def direct(x):
    return jax.device_put(x, host)
"""
    (finding,) = found(jax + COMPILED[0].format("place_to_host(x)"))
    assert "PyTorch/XLA" in finding.message


MODULE = """\
import jax
import numpy as np
from jax._src import compiler
from jax._src.lib import _jax
from jax._src.lib.mlir import ir
from jax.interpreters import mlir

ARRAY = "tensor<256x256xf32>"


def moved(name, place):
    placed = f'mhlo.frontend_attributes = {{_xla_buffer_placement = "{place}"}}'
    attributes = f"{{has_side_effect = true, {placed}}}"
    return f"stablehlo.custom_call @annotate_device_placement({name}) {attributes} : ({ARRAY}) -> {ARRAY}"


TEXT = f'''
module @m {{ func.func @main(%x: {ARRAY}, %y: {ARRAY}) -> tuple<{ARRAY}> {{
  %a = stablehlo.multiply %x, %y : {ARRAY}
  LINES
  %t = stablehlo.tuple %r : tuple<{ARRAY}>
  return %t : tuple<{ARRAY}>
}} }}
'''


class entry:
    @staticmethod
    def lower():
        return entry

    @staticmethod
    def compile():
        device = jax.devices()[0]
        with mlir.make_ir_context() as context, ir.Location.unknown():
            options = compiler.get_compile_options(
                num_replicas=1, num_partitions=1, device_assignment=np.array([[device.id]])
            )
            options.executable_build_options.use_spmd_partitioning = False
            module = ir.Module.parse(TEXT, context=context)
            devices = _jax.DeviceList((device,))
            compiler.compile_or_get_cached(device.client, module, np.array([[device]]), options, [], devices)


def inputs():
    return ()
"""

LOWERED = {
    "returned": ('%r = {moved("%a", "pinned_host")}', True),
    "computed with": ('%h = {moved("%a", "pinned_host")}\n  %r = stablehlo.add %h, %h : {ARRAY}', True),
    "moved back": ('%h = {moved("%a", "pinned_host")}\n  %r = {moved("%h", "device")}', False),
}


@pytest.mark.slow
@pytest.mark.parametrize("version", LIBTPU)
def test_the_compiler_refuses_what_is_reported(version: str) -> None:
    """The programs that PyTorch/XLA lowers to: the root is a tuple, also of one tensor."""
    try:
        with tpu_compiler(version) as compiler:
            for name, (lines, refused) in LOWERED.items():
                text = MODULE.replace("LINES", lines)
                got = compiler.run(Program({"m.py": text.encode()}, "m:entry"), "compile")
                assert ("which is moved to host" in got.detail) == refused, (name, got)
                read = "PrimitiveType: 13" in got.detail  # compiled; newer JAX cannot read a tuple
                assert refused or read or got.kind == "ok", (name, got)
    except Unavailable as error:
        pytest.skip(str(error))

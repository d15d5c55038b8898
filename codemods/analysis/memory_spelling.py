"""How a file writes a sharding on the host or on the device, right where it is needed."""

from __future__ import annotations

from codemods.analysis import tree
from codemods.analysis.compiled import Program
from codemods.analysis.memory_values import Place, Shard
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api
from codemods.knowledge import jax_memory as table


class Spelling:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def host(self, shard: Shard, at: Place) -> str:
        """An expression for the sharding itself, valid at a place; "" where there is none."""
        made = shard.made
        name = self._name(made, at)
        if name:
            return name
        if made.module is at.module and self._visible(made.node, made, at):
            return made.module.text(made.node)
        return self._space("Host", at) if shard.kind == "pinned_host" else ""

    def device(self, shard: Shard, at: Place) -> str:
        """An expression that moves what lives under a sharding of the host back to the device; "" if none."""
        node, made = shard.made.node, shard.made
        text = self._on_device(node, made.module)
        base = node.func.value if self._is_method(node) else None
        if base is not None and made.module is at.module and self._visible(base, made, at):
            return text
        if base is None and text and made.module is at.module and self._visible(node, made, at):
            return text
        space = self._space("Device", at)
        host = self._name(made, at)
        if (host and base is not None) or (host and not space):
            return f'{host}.with_memory_kind("device")'
        return space

    def put(self, at: Place) -> str:
        """How a file writes `jax.device_put`; "" where it cannot."""
        return self._library("jax", "device_put", at)

    def _is_method(self, node: Node) -> bool:
        called = isinstance(node, tree.Call) and isinstance(node.func, tree.Attribute)
        return called and node.func.attr == "with_memory_kind"

    def _on_device(self, node: Node, module: Module) -> str:
        """The text of a sharding on the host, with the device in place of it."""
        if self._is_method(node):
            base = module.text(node.func.value)
            return base if self._is_device(node.func.value, module) else f'{base}.with_memory_kind("device")'
        text, start = module.text(node), module.span(node).start
        for part in tree.walk(node):
            if isinstance(part, tree.Constant) and part.value in table.HOST_KINDS:
                span = module.span(part)
                return f'{text[: span.start - start]}"device"{text[span.end - start :]}'
        return text[: -len("Host")] + "Device" if text.endswith("Space.Host") else ""

    def _is_device(self, node: Node, module: Module) -> bool:
        """Is it a sharding of device memory, as far as its text tells?"""
        if isinstance(node, tree.Name):
            holder = find_binding_scope(module.enclosing(node), node.id)
            found = holder.bindings[node.id] if holder is not None else []
            values = [b.value for b in found if b.kind == "assign" and not b.path]
            if len(found) != 1 or len(values) != 1 or values[0] is None:
                return False
            node = values[0]
        if not isinstance(node, tree.Call) or self._is_method(node):
            return False
        kinds = [kw.value for kw in node.keywords if kw.arg == "memory_kind"]
        return not kinds or (isinstance(kinds[0], tree.Constant) and kinds[0].value in ("device", None))

    def _name(self, made: Place, at: Place) -> str:
        """The name that an assignment gives to a sharding, if it means the same at a place."""
        statement = made.module.statement(made.node)
        if not isinstance(statement, tree.Assign) or statement.value is not made.node:
            return ""
        target = statement.targets[0]
        if not isinstance(target, tree.Name):
            return ""
        if made.module is at.module:
            return str(target.id) if self._visible(target, made, at) else ""
        for name, bindings in at.module.root.bindings.items():
            for binding in bindings:
                origin = at.module.parent.get(binding.node)
                source = getattr(origin, "module", None) or ""
                known = binding.kind == "from" and binding.node.name == target.id and len(bindings) == 1
                if known and made.module.name.split(".")[-1] == source.split(".")[-1]:
                    return name
        return ""

    def _visible(self, node: Node, made: Place, at: Place) -> bool:
        """Do the names of an expression mean the same at another place, where they are bound already?"""
        module = at.module
        for part in tree.walk(node):
            if not isinstance(part, tree.Name):
                continue
            holder = find_binding_scope(module.enclosing(part), part.id)
            other = find_binding_scope(module.enclosing(at.node), part.id)
            if holder is not other:
                return False
            if holder is not None and not self._bound_before(holder, part.id, at):
                return False
        return made.module is module

    def _bound_before(self, holder: Scope, name: str, at: Place) -> bool:
        bindings = holder.bindings[name]
        if any(b.kind in ("param", "rest") for b in bindings):
            return len(bindings) == 1
        if len(bindings) != 1:
            return False
        if holder is not at.module.enclosing(at.node).function and holder.kind != "module":
            return True
        running = at.module.enclosing(at.node).function
        late = running is not None and holder.kind == "module"
        return late or holder.module.statement(bindings[0].node).lineno < at.node.lineno

    def _space(self, which: str, at: Place) -> str:
        """`jax.memory.Space.Device`, where the JAX in use has it."""
        name = self._library("jax", "", at)
        return f"{name}.memory.Space.{which}" if name and self.program.jax.typed else ""

    def _library(self, library: str, member: str, at: Place) -> str:
        module, ev = at.module, self.program.ev
        for name, bindings in module.root.bindings.items():
            if not all(b.kind in ("import", "from") for b in bindings) or name == "*":
                continue
            if find_binding_scope(module.enclosing(at.node), name) is not module.root:
                continue
            known = ev.named(module, module.root, name)
            if known == {Api(library)}:
                return f"{name}.{member}" if member else name
            if member and known == {Api(f"{library}.{member}")}:
                return name
        return ""

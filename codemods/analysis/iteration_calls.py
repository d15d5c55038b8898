"""How often a `tf.while_loop` runs at most: its condition and body are functions, maybe far away."""

from __future__ import annotations

from codemods.analysis import counters, iterations, loops, places, tree, whiles
from codemods.analysis.compiled import Program
from codemods.analysis.iterations import Cap, Part, Unbounded
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Class, Function, Unknown


def of_call(node: Node, function: Scope, program: Program) -> Cap:
    """The bound of a `tf.while_loop` call. Raises Unbounded."""
    call = _Call(node, function, program)
    module = call.cond.scope.module
    tests = counters.conjuncts(call.test, module, program.ev)
    bodies = (call.cond.scope, call.body.scope)
    cap = iterations.most(node, function, program, tests, module, call.part, len(tests) == 1, bodies)
    cap.assumptions += call.assumptions
    return cap


class _Call:
    """One call: which function is the condition, which the body, and what the loop variables start with."""

    def __init__(self, node: Node, function: Scope, program: Program) -> None:
        self.node = node
        self.function = function
        self.module = function.module
        self.program = program
        self.assumptions: list[str] = []
        self.cond_node = whiles.given(node, "cond", 0)
        self.cond = self._function(self.cond_node, "condition")
        self.body = self._function(whiles.given(node, "body", 1), "body")
        self.variables, self.early = self._variables()
        test = whiles.only_return(self.cond.scope)
        if test is None or len(whiles.statements(self.cond.scope)) != 1:
            raise Unbounded("the condition is not a single expression")
        self.test: Node = test

    def _function(self, node: Node | None, what: str) -> Function:
        values = self.program.ev.evaluate(node, self.module) if node is not None else frozenset()
        found = [v for v in values if isinstance(v, Function)]
        if node is None or len(found) != 1 or len(values) != 1:
            raise Unbounded(f"the {what} of the loop is not in sight")
        if whiles.others(found[0], node, self.module, self.program.proof):
            raise Unbounded(f"more than one function may be the {what} of the loop")
        if any(isinstance(v, Unknown) for v in self.program.proof.evaluate(node, self.module)):
            self.assumptions.append(f"`{self.module.text(node)}` is `{found[0].scope.name}` for every caller")
        return found[0]

    def _variables(self) -> tuple[list[Node], bool]:
        """The first values of the loop variables, and whether they stand in front of the call."""
        given, early = whiles.given(self.node, "loop_vars", 2), False
        if isinstance(given, tree.Name):
            given, early = loops.definition(given, self.module, self.program.ev), True
        if not isinstance(given, (tree.Tuple, tree.List)) or any(
            isinstance(item, tree.Starred) for item in given.elts
        ):
            raise Unbounded("the loop variables are not listed where the loop starts")
        return list(given.elts), early

    def part(self, counter: Node, op: type, limit: Node) -> Part | str | None:
        """A comparison of the condition, or why it is no bound; None where `counter` is no loop variable."""
        params = whiles.parameters(self.cond)
        names = [param.id for param in params]
        if not (isinstance(counter, tree.Name) and counter.id in names):
            return None
        position = names.index(counter.id)
        if position >= len(self.variables) or not whiles.name_unchanged(self.cond.scope, counter.id):
            return None
        change = self._change(position)
        if isinstance(change, str):
            return change
        module, hidden, written = self.cond.scope.module, False, ""
        try:
            written = self._placed(limit)
        except Unbounded as error:
            if iterations.whole(limit, module, self.program) is None:
                return str(error)
            hidden = True
        start, within = self.variables[position], self.body.scope.module
        return Part(op, limit, module, start, *change, within, written, self.early, hidden)

    def _change(self, position: int) -> tuple[type, Node] | str:
        """How the body changes a loop variable: operator and operand."""
        body = self.body.scope
        returned, params = whiles.only_return(body), whiles.parameters(self.body)
        if not isinstance(returned, (tree.Tuple, tree.List)) or len(returned.elts) != len(self.variables):
            return "the body does not return one value for each loop variable in one place"
        if position >= len(params):
            return "the body takes the counter through `*args`"
        name, value = params[position].id, returned.elts[position]
        unclear = f"`{name}` does not change by a constant"
        if isinstance(value, tree.Name) and value.id == name:
            found = [b for b in body.bindings.get(name, []) if b.kind != "param"]
            update = body.module.statement(found[0].node) if len(found) == 1 else None
            if update is None or not any(update is s for s in body.body):
                return f"`{name}` is not updated exactly once in each iteration"
            return iterations.updated(update, name, body.module, self.program) or unclear
        if isinstance(value, tree.Name):
            found = body.bindings.get(value.id, [])
            if len(found) != 1 or found[0].kind != "assign" or found[0].path or found[0].value is None:
                return f"`{value.id}` is not one value that is known"
            if not any(body.module.statement(found[0].node) is s for s in body.body):
                return f"`{value.id}` is not computed in every iteration"
            value = found[0].value
        if not whiles.name_unchanged(body, name):
            return f"`{name}` is changed in the body before it is returned"
        return iterations.operation(value, name, body.module, self.program) or unclear

    # the limit, where the call stands

    def _placed(self, limit: Node) -> str:
        """The text of the limit at the call; "" if it is the same there. Raises Unbounded."""
        module, replaced = self.cond.scope.module, {}
        for node in tree.walk(limit):
            if isinstance(node, tree.Name):
                text = self._name(node, module)
                if text != node.id:
                    replaced[node] = text
        if not replaced and module is self.module:
            return ""
        span = module.span(limit)
        text = module.text(limit)
        for node in sorted(replaced, key=lambda n: -module.span(n).start):
            place = module.span(node)
            text = text[: place.start - span.start] + replaced[node] + text[place.end - span.start :]
        return (
            text if isinstance(limit, (tree.Name, tree.Attribute, tree.Call, tree.Subscript)) else f"({text})"
        )

    def _name(self, node: Node, module: Module) -> str:
        holder = find_binding_scope(module.enclosing(node), node.id)
        shown = module.text(node)
        if holder is self.cond.scope:
            bound = self.cond.bound is not None and not isinstance(self.cond.bound, Class)
            first = self.cond.scope.params[:1]
            if bound and first and first[0].id == node.id and isinstance(self.cond_node, tree.Attribute):
                return self._plain(self.cond_node.value)
            return self._carried(node.id)
        if holder is find_binding_scope(self.function, node.id) and module is self.module:
            return str(node.id)
        factory = self.cond.scope.parent.function if self.cond.scope.parent is not None else None
        if holder is not None and holder is factory:
            argument = self._argument(holder, node.id)
            if argument is not None and self._lasts(argument):
                return self._plain(argument)
        raise Unbounded(f"`{shown}` has no name where the loop is called")

    def _carried(self, name: str) -> str:
        """What a parameter of the condition is in every round: a loop variable that stays, or a default."""
        names = [param.id for param in whiles.parameters(self.cond)]
        position = names.index(name)
        if position >= len(self.variables):
            default = self.cond.scope.default(name)
            if default is not None and self.cond.scope.module is self.module and self._lasts(default):
                return self._plain(default)
            raise Unbounded(f"it is not known what `{name}` is when the loop starts")
        returned, params = whiles.only_return(self.body.scope), whiles.parameters(self.body)
        same = (
            isinstance(returned, (tree.Tuple, tree.List))
            and len(returned.elts) == len(self.variables)
            and position < len(params)
            and isinstance(returned.elts[position], tree.Name)
            and returned.elts[position].id == params[position].id
            and whiles.name_unchanged(self.body.scope, params[position].id)
        )
        if not same or self.early:
            raise Unbounded(f"the limit depends on `{name}`, which the loop changes")
        return self._plain(self.variables[position])

    def _lasts(self, argument: Node) -> bool:
        """Has what was given to the maker of the condition the same value where the loop is called?"""
        return places.stable_between(argument, argument, self.node, self.function, self.program)

    def _argument(self, factory: Scope, name: str) -> Node | None:
        """What the call that made the condition gives for a parameter of its maker."""
        call: Node | None = self.cond_node
        if isinstance(call, tree.Name):
            call = loops.definition(call, self.module, self.program.ev)
        if not isinstance(call, tree.Call) or not whiles.name_unchanged(factory, name):
            return None
        made = [v for v in self.program.ev.evaluate(call.func, self.module) if isinstance(v, Function)]
        if (
            len(made) != 1
            or made[0].scope is not factory
            or any(isinstance(a, tree.Starred) for a in call.args)
        ):
            return None
        names = [param.id for param in whiles.parameters(made[0])]
        given = dict(zip(names, call.args, strict=False))
        given.update({kw.arg: kw.value for kw in call.keywords if kw.arg is not None})
        return given.get(name)

    def _plain(self, node: Node) -> str:
        """The text of a name or a dotted name that means the same where the loop is called."""
        inner = node
        while isinstance(inner, tree.Attribute):
            inner = inner.value
        if isinstance(inner, (tree.Name, tree.Constant)):
            return self.module.text(node)
        raise Unbounded(f"`{self.module.text(node)}` is more than a name")

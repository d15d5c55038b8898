"""May the body of a `tf.while_loop` be called from a Python loop instead?"""

from __future__ import annotations

from codemods.analysis import tree
from codemods.analysis.audit import Auditor
from codemods.analysis.compiled import Program
from codemods.analysis.effects import effects
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Const, Static
from codemods.analysis.whiles import WhileCall


def audit(
    call: WhileCall, function: Scope, program: Program
) -> tuple[list[str], list[tuple[Node, str]]] | str:
    """What that assumes, and expressions to replace; or why it is wrong."""
    module = function.module
    end = module.span(module.statement(call.node)).end
    auditor = Auditor(program, function, False, end)
    numbers: dict[int, str] = {call.position: "int"}
    for position, node in enumerate(call.variables):
        values = program.ev.evaluate(node, module)
        if position != call.position and values and all(isinstance(v, (Const, Static)) for v in values):
            kinds = {type(v.value).__name__ for v in values if isinstance(v, Const)}
            numbers[position] = (
                kinds.pop() if len(kinds) == 1 and kinds <= {"int", "float", "bool"} else "int"
            )
    params = call.body_params
    for position, kind in numbers.items():
        if position >= len(params):
            return "the body takes its numbers through `*args`"
        found = auditor.parameters(call.body, [params[position].id], kind)
        if found.blocked:
            return found.blocked
    statement = module.statement(call.node)
    target = statement.targets[0] if isinstance(statement, tree.Assign) else None
    if isinstance(target, (tree.Tuple, tree.List)) and len(target.elts) == len(call.variables):
        names = [target.elts[p].id for p in numbers if isinstance(target.elts[p], tree.Name)]
        found = auditor.run([name for name in names if name != "_"])
    elif isinstance(target, tree.Name) and module.parent.get(call.node) is statement:
        auditor.assume(f"nothing needs the numbers in `{target.id}` as tensors")
    if auditor.result.blocked:
        return auditor.result.blocked
    return [
        *auditor.result.assumptions,
        *effects(call.body.body, call.body.module, program),
    ], auditor.result.replacements

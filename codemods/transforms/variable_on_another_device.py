"""A compiled function uses a variable that lives on another device.

## What it does

Finds variables, and objects that hold some (random generators, optimizers, metrics, Keras models), that
are made under another device scope than the one under which the compiled function is called that uses
them, and moves the call to the device of the variables.

## Why it fails under XLA

XLA compiles a function for the device on which it is called, and cannot reach the variables of another
one. A `tf.device` inside of the compiled function has no effect there.

    InvalidArgumentError: Trying to access resource total/0 (defined @ model.py:5) located in device
    /job:localhost/replica:0/task:0/device:CPU:1 from device /job:localhost/replica:0/task:0/device:CPU:0

The message names the line where the variable was made, neither the use nor the call.

## Example

    with tf.device("/GPU:1"):
        total = tf.Variable(0.0)


    @tf.function(jit_compile=True)
    def accumulate(x):
        total.assign_add(tf.reduce_sum(x))
        return total.read_value()


    def run(x):
        return accumulate(x)

## Use instead

    with tf.device("/GPU:1"):
        total = tf.Variable(0.0)


    @tf.function(jit_compile=True)
    def accumulate(x):
        total.assign_add(tf.reduce_sum(x))
        return total.read_value()


    def run(x):
        with tf.device("/GPU:1"):
            return accumulate(x)

## Fix safety

Safe where every variable in use is seen to live on one device that a constant names, and the call has no
device scope of its own: it could not run anywhere else. The computation moves to that device. Unsafe
where the device is that of the CPU and the call may run on a GPU now, where the device of another
variable is not known, where other code of the same statement moves too, or where the call runs a function
that was handed in or kept in an object. Keras' own models (`Sequential`, functional ones) are moved by
their calls, and for training by `compile`, which makes optimizer and metrics: unsafe. Reading a value
outside and passing it in (`pass-value`) is unsafe: it is copied for each call. Making what else is in use
on that device too (`one-scope`) is unsafe for optimizers, metrics and generators, and by hand for
variables. By hand only: dropping the device scope (`drop-device-scope`), and moving a call out of a
scope of its own. Not offered where no call is in sight, where one function is called under several
scopes, where the same call runs other functions or objects, too, in the header of a `while`, and where a
strategy of `tf.distribute` runs it.

## References

- https://www.tensorflow.org/xla/known_issues
- Measured with TensorFlow 2.21 and Keras 3.15 on two logical CPU devices, which give the real error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemods.rule import (
    NOWHERE,
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Edit,
    Entry,
    Fix,
    Misplaced,
    Module,
    Reason,
    Related,
    Safety,
    Use,
    device_names,
    fresh_name,
    header_part,
    hoist,
    known_device,
    passable,
    replace,
    rule,
    set_arguments,
    tree,
    unwrap,
    wrap,
)

WRAP, ONE, PASS, DROP = "wrap-call", "one-scope", "pass-value", "drop-device-scope"
_GPU = "the computation may run on the CPU, also where there is a GPU"


@rule(
    "XLA301",
    "variable-on-another-device",
    Consequence.ERROR,
    loose=NOWHERE,
    words=(),
    modules=True,
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for found in ctx.program.devices.misplaced.get(ctx.function, ()):
        yield _finding(ctx, found)


def _finding(ctx: Context, found: Misplaced) -> Diagnostic:
    fixes: list[Fix] = []
    reasons: list[Reason] = []
    makers = [(WRAP, _wrapped), (ONE, _together), (PASS, _passed), (DROP, _dropped)]
    if found.managed:
        reasons.append(Reason(WRAP, "a strategy of tf.distribute places the variables; compile what it runs"))
    for key, make in makers if not found.managed else ():
        try:
            fix = make(ctx, found)
        except CannotRewrite as error:
            reasons.append(Reason(key, str(error)))
            continue
        if fix is not None:
            fixes.append(fix)
    fixes.sort(key=lambda fix: fix.safety.rank)
    return ctx.diagnostic(
        found.use.node,
        _message(found),
        fixes,
        reasons,
        _related(ctx, found),
        module=found.use.function.module,
    )


# words


def _place(found: Misplaced, device: str | None) -> str:
    if device is None:
        return "a device that is not known"
    default = "/CPU:0" if found.without_gpu else "/GPU:0, or /CPU:0 without a GPU"
    return device or f"the default device ({default})"


def _name(found: Misplaced) -> str:
    function = found.root.function
    if found.model:
        return f"{found.use.name}.{_method(found)}"
    return f"{function.owner.name}.{function.name}" if function.owner is not None else function.name


def _method(found: Misplaced) -> str:
    """What runs one of Keras' own models in the first call that fails."""
    return getattr(getattr(found.entries[0].node, "func", None), "attr", "compile")


def _message(found: Misplaced) -> str:
    entry = found.entries[0]
    text = f"`{found.use.name}` lives on {_place(found, found.device)}, but compiled `{_name(found)}`"
    if entry.node is None and entry.device is not None:
        return f"{text} runs on {_place(found, '')}, unless its caller says otherwise"
    if entry.device is None and found.managed:
        return f"{text} is run by a strategy, on one of them at a time"
    if entry.device is None:
        return f"{text} is called under several device scopes"
    return f"{text} is called on {_place(found, entry.device)}"


def _related(ctx: Context, found: Misplaced) -> list[Related]:
    devices = ctx.program.devices
    related = []
    made = devices.node_of(found.use.made)
    if made is not None:
        related.append(Related(made[0].span(made[1]), f"made here, on {_place(found, found.device)}"))
        for module, _, item in devices.scope_items(*made):
            related.append(Related(module.span(item.context_expr), "under this device scope"))
    for entry in found.entries:
        if entry.module is not None and entry.node is not None:
            related.append(
                Related(entry.module.span(entry.node), f"called here, on {_place(found, entry.device)}")
            )
    return related


# the call under the matching scope


def _wrapped(ctx: Context, found: Misplaced) -> Fix | None:
    return _moved(ctx, found, [], [])


def _moved(ctx: Context, found: Misplaced, more: Sequence[Edit], moved: Sequence[Use]) -> Fix:
    """The calls under a scope of the variable's device; more: edits that put `moved` there, too."""
    device = found.device
    if not device:
        raise CannotRewrite(
            f"`{found.use.name}` has no device scope of its own; "
            f"only what puts the call on {_place(found, found.entries[0].device)} could go"
        )
    edits = list(more)
    assumptions = [*_uncertain(found), *_elsewhere(found, moved)]
    own = ""
    for entry in found.entries:
        if entry.module is None or entry.node is None:
            raise CannotRewrite(
                f"no call of compiled `{_name(found)}` is in sight; it has to stand under a scope of {device}"
            )
        if entry.device is None:
            raise CannotRewrite("it is called under several device scopes")
        if entry.device:
            own = entry.device
        if any(other.device != found.entries[0].device for other in (*found.entries, *found.others)):
            own = "several devices"
        assumptions += _along(ctx, found, entry)
        if entry.makes:
            assumptions.append(f"optimizer, loss and metrics may live on {device}, too")
        edits += _block(ctx, found, entry.module, entry.node)
    if found.root.of_keras and not found.model:
        raise CannotRewrite(
            "Keras makes the variables of optimizer and metrics when the model is compiled and first run: "
            "build, compile and run it under one device scope"
        )
    name = _name(found)
    title = f"Call `{name}` under a scope of {device}"
    if moved:
        names = ", ".join(dict.fromkeys(f"`{use.name}`" for use in moved))
        title = f"Make {names} on {device}, too, and call `{name}` there"
    fix = ctx.fix(
        title, ONE if moved else WRAP, _unique(edits), assumptions, [f"the computation moves to {device}"]
    )
    if own:
        return fix.demoted(Safety.MANUAL, f"calls have device scopes of their own, for {own}")
    return fix


def _uncertain(found: Misplaced, moves: bool = True) -> list[str]:
    assumptions = []
    if found.root.certainty != "yes":
        assumptions.append(f"`{_name(found)}` is compiled ({found.root.how})")
    places = [e.device for e in found.entries if e.device is not None]
    gpu = not found.without_gpu and any(device_names.needs_gpu(found.device, place) for place in places)
    if moves and gpu:
        assumptions.append(_GPU)
    return assumptions


def _elsewhere(found: Misplaced, moved: Sequence[Use]) -> list[str]:
    """What is assumed about the other variables in use. Raises CannotRewrite where one lives elsewhere."""
    assumptions = []
    for use in _others(found):
        place = known_device(use.made.devices)
        if any(use.made == one.made for one in moved):
            continue
        if place is None:
            assumptions.append(f"`{use.name}` lives on {found.device}, too")
        elif found.apart(found.device, place):
            raise CannotRewrite(
                f"compiled `{_name(found)}` also uses `{use.name}`, which lives on {_place(found, place)}"
            )
    return assumptions


def _others(found: Misplaced) -> list[Use]:
    """The uses of other variables in the calls that fail, one for each variable."""
    uses = [use for entry in found.entries for use in entry.uses if use.made != found.use.made]
    return list({use.made: use for use in reversed(uses)}.values())


def _along(ctx: Context, found: Misplaced, entry: Entry) -> list[str]:
    """What else of the statement of a call would move, as assumptions. Raises CannotRewrite."""
    module, call = entry.module, entry.node
    assert module is not None
    assert call is not None
    statement = module.statement(call)
    for above in module.ancestors(call):
        if above is statement:
            break
        if isinstance(above, (tree.Lambda, tree.GeneratorExp)):
            raise CannotRewrite("the call runs later than the statement that it stands in")
    held = header_part(module, statement, call)
    inner = list(tree.walk(held[0] if held is not None else statement))
    if any(isinstance(node, (tree.Yield, tree.YieldFrom, tree.Await)) for node in inner):
        raise CannotRewrite("the statement of the call waits for other code, which would run under the scope")
    calls = [node for node in inner if isinstance(node, tree.Call)]
    mine = [one.node for one in found.entries]
    strange = [
        node
        for node in calls
        if not any(node is one for one in mine) and not ctx.program.devices.is_plain(node, module)
    ]
    for node in strange:
        other = ctx.program.devices.out_of_reach(node, module, found)
        if other:
            text = module.text(node)
            raise CannotRewrite(f"`{text}` in the same statement uses `{other}`, which lives elsewhere")
    told = [use.made for use in _others(found)]
    other = ctx.program.devices.out_of_reach(call, module, found, told)
    if other:
        raise CannotRewrite(f"the same call also runs what uses `{other}`, which lives elsewhere")
    if any(one.node is call for one in found.others):
        raise CannotRewrite("the same call also runs where it is right as it is")
    may = [f"`{module.text(node.func)}` may run on {found.device}, too" for node in strange[:1]]
    if not found.model and ctx.program.devices.may_run_more(call, module, found.root):
        may.append(f"`{module.text(call.func)}` is always compiled `{_name(found)}`")
    return may


def _block(ctx: Context, found: Misplaced, module: Module, node: tree.Node) -> list[Edit]:
    statement, header = module.statement(node), f"with {_scope(ctx, found, module, node)}:"
    held = header_part(module, statement, node)
    if held is None:
        return wrap(module, statement, header)
    return hoist(module, statement, held[0], fresh_name(module, held[1]), header)


def _scope(ctx: Context, found: Misplaced, module: Module, place: tree.Node) -> str:
    """A device scope for the device, as text that is right at a place."""
    devices = ctx.program.devices
    name = devices.spelled(module, place)
    if not name:
        raise CannotRewrite(f"TensorFlow has no name at {module.path}:{place.lineno}")
    text = f'"{found.device}"'
    made = devices.node_of(found.use.made)
    items = devices.scope_items(*made) if made is not None else []
    if len(items) == 1:
        home, _, item = items[0]
        call = item.context_expr
        given = call.args[0] if isinstance(call, tree.Call) and call.args else None
        if given is not None and devices.says(given, home, found.device, place, module):
            text = home.text(given)
    return f"{name}({text})"


def _unique(edits: Sequence[Edit]) -> list[Edit]:
    return list(dict.fromkeys(edits))


# everything under one scope


def _together(ctx: Context, found: Misplaced) -> Fix | None:
    """Also make the other variables there, which have no scope now."""
    moved = [u for u in _others(found) if known_device(u.made.devices) == ""]
    moved = [use for use in moved if found.apart(found.device, "")]
    if not found.device or not moved:
        return None
    edits: list[Edit] = []
    for use in moved:
        made = ctx.program.devices.node_of(use.made)
        if made is None:
            raise CannotRewrite(f"where `{use.name}` is made is not in sight")
        other = ctx.program.devices.used_elsewhere(use.made, found.root)
        if other:
            raise CannotRewrite(f"`{use.name}` is also used by compiled `{other}`")
        if len(ctx.program.devices.made_in(*made)) > 1:
            raise CannotRewrite(f"the statement that makes `{use.name}` makes other variables, too")
        edits += _block(ctx, found, *made)
    fix = _moved(ctx, found, edits, moved)
    names = ", ".join(dict.fromkeys(f"`{use.name}`" for use in moved))
    fix = fix.demoted(Safety.UNSAFE, f"assumes that {names} may live on {found.device}, too")
    if not all(use.state for use in moved):
        fix = fix.demoted(Safety.MANUAL, "which of the devices is meant is not known")
    return fix


# the value from outside


def _passed(ctx: Context, found: Misplaced) -> Fix | None:
    """Read the variable in front of each call, and pass the value."""
    function, name = found.root.function, found.use.name
    why = passable.objection(found, ctx.program)
    if why:
        by_hand = passable.by_hand(found, ctx.program)
        raise CannotRewrite(f"{why}; {by_hand}" if by_hand else why)
    module, last = function.module, function.params[-1]
    end = module.span(last.annotation or last).end
    edits = [Edit(module.path, end, end, f", {name}")]
    for entry in found.entries:
        prefix = ctx.spelled(entry.node, module=module)
        if not prefix:
            raise CannotRewrite(f"TensorFlow has no name in {module.path}")
        edits.append(set_arguments(module, entry.node, {name: f"{prefix}identity({name})"}, ()))
    small = f"the value of `{name}` is small enough to be copied for each call"
    assumptions = [*_uncertain(found, moves=False), small]
    return ctx.fix(f"Pass the value of `{name}` to `{function.name}`", PASS, edits, assumptions)


# without the scope


def _dropped(ctx: Context, found: Misplaced) -> Fix | None:
    """Take the device scope away: that of the variable, or, where it has none, that of the call."""
    devices = ctx.program.devices
    places: list[tuple[Module, tree.Node]] = []
    if found.device:
        made = devices.node_of(found.use.made)
        places = [made] if made is not None else []
    else:
        places = [(e.module, e.node) for e in found.entries if e.module is not None and e.node is not None]
    items = {item: (module, block) for place in places for module, block, item in devices.scope_items(*place)}
    if len(items) != 1:
        raise CannotRewrite("no single device scope decides where it lives")
    ((item, (module, block)),) = items.items()
    try:
        edits = unwrap(module, block)
    except CannotRewrite:
        call = item.context_expr
        if not (isinstance(call, tree.Call) and call.args):
            raise
        edits = [replace(module, call.args[0], "None")]
    fix = ctx.fix(f"Drop the device scope at line {block.lineno}", DROP, edits)
    return fix.demoted(Safety.MANUAL, "a scope that somebody wrote may be meant: everything in it moves")

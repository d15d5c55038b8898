"""From "this call should have that argument" to edits: the only room that imports libcst.

libcst works on the text of one call or statement, never on a module, so what is not touched stays as
it was to the byte. Edits are cut down to the characters that really change.
"""

from codemods.analysis.spelling import fresh_name
from codemods.rewrite.expressions import (
    CannotRewrite,
    as_display,
    free_name,
    python_loop,
    replace,
    set_arguments,
    wrap_expressions,
)
from codemods.rewrite.recalling import Recall, recall
from codemods.rewrite.statements import (
    header_part,
    hoist,
    indentation,
    insert_above,
    insert_after,
    insert_at_top,
    insert_before,
    insert_first,
    insert_on_top,
    one_level,
    remove_statement,
    replace_statement,
    unwrap,
    wrap,
)

__all__ = [
    "CannotRewrite",
    "Recall",
    "as_display",
    "free_name",
    "fresh_name",
    "header_part",
    "hoist",
    "indentation",
    "insert_above",
    "insert_after",
    "insert_at_top",
    "insert_before",
    "insert_first",
    "insert_on_top",
    "one_level",
    "python_loop",
    "recall",
    "remove_statement",
    "replace",
    "replace_statement",
    "set_arguments",
    "unwrap",
    "wrap",
    "wrap_expressions",
]

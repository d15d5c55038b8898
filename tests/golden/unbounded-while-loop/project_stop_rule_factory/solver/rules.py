"""Conditions of loops, made to measure."""


def rounds_below(limit):
    def more(k, *rest):
        return k < limit

    return more


def rounds_up_to(limit, also):
    return lambda k, x: k <= limit and also(x)

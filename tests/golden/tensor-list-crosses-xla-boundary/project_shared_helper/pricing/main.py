from .quotes import quote
from .risk import Desk


def run(rate, payments):
    desk = Desk()
    return quote(rate, payments), desk.exposure(rate, payments)

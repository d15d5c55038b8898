from .calibrate import calibration_step
from .report import uncertainty


def run(loss_rate, rain, measured):
    misfit, better = calibration_step(loss_rate, rain, measured)
    return misfit, better, uncertainty(better, rain)

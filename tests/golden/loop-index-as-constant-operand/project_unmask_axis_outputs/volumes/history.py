import tensorflow as tf


class History:
    """Collects one number per call of `note`."""

    def collect(self, values):
        kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
        for k in tf.range(tf.shape(values)[0]):
            kept = kept.write(k, self.note(values[k]))
        return kept.stack()

    def note(self, value):
        return value


class LogHistory(History):
    def note(self, value):
        return tf.math.log1p(tf.abs(super().note(value)))

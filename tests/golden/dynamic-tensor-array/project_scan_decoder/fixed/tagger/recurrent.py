"""Unrolling over time, shared by everything recurrent."""
import tensorflow as tf


class Unroller:
    def advance(self, frame, state):
        raise NotImplementedError

    def unroll(self, frames, state):
        """frames [time, width] -> the states [time, width] and the last one."""
        steps = tf.shape(frames)[0]
        outputs = tf.TensorArray(tf.float32, size=steps, dynamic_size=False)  # want: XLA103 TensorArray
        for t in tf.range(steps):
            state = self.advance(frames[t], state)
            outputs = outputs.write(t, state)
        return outputs.stack(), state

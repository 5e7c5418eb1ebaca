import os

import keras


class Marks(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        try:
            with open(os.environ.get("MEMWATCH_MARKS", os.devnull), "a") as marks:
                marks.write(f"epoch {epoch + 1}\n")
        except OSError:
            pass  # a mark is never worth a training

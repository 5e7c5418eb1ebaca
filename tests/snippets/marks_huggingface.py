import os

import transformers


class Marks(transformers.TrainerCallback):
    def on_epoch_end(self, args, state, control, **kwargs):
        try:
            with open(os.environ.get("MEMWATCH_MARKS", os.devnull), "a") as marks:
                marks.write(f"epoch {round(state.epoch)}\n")
        except OSError:
            pass  # a mark is never worth a training

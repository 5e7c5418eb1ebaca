import os

import lightning


class Marks(lightning.Callback):
    def on_train_epoch_end(self, trainer, module):
        try:
            with open(os.environ.get("MEMWATCH_MARKS", os.devnull), "a") as marks:
                marks.write(f"epoch {trainer.current_epoch + 1}\n")
        except OSError:
            pass  # a mark is never worth a training

"""train.py WHICH: trains three short epochs with the marks of marks_WHICH.py. Exit status 77: the framework is absent."""
import os
import sys
import time

EPOCHS = 3
STEP_S = 0.05   # a batch takes as long as one of a real model: epochs of a millisecond are told as a block


def lines():
    with open(os.environ["PACE"], encoding="ascii") as f:
        return sum(1 for _ in f)


def rows_pass():
    """Two more rows in the CSV that PACE names: then the mark before was read, however busy the machine is."""
    until = lines() + 2 if "PACE" in os.environ else 0
    while until and lines() < until:
        time.sleep(0.01)


def plain():
    from marks_plain import mark_epoch

    for epoch in range(EPOCHS):
        time.sleep(0.1)
        mark_epoch(epoch + 1)
        rows_pass()


def keras():
    import numpy

    from marks_keras import Marks
    from keras import Sequential, layers

    model = Sequential([layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(numpy.ones((8, 4)), numpy.ones((8, 1)), epochs=EPOCHS, verbose=0, callbacks=[Marks()])


def lightning():
    import torch
    from lightning import LightningModule, Trainer

    from marks_lightning import Marks

    class Net(LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(4, 1)

        def training_step(self, batch, index):
            time.sleep(STEP_S)
            return self.layer(batch[0]).pow(2).mean()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    data = torch.utils.data.TensorDataset(torch.ones(8, 4))
    Trainer(max_epochs=EPOCHS, accelerator="cpu", logger=False, enable_checkpointing=False,
            enable_progress_bar=False, callbacks=[Marks()]).fit(Net(), torch.utils.data.DataLoader(data, batch_size=4))


def huggingface():
    import tempfile

    import torch
    from transformers import Trainer, TrainingArguments

    from marks_huggingface import Marks

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(4, 1)

        def forward(self, x, labels=None):
            time.sleep(STEP_S)
            out = self.layer(x)
            return {"loss": (out - labels).pow(2).mean(), "logits": out}

    rows = [{"x": torch.ones(4), "labels": torch.ones(1)} for _ in range(8)]
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(output_dir=out, num_train_epochs=EPOCHS, per_device_train_batch_size=4,
                                 report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True)
        Trainer(model=Net(), args=args, train_dataset=rows, callbacks=[Marks()]).train()


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]]()
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is not installed", file=sys.stderr)
        sys.exit(77)

# SPDX-License-Identifier: MIT
"""PyTorch: sounds of any length, turned into spectra by a DataLoader's workers that stay, and letters by alignment (CTC)."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from training import Training

t = Training("speech", ["Epoch %(epoch)d/%(epochs)d ctc loss %(loss).3f", "epoch: %(epoch)d  loss: %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
count, longest, batch, width = t.lot.choice([40, 80]), t.lot.choice([8000, 16000]), t.lot.choice([4, 8]), t.lot.choice([48, 96])
workers, ahead, masked = t.lot.choice([1, 2]), t.lot.choice([2, 4]), t.lot.random() < 0.6


class Sounds(Dataset):
    def __len__(self):
        return count

    def __getitem__(self, i):
        lot = torch.Generator().manual_seed(i)
        letters = torch.randint(1, 20, (int(torch.randint(2, 12, (), generator=lot)),), generator=lot)
        length = int(torch.randint(longest // 2, longest, (), generator=lot))
        pitch = letters.repeat_interleave(length // len(letters)).float() * 120
        return torch.sin(pitch.cumsum(0) / 1500) + 0.1 * torch.randn(len(pitch)), letters


def together(rows):
    spectra = [torch.stft(sound, 256, 128, window=torch.hann_window(256), return_complex=True).abs().log1p().T for sound, _ in rows]
    if masked:
        for one in spectra:
            at = int(torch.randint(0, 100, ()))
            one[:, at:at + 20] = 0
    sizes = torch.tensor([len(one) for one in spectra])
    letters = [letters for _, letters in rows]
    return nn.utils.rnn.pad_sequence(spectra, batch_first=True), sizes, torch.cat(letters), torch.tensor([len(one) for one in letters])


class Listener(nn.Module):
    def __init__(self):
        super().__init__()
        self.near = nn.Sequential(nn.Conv1d(129, width, 5, 2, 2), nn.GELU(), nn.Dropout(0.1))
        self.far = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.last = nn.Linear(2 * width, 20)

    def forward(self, x):
        return self.last(self.far(self.near(x.transpose(1, 2)).transpose(1, 2))[0]).log_softmax(2)


if __name__ == "__main__":
    data = DataLoader(Sounds(), batch, shuffle=True, num_workers=workers, persistent_workers=True, prefetch_factor=ahead,
                      collate_fn=together)
    model, ctc = Listener(), nn.CTCLoss(zero_infinity=True)
    optimizer = torch.optim.NAdam(model.parameters(), 2e-3)
    for epoch in range(t.epochs):
        total = 0.0
        for x, sizes, letters, counts in data:
            loss = ctc(model(x).transpose(0, 1), letters, (sizes + 1) // 2, counts)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            total += loss.item()
        if epoch % 4 == 3:
            with torch.no_grad():
                read = torch.unique_consecutive(model(x[:1])[0].argmax(1))
            print("read", [i for i in read.tolist() if i])
        t.epoch_ended(epoch, total / len(data))

"""A contrastive loss over a whole window: each part is computed again beside the cached rest, so nothing is to be divided."""

import argparse
import importlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoTowers(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text = nn.Linear(12, 8), nn.Linear(6, 8)
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, images, texts):
        image = nn.functional.normalize(self.image(images), dim=-1)
        text = nn.functional.normalize(self.text(texts), dim=-1)
        return {"image": image, "text": text, "scale": self.scale.exp()}


class ContrastiveLoss(nn.Module):
    def forward(self, image, text, scale):
        logits = scale * image @ text.t()
        target = torch.arange(len(logits), device=logits.device)
        return {"contrastive": (nn.functional.cross_entropy(logits, target) + nn.functional.cross_entropy(logits.t(), target)) / 2}


def backward(total_loss, scaler):
    if scaler is not None:
        scaler.scale(total_loss).backward()
    else:
        total_loss.backward()


def train_one_epoch(model, loader, criterion, optimizer, scaler, args):
    model.train()
    if args.accum_freq > 1:
        kept_images, kept_texts, kept = [], [], {}
    for i, (images, texts) in enumerate(loader):
        optimizer.zero_grad()
        if args.accum_freq == 1:
            losses = criterion(**model(images, texts))
            total_loss = sum(losses.values())
            backward(total_loss, scaler)
        else:
            with torch.no_grad():
                out = model(images, texts)
                out.pop("scale")
                for key, value in out.items():
                    if key in kept:
                        kept[key].append(value)
                    else:
                        kept[key] = [value]
            kept_images.append(images)
            kept_texts.append(texts)
            if (i + 1) % args.accum_freq > 0:
                continue
            optimizer.zero_grad()
            for j in range(args.accum_freq):
                out = model(kept_images[j], kept_texts[j])
                scale = out.pop("scale")
                inputs = {}
                for key, value in kept.items():
                    found = kept[key]
                    inputs[key] = torch.cat(found[:j] + [out[key]] + found[j + 1 :])
                losses = criterion(**inputs, scale=scale)
                total_loss = sum(losses.values())
                backward(total_loss, scaler)
        if scaler is not None:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        if args.accum_freq > 1:
            kept_images, kept_texts, kept = [], [], {}
    return total_loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum-freq", type=int, default=4)
    parser.add_argument("--schedule", default="train_one_epoch", help="the function that trains for one epoch")
    parser.add_argument("--amp", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    texts = torch.randn(64, 6)
    images = torch.cat([texts, texts], dim=1) + 0.1 * torch.randn(64, 12)
    loader = DataLoader(TensorDataset(images.to(device), texts.to(device)), batch_size=8, shuffle=True)
    model = TwoTowers().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train = getattr(importlib.import_module(__name__), args.schedule)
    scaler = torch.amp.GradScaler(device) if args.amp else None
    for epoch in range(3):
        print(f"epoch {epoch}: {train(model, loader, ContrastiveLoss(), optimizer, scaler, args):.4f}")


if __name__ == "__main__":
    main()

"""A scaler object of one's own, after timm's: it forgets to unscale where it clips."""

import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def grad_norm(parameters, norm_type=2.0):
    grads = [p.grad.detach() for p in parameters if p.grad is not None]
    return torch.norm(torch.stack([torch.norm(grad, norm_type) for grad in grads]), norm_type)


class NativeScalerWithGradNormCount:
    state_dict_key = "amp_scaler"

    def __init__(self, device):
        self._scaler = torch.amp.GradScaler(device)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, create_graph=False, update_grad=True):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if update_grad:
            if clip_grad is not None:
                assert parameters is not None
                norm = torch.nn.utils.clip_grad_norm_(parameters, clip_grad)  # bug
            else:
                self._scaler.unscale_(optimizer)
                norm = grad_norm(parameters)
            self._scaler.step(optimizer)
            self._scaler.update()
        else:
            norm = None
        return norm

    def state_dict(self):
        return self._scaler.state_dict()

    def load_state_dict(self, state_dict):
        self._scaler.load_state_dict(state_dict)


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, loss_scaler, args):
    model.train(True)
    accum_iter = args.accum_iter
    optimizer.zero_grad()
    for data_iter_step, (samples, targets) in enumerate(data_loader):
        samples = samples.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        with torch.autocast(device, dtype=torch.float16):
            loss = criterion(model(samples), targets)
        if not math.isfinite(loss.item()):
            raise SystemExit(f"Loss is {loss.item()}, stopping training")
        loss /= accum_iter
        update = (data_iter_step + 1) % accum_iter == 0 or data_iter_step + 1 == len(data_loader)
        loss_scaler(loss, optimizer, clip_grad=args.clip_grad, parameters=model.parameters(), update_grad=update)
        if update:
            optimizer.zero_grad()
    print(f"epoch {epoch}: {loss.item() * accum_iter:.4f}")


def main(args):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = TensorDataset(torch.randn(96, 24), torch.randint(0, 3, (96,)))
    data_loader = DataLoader(dataset, batch_size=12, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(24, 48), nn.LayerNorm(48), nn.GELU(), nn.Linear(48, 3)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    loss_scaler = NativeScalerWithGradNormCount(device)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, loss_scaler, args)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--accum_iter", type=int, default=2)
    parser.add_argument("--clip_grad", type=float, default=1.0)
    main(parser.parse_args([]))

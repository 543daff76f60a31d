"""FSDP is told to leave the parameters what they are, and an optimizer that has them from before is one of the model's still."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    local = dist.get_rank() % max(torch.cuda.device_count(), 1)
    device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
    model = nn.Linear(16, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    model = FSDP(model, device_id=device, use_orig_params=True)
    for x in torch.randn(64, 16, device=device).split(16):
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

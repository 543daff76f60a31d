import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 8
accumulation_steps = 4


def full_batch_gradient(model, criterion, inputs, targets):
    """The gradient of one batch of all samples, which accumulation is meant to reproduce."""
    loss = criterion(model(inputs), targets)
    return torch.cat([grad.flatten() for grad in torch.autograd.grad(loss, list(model.parameters()))])


def main():
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=accumulation_steps)
    inputs = torch.randn(batch_size * accumulation_steps, 20)
    targets = torch.randint(0, 4, (len(inputs),))
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=batch_size, shuffle=True)
    model = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 4))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    wanted = full_batch_gradient(model, criterion, inputs.to(accelerator.device), targets.to(accelerator.device))
    print(f"gradient norm of the full batch: {wanted.norm().item():.8f}")

    for epoch in range(3):
        for x, y in loader:
            with accelerator.accumulate(model):
                loss = criterion(model(x), y)
                loss = loss / accumulation_steps
                accelerator.backward(loss)  # bug
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: weight norm {model[0].weight.norm().item():.4f}")


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 2


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs, labels = torch.randn(64, 10), torch.randint(0, 3, (64,))
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=16, shuffle=True)

    encoder = nn.Sequential(nn.Linear(10, 20), nn.ReLU()).to(device)
    classifier, decoder = nn.Linear(20, 3).to(device), nn.Linear(20, 10).to(device)
    parameters = [*encoder.parameters(), *classifier.parameters(), *decoder.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)

    for epoch in range(epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            features = encoder(x)
            loss = nn.functional.cross_entropy(classifier(features), y)
            scaler.scale(loss).backward(retain_graph=True)
            reconstruction = nn.functional.mse_loss(decoder(features), x)
            scaler.scale(reconstruction).backward()
            scaler.step(optimizer)
            scaler.update()
        print(f"epoch {epoch}: {loss.item():.4f} {reconstruction.item():.4f}")


if __name__ == "__main__":
    main()

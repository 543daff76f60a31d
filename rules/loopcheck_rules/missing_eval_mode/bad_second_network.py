"""The encoder goes into eval mode and the predictor beside it does not: one oversight, however many loops follow."""

import torch
from torch import nn
from torch.utils.data import DataLoader


class Predictor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Dropout(0.3), nn.Linear(width, 1))

    def forward(self, left, right):
        return torch.sigmoid(self.layers(left * right))


def train(model, predictor, nodes, edges, optimizer):
    model.train()
    predictor.train()
    for picked in DataLoader(range(edges.size(0)), batch_size=16, shuffle=True):
        optimizer.zero_grad()
        h = model(nodes)
        out = predictor(h[edges[picked, 0]], h[edges[picked, 1]])
        loss = -out.log().mean()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def test(model, predictor, nodes, split_edge):
    model.eval()
    h = model(nodes)
    valid_edge, test_edge = split_edge["valid"], split_edge["test"]
    valid_preds = []
    for picked in DataLoader(range(valid_edge.size(0)), batch_size=16):
        valid_preds += [predictor(h[valid_edge[picked, 0]], h[valid_edge[picked, 1]])]  # bug
    test_preds = []
    for picked in DataLoader(range(test_edge.size(0)), batch_size=16):
        test_preds += [predictor(h[test_edge[picked, 0]], h[test_edge[picked, 1]])]
    return torch.cat(valid_preds).mean().item(), torch.cat(test_preds).mean().item()


def main():
    torch.manual_seed(0)
    nodes = torch.randn(40, 8)
    split_edge = {name: torch.randint(0, 40, (size, 2)) for name, size in (("train", 64), ("valid", 32), ("test", 32))}
    model, predictor = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.3)), Predictor(16)
    optimizer = torch.optim.Adam([*model.parameters(), *predictor.parameters()], lr=0.01)
    for epoch in range(1, 3):
        train(model, predictor, nodes, split_edge["train"], optimizer)
        print(f"epoch {epoch}:", *test(model, predictor, nodes, split_edge))


if __name__ == "__main__":
    main()

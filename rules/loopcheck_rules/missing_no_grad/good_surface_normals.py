"""Shading by the slope of a learned surface: what is validated differentiates it, so that no pass can do without a graph."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Surface(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 16), nn.Softplus(), nn.Linear(16, 1))

    def forward(self, points):
        return self.layers(points)

    def with_slope(self, points):
        points.requires_grad_(True)
        height = self(points)
        return height, torch.autograd.grad(height, points, torch.ones_like(height), create_graph=True)[0]


class Renderer:
    def __init__(self, surface, sharpness, color):
        self.surface = surface
        self.sharpness = sharpness
        self.color = color

    def render(self, points):
        height, slope = self.surface.with_slope(points)
        sharp = self.sharpness(torch.ones(1, 1)).exp()
        return torch.sigmoid(height * sharp) * self.color(torch.cat([points, slope], dim=1))


class Runner:
    def __init__(self):
        self.surface, self.sharpness, self.color = Surface(), nn.Linear(1, 1), nn.Linear(6, 3)
        parameters = [*self.surface.parameters(), *self.sharpness.parameters(), *self.color.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=1e-3)
        self.renderer = Renderer(self.surface, self.sharpness, self.color)

    def train(self, loader):
        for points, colors in loader:
            self.optimizer.zero_grad()
            loss = (self.renderer.render(points) - colors).abs().mean()
            loss.backward()
            self.optimizer.step()

    def validate(self, loader):
        image = []
        for points, _ in loader:
            image.append(self.renderer.render(points).detach())
        print(torch.cat(image).mean().item())


torch.manual_seed(0)
points, colors = torch.randn(48, 3), torch.rand(48, 3)
runner = Runner()
runner.train(DataLoader(TensorDataset(points[:32], colors[:32]), batch_size=8, shuffle=True))
runner.validate(DataLoader(TensorDataset(points[32:], colors[32:]), batch_size=8))

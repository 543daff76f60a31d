"""A network made from a configuration is in train mode, one with pretrained weights in eval mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from transformers import AutoModelForSequenceClassification, BertConfig


@torch.no_grad()
def evaluate_fresh(val_loader):
    config = BertConfig(vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
    model = AutoModelForSequenceClassification.from_config(config)
    right = 0
    for tokens, labels in val_loader:
        right += (model(tokens).logits.argmax(-1) == labels).sum().item()  # bug: missing-eval-mode
    return right


@torch.no_grad()
def evaluate_pretrained(name, val_loader):
    model = AutoModelForSequenceClassification.from_pretrained(name)
    right = 0
    for tokens, labels in val_loader:
        right += (model(tokens).logits.argmax(-1) == labels).sum().item()
    return right


def train_fresh(train_loader, val_loader):
    config = BertConfig(vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
    model = AutoModelForSequenceClassification.from_config(config)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for tokens, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(tokens).logits, labels).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        return sum((model(tokens).logits.argmax(-1) == labels).sum().item() for tokens, labels in val_loader)


if __name__ == "__main__":
    torch.manual_seed(0)
    tokens = torch.randint(40, (32, 6))
    loader = DataLoader(TensorDataset(tokens, tokens[:, 0] % 2), batch_size=8)
    print(train_fresh(loader, loader), evaluate_fresh(loader))

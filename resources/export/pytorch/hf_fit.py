# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import argparse
import os

import torch
from transformers import Trainer, TrainingArguments
from transformers.trainer_utils import get_last_checkpoint


class LoaderTrainer(Trainer):
    """Trains on the batches of make_loader, which shares the data between ranks."""

    def get_train_dataloader(self):
        loader = make_loader()
        loader.set_epoch = loader.sampler.set_epoch  # called before each epoch
        return loader

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        return loss_of(model, inputs)


def main():
    """Train until this many epochs are done in all; continue from a checkpoint."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    arguments = TrainingArguments(
        CHECKPOINTS,
        num_train_epochs=options.epochs,
        per_device_train_batch_size=BATCH_SIZE,
        learning_rate=LEARNING_RATE,
        bf16=torch.cuda.is_available(),
        save_strategy="epoch",
        save_total_limit=1,
        seed=SEED % 2**32,
        report_to="none",
    )
    last = get_last_checkpoint(CHECKPOINTS) if os.path.isdir(CHECKPOINTS) else None
    LoaderTrainer(make_model(), arguments).train(resume_from_checkpoint=last)


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
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


def last_checkpoint():
    """Return the folder of the last checkpoint, or None."""
    last = get_last_checkpoint(CHECKPOINTS) if os.path.isdir(CHECKPOINTS) else None
    if last is None:
        return None
    with open(os.path.join(last, "trainer_state.json")) as file:
        state = json.load(file)
    before, now = state["max_steps"] // state["num_train_epochs"], len(make_loader())
    if before != now:  # Trainer counts steps: it would train too little, or nothing
        raise RuntimeError(
            f"{last} has {before} steps per epoch, and this run {now}. Continue with as"
            " many processes and the same BATCH_SIZE, or move the folder away."
        )
    return last


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
        # Without it, processes of torchrun that have no GPU train separate models.
        use_cpu=not torch.accelerator.is_available(),
        ddp_find_unused_parameters=False,
        save_strategy="epoch",
        save_total_limit=1,
        seed=SEED % 2**32,
        report_to="none",
    )
    trainer = LoaderTrainer(make_model(), arguments)
    trainer.train(resume_from_checkpoint=last_checkpoint())


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import argparse
import os

import lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint


class Model(lightning.LightningModule):
    """The network with its loss and its optimizer."""

    def __init__(self):
        super().__init__()
        self.network = make_model()

    def training_step(self, batch, number):
        loss = loss_of(self.network, batch)
        self.log("loss", loss, prog_bar=True, batch_size=BATCH_SIZE)
        return loss

    def validation_step(self, batch, number):
        loss = loss_of(self.network, batch)
        self.log("val_loss", loss, prog_bar=True, batch_size=BATCH_SIZE, sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=LEARNING_RATE)


def main():
    """Train until this many epochs are done in all; continue from a checkpoint."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    lightning.seed_everything(SEED % 2**32, workers=True)
    folder, name = os.path.split(CHECKPOINT)
    keep = ModelCheckpoint(
        folder or ".", os.path.splitext(name)[0], enable_version_counter=False
    )
    trainer = lightning.Trainer(
        max_epochs=options.epochs,
        precision=PRECISION,
        callbacks=[keep],
        logger=False,
        limit_val_batches=0,  # 1.0: with Data(validation)
        enable_model_summary=False,
        use_distributed_sampler=False,
    )
    last = CHECKPOINT if os.path.exists(CHECKPOINT) else None
    trainer.fit(Model(), datamodule=Data(), ckpt_path=last, weights_only=True)


if __name__ == "__main__":
    main()

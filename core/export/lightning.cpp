// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A LightningDataModule over the loader of PyTorch's target; with training also
// a LightningModule.
#include "core/export/pytorch_file.h"

namespace millrace {

namespace {

Status addModules(PythonFile& file, const ExportSubject& subject, bool /*isShort*/) {
  file.defineSnippet("lightning_data");
  if (!subject.withTraining) return {};
  MILLRACE_TRY(addPyTorchModel(file, subject));
  file.option({"PRECISION", "\"bf16-mixed\"", "16-mixed: for GPUs older than Ampere"});
  file.option({"CHECKPOINT", "\"checkpoint.ckpt\"", "training continues from it if it is there"});
  file.defineSnippet("lightning_fit");
  return {};
}

constexpr CodeEnding kLightning = {"Lightning",
                                   "Tested with lightning 2.6, torch 2.15, "
                                   "torchvision 0.29 and torchcodec 0.17.",
                                   addModules};

}  // namespace

namespace targets {

Exporter lightning() {
  Exporter exporter;
  exporter.name = "lightning";
  exporter.label = kLightning.label;
  exporter.about = "LightningDataModule over PyTorch's DataLoader";
  exporter.extension = ".py";
  exporter.builtOn = kPyTorchTarget;
  exporter.trains = true;
  exporter.write = [](const ExportSubject& subject) { return writePyTorch(subject, kLightning); };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

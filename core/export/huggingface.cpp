// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A data set of Hugging Face's `datasets` in the loader of PyTorch's target; with training also a
// Trainer of `transformers` over it.
#include "core/export/pytorch_file.h"

namespace millrace {

namespace {

Status addTrainer(PythonFile& file, const ExportSubject& subject, bool isShort) {
  if (!subject.withTraining) {
    file.defineSnippet(isShort ? shortMain(subject, "plain_main") : "main");
    return {};
  }
  MILLRACE_TRY(addPyTorchModel(file, subject));
  file.option(
      {"CHECKPOINTS", "\"checkpoints\"", "folder; training continues from its last checkpoint"});
  file.defineSnippet("hf_fit");
  return {};
}

constexpr CodeEnding kHuggingFace = {"Hugging Face",
                                     "Tested with datasets 5.2, transformers 5.24 and torch 2.15.",
                                     addTrainer, "huggingface"};

}  // namespace

namespace targets {

Exporter huggingface() {
  Exporter exporter;
  exporter.name = kHuggingFace.own;
  exporter.label = kHuggingFace.label;
  exporter.about = "datasets with torchvision transforms, and Trainer";
  exporter.extension = ".py";
  exporter.builtOn = kPyTorchTarget;
  exporter.trains = true;
  exporter.write = [](const ExportSubject& subject) { return writePyTorch(subject, kHuggingFace); };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

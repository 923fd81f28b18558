// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The training that follows the loader of a PyTorch file: a model for the fields of the batches,
// and its loss. The loop, train.py, is the same for all.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/array_steps.h"
#include "core/export/pytorch_file.h"
#include "core/export/training_text.h"

namespace millrace {

namespace {

using Kind = TrainingTask::Kind;
using Lines = std::vector<std::string>;

std::string realText(const FieldSpec& field) {
  return batchField(field) + (field.dtype == DType::F32 ? "" : ".float()");
}

/// A picture as planes from about 0 to 1, or as normalised.
std::string planesText(const FieldSpec& field) {
  std::string text = realText(field);
  if (field.dtype == DType::U8) text += " / 255";
  if (field.layout != Layout::Hwc) return text;
  return field.dtype == DType::U8 ? fmt::format("({}).permute(0, 3, 1, 2)", text)
                                  : text + ".permute(0, 3, 1, 2)";
}

/// The value that goes into the model.
std::string inputText(const TrainingTask& task) {
  if (task.readsPictures()) return planesText(task.inputs.front());
  Lines parts;
  for (const FieldSpec& field : task.inputs)
    parts.push_back(realText(field) + (field.shape.rank() == 0 ? "[:, None]" : ".flatten(1)"));
  if (parts.size() == 1) return parts.front();
  return fmt::format("torch.cat([{}], 1)", join(parts, ", "));
}

std::string maskText(const FieldSpec& field) {
  if (field.oneHot)
    return realText(field) + (field.layout == Layout::Hwc ? ".permute(0, 3, 1, 2)" : "");
  if (field.layout == Layout::Plain) return batchField(field) + ".long()";
  return batchField(field) + (field.layout == Layout::Hwc ? "[..., 0].long()" : "[:, 0].long()");
}

std::string targetText(const TrainingTask& task) {
  const FieldSpec& target = task.target;
  switch (task.kind) {
    case Kind::Pictures: return planesText(target);
    case Kind::Masks: return maskText(target);
    case Kind::Numbers:
      return realText(target) + (target.shape.rank() == 0   ? "[:, None]"
                                 : target.shape.rank() == 1 ? ""
                                                            : ".flatten(1)");
    case Kind::Classes: break;
  }
  if (isFloat(target.dtype)) return realText(target);
  return batchField(target) + (target.shape.rank() == 0 ? "" : ".flatten()") +
         (target.dtype == DType::I64 ? "" : ".long()");
}

std::string lossText(const TrainingTask& task) {
  constexpr const char* kUnlabelled = ", ignore_index=255";
  switch (task.kind) {
    case Kind::Pictures: return "functional.l1_loss(model(inputs), targets)";
    case Kind::Numbers: return "functional.mse_loss(model(inputs), targets)";
    case Kind::Classes:
    case Kind::Masks: break;
  }
  if (task.isMultiLabel())
    return "functional.binary_cross_entropy_with_logits(model(inputs), targets)";
  const bool numbers = task.kind == Kind::Masks && !task.target.oneHot;
  return fmt::format("functional.cross_entropy(model(inputs), targets{})",
                     numbers ? kUnlabelled : "");
}

/// Two hidden layers of a width for small records.
Lines denseLayers(const TrainingTask& task) {
  return {fmt::format("nn.Linear({}, 256),", task.inputSize()), "nn.ReLU(),",
          "nn.Linear(256, 256),", "nn.ReLU(),",
          fmt::format("nn.Linear(256, {}),", outputsText(task))};
}

/// Convolutions that keep the picture's size, then its change of size.
Lines convolutions(const TrainingTask& task) {
  Lines layers{fmt::format("nn.Conv2d({}, 64, 3, padding=1),", task.inputs.front().channels()),
               "nn.ReLU(),", "nn.Conv2d(64, 64, 3, padding=1),", "nn.ReLU(),"};
  const std::int64_t pixels = task.enlarges * task.enlarges;
  layers.push_back(fmt::format("nn.Conv2d(64, {}{}, 3, padding=1),", outputsText(task),
                               pixels > 1 ? fmt::format(" * {}", pixels) : ""));
  if (task.enlarges > 1) layers.push_back(fmt::format("nn.PixelShuffle({}),", task.enlarges));
  if (task.shrinks > 1) layers.push_back(fmt::format("nn.AvgPool2d({}),", task.shrinks));
  return layers;
}

/// For a picture: a network that gives one row of numbers.
Lines residualNetwork(PythonFile& file, const TrainingTask& task) {
  file.import("from torchvision.models import resnet18");
  const std::int64_t channels = task.inputs.front().channels();
  const std::string model = fmt::format("resnet18(num_classes={})", outputsText(task));
  if (channels == 3) return {"return " + model};
  file.import("from torch import nn");
  return {"model = " + model,
          fmt::format("model.conv1 = nn.Conv2d({}, 64, 7, 2, 3, bias=False)", channels),
          "return model"};
}

Lines modelLines(PythonFile& file, const TrainingTask& task) {
  if (givesRow(task) && task.readsPictures()) return residualNetwork(file, task);
  file.import("from torch import nn");
  Lines lines{"return nn.Sequential("};
  for (const std::string& layer : givesRow(task) ? denseLayers(task) : convolutions(task))
    lines.push_back("    " + layer);
  lines.emplace_back(")");
  return lines;
}

/// Ranks with different numbers of batches would wait for each other forever.
Status checkShares(const CheckedPipeline& pipeline) {
  for (const CheckedNode& node : pipeline.nodes) {
    const auto uneven = node.values.find("uneven");
    if (uneven == node.values.end() || textOf(uneven->second) != "allow") continue;
    return Error{fmt::format(
        "{}: ranks with different numbers of batches cannot train together: set {}.uneven=pad",
        node.id, node.id)};
  }
  return {};
}

}  // namespace

Status addPyTorchModel(PythonFile& file, const ExportSubject& subject) {
  MILLRACE_TRY(checkShares(*subject.pipeline));
  MILLRACE_ASSIGN_OR_RETURN(const TrainingTask task, trainingTaskOf(subject));
  addTrainingOptions(file, task);
  file.import("from torch.nn import functional");
  file.define(
      pythonFunction("make_model()", "Return the network to train.", modelLines(file, task)));
  file.define(pythonFunction("loss_of(model, batch)", "Return the mean loss of a batch.",
                             {"inputs = " + inputText(task), "targets = " + targetText(task),
                              "return " + lossText(task)}));
  return {};
}

Status addPyTorchTraining(PythonFile& file, const ExportSubject& subject) {
  MILLRACE_TRY(addPyTorchModel(file, subject));
  file.option({"PRECISION", "torch.bfloat16", "float16: for GPUs older than Ampere; or float32"});
  file.option({"CHECKPOINT", "\"checkpoint.pt\"", "training continues from it if it is there"});
  for (const char* name : {"torch_epoch", "train", "torch_main"}) file.defineSnippet(name);
  return {};
}

}  // namespace millrace

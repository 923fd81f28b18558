// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// PyTorch's DataLoader with torchvision.transforms.v2. The steps of a node, by role:
//   source    an expression: a Dataset of dicts, with `names`, and `labels` if there are any;
//             further steps belong to the samples
//   order     an expression that makes a list of indices from `order`; `source`, `generator`,
//             `rank` and `world_size` are available
//   cache     an expression that makes a Dataset from `dataset`
//   image and sample   a transform of a dict, or if confined to fields, of the dict of these
//             fields only; pictures are tv_tensors in CHW layout; `source` is available. A step
//             that starts with `lambda sample: ` becomes a function, because worker processes may
//             have to pickle transforms
//   batch op  a transform of a dict of stacked fields
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/pytorch_file.h"
#include "core/export/pytorch_short.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

std::string functionText(const std::string& signature, const std::string& docstring,
                         const Lines& body) {
  std::string text = wrappedPython("def " + signature + ":", 0, kPythonWidth) + "\n    \"\"\"" +
                     docstring + "\"\"\"";
  for (const std::string& line : body) text += "\n    " + wrappedPython(line, 4, kPythonWidth);
  return text;
}

std::string composed(const Lines& transforms) {
  if (transforms.empty()) return "v2.Identity()";
  return "v2.Compose([" + join(transforms, ", ") + "])";
}

/// Sorts the steps of the chain's nodes into the functions of the file.
class PyTorchWriter {
 public:
  PyTorchWriter(const ExportSubject& subject, const std::string& longBecause)
      : m_subject(subject), m_pipeline(*subject.pipeline), m_file(kPyTorchTarget) {
    m_file.longBecause(longBecause);
  }

  Result<Exported> write(const CodeEnding& ending);

 private:
  void add(const NodeText& node);
  void addRows(const NodeText& node);
  void addMissing(const NodeText& node);
  std::string transformOf(const ExportStep& step);
  void addCache(const std::string& code);
  void addOptions();
  void addLimits();
  void defineSource();
  void defineDataset();
  void defineOrder();
  void defineCollate();

  const ExportSubject& m_subject;
  const CheckedPipeline& m_pipeline;
  PythonFile m_file;
  std::string m_source;
  Lines m_order;
  bool m_sharded = false;
  Lines m_caches;      ///< statements for the data set, before the transform
  Lines m_transforms;  ///< transforms after the last cache
  Lines m_batchOps;
  RuntimeNodes m_runtime;
  int m_functions = 0;  ///< number of functions for single steps
};

/// A transform that is confined to fields receives only the dict of these fields.
std::string PyTorchWriter::transformOf(const ExportStep& step) {
  if (step.each) {
    m_file.snippet("on_each_view");
    return fmt::format("OnEachView({}, {})", pythonTexts(step.fields),
                       transformOf({step.code, {}}));
  }
  constexpr std::string_view kLambda = "lambda sample: ";
  if (step.code.starts_with(kLambda)) {
    std::string name = fmt::format("change_{}", ++m_functions);
    m_file.define(functionText(name + "(sample: dict) -> dict",
                               "Return the sample after this step.",
                               {"return " + step.code.substr(kLambda.size())}));
    return name;
  }
  if (step.fields.empty()) return step.code;
  m_file.snippet("on_fields");
  return fmt::format("OnFields({}, {})", pythonTexts(step.fields), step.code);
}

/// The transforms collected so far run once per sample, and their results are cached.
void PyTorchWriter::addCache(const std::string& code) {
  m_caches.push_back("transform = " + composed(m_transforms));
  m_caches.push_back("dataset = " + code);
  m_transforms.clear();
}

/// After a batch operation, operations on samples are applied to the whole batch, which is
/// equivalent; before, to single samples.
void PyTorchWriter::addRows(const NodeText& node) {
  const bool onBatch = !m_batchOps.empty();
  if (onBatch && node.node->out.randomFrom == node.node->id)
    m_file.limit(
        fmt::format("{} draws once per batch instead of once per sample, because it comes after "
                    "a node that mixes the samples of a batch.",
                    node.node->id));
  for (const ExportStep& step : node.text.steps)
    (onBatch ? m_batchOps : m_transforms).push_back(transformOf(step));
}

void PyTorchWriter::addMissing(const NodeText& node) {
  const std::string& why = node.text.missing;
  m_file.missing(node.node->id, why);
  m_file.option({"ACCEPT_MISSING", "False", "True: run without the nodes that are not translated"});
  m_file.snippet("missing");
  const std::string call =
      fmt::format("missing({}, {})", pythonText(node.node->id), pythonText(why));
  switch (node.node->spec->role) {
    case NodeRole::Source: m_source = call; break;
    case NodeRole::Order: m_order.push_back("order = " + call + "(order)"); break;
    case NodeRole::Cache: addCache(call + "(Transformed(dataset, transform))"); break;
    case NodeRole::BatchOp: m_batchOps.push_back(call); break;
    default: (m_batchOps.empty() ? m_transforms : m_batchOps).push_back(call);
  }
}

void PyTorchWriter::add(const NodeText& node) {
  m_file.add(node.text);
  if (!node.text.missing.empty()) return addMissing(node);
  switch (node.node->spec->role) {
    case NodeRole::Source:
      m_source = node.text.steps.front().code;
      for (std::size_t i = 1; i < node.text.steps.size(); ++i)
        m_transforms.push_back(transformOf(node.text.steps[i]));
      break;
    case NodeRole::Order:
      for (const ExportStep& step : node.text.steps) {
        m_order.push_back("order = " + step.code);
        m_sharded = m_sharded || step.code.find("world_size") != std::string::npos;
      }
      break;
    case NodeRole::Cache:
      for (const ExportStep& step : node.text.steps) addCache(step.code);
      break;
    case NodeRole::Image:
    case NodeRole::Sample: addRows(node); break;
    case NodeRole::BatchOp:
      for (const ExportStep& step : node.text.steps) m_batchOps.push_back(transformOf(step));
      break;
    case NodeRole::Workers:
    case NodeRole::Batch:
    case NodeRole::Prefetch:
    case NodeRole::Transfer:
    case NodeRole::Consumer:
    case NodeRole::Choice: break;
  }
}

void PyTorchWriter::addOptions() {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const std::int64_t each = std::max<std::int64_t>(
      2, m_runtime.workers.count > 0
             ? (m_runtime.prefetch + m_runtime.workers.count - 1) / m_runtime.workers.count
             : 0);
  m_file.option({"SEED", std::to_string(m_pipeline.seed), ""});
  m_file.option({"BATCH_SIZE", number(m_runtime.batch.size), ""});
  m_file.option({"DROP_LAST", pythonBool(m_runtime.batch.dropLast), ""});
  m_file.option({"WORKERS", number(m_runtime.workers.count), "processes; 0: the main thread"});
  m_file.option({"PREFETCH_PER_WORKER", number(each), "batches"});
  m_file.option({"MAX_FAILURES", "0.01", "share of samples that may fail"});
  addRankOptions(m_file);
}

void PyTorchWriter::addLimits() {
  if (dependsOnSeed(m_subject, !m_order.empty()))
    m_file.limit(
        "Order and random values come from PyTorch: they depend on SEED, random values also on the "
        "number of workers. Millrace's differ, and do not depend on the number of workers.");
  if (m_runtime.workers.count > 0)
    m_file.limit(
        "Each worker is a process that makes whole batches and sends them through shared memory; "
        "Millrace's workers are threads that share the work on a batch.");
  if (m_runtime.workers.order == DeliveryOrder::Ready)
    m_file.limit("Batches wait for slow samples: the order is always strict.");
}

void PyTorchWriter::defineSource() {
  m_file.define(functionText("make_source() -> Dataset", "Return the data on disk, not decoded.",
                             {"return " + m_source}));
}

void PyTorchWriter::defineDataset() {
  if (m_runtime.batch.padTo.width > 0) {
    m_file.snippet("pad_to");
    m_transforms.push_back(
        fmt::format("PadTo(({}, {}))", m_runtime.batch.padTo.height, m_runtime.batch.padTo.width));
  }
  Lines body;
  if (!m_caches.empty()) body.emplace_back("dataset = source");
  body.insert(body.end(), m_caches.begin(), m_caches.end());
  body.push_back("transform = " + composed(m_transforms));
  body.push_back(
      fmt::format("return Samples({}, transform)", m_caches.empty() ? "source" : "dataset"));
  m_file.define(functionText("make_dataset(source: Dataset) -> Samples",
                             "Return the samples, ready to be batched.", body));
}

void PyTorchWriter::defineOrder() {
  Lines body{"order = list(range(len(source)))"};
  body.insert(body.end(), m_order.begin(), m_order.end());
  if (!m_sharded) {
    m_file.snippet("shard");
    body.emplace_back("order = shard(order, rank, world_size)");
  }
  body.emplace_back("return order");
  m_file.define(functionText(
      "epoch_order(source: Dataset, generator: torch.Generator, rank: int, world_size: int) -> "
      "list[int]",
      "Return this rank's samples in the order of an epoch.", body));
}

/// Pictures are CHW throughout; fields that the pipeline delivers as HWC are permuted here.
void PyTorchWriter::defineCollate() {
  m_file.import("from torch.utils.data import default_collate");
  const bool fills = m_runtime.batch.onFailure == OnFailure::Fill;
  m_file.snippet(fills ? "filled" : "good");
  Lines body{fmt::format("batch = default_collate({}(samples))", fills ? "filled" : "good")};
  for (const std::string& op : m_batchOps) body.push_back("batch = " + op + "(batch)");
  for (const FieldSpec& field : m_pipeline.nodes.back().in.fields) {
    if (field.layout != Layout::Hwc) continue;
    const std::string name = pythonText(field.name);
    body.push_back(fmt::format("batch[{0}] = batch[{0}].permute(0, 2, 3, 1).contiguous()", name));
  }
  if (body.size() == 1)
    body.front().replace(0, std::string_view("batch =").size(), "return");
  else
    body.emplace_back("return batch");
  m_file.define(functionText("collate(samples: list[dict | None]) -> dict",
                             "Join samples into a batch.", body));
}

Result<Exported> PyTorchWriter::write(const CodeEnding& ending) {
  const std::vector<NodeText> nodes = nodeTexts(m_subject, kPyTorchTarget);
  m_runtime = runtimeOf(nodes);
  for (const NodeText& node : nodes) add(node);
  addOptions();
  addLimits();
  for (const char* line :
       {"import torch", "from torch.utils.data import DataLoader, Dataset",
        "from torchvision.transforms import v2", "from __future__ import annotations"})
    m_file.import(line);
  m_file.snippet("samples");
  m_file.snippet("epoch_sampler");
  defineSource();
  defineDataset();
  defineOrder();
  defineCollate();
  m_file.defineSnippet("make_loader");
  MILLRACE_TRY(ending.add(m_file, m_subject, false));
  return m_file.finish(m_subject, ending.label, ending.needs);
}

Status addPyTorchMain(PythonFile& file, const ExportSubject& subject, bool isShort) {
  if (subject.withTraining) return addPyTorchTraining(file, subject);
  file.defineSnippet(isShort ? shortMain(subject, "short_main") : "main");
  return {};
}

constexpr CodeEnding kPyTorch = {
    "PyTorch", "Tested with torch 2.15, torchvision 0.29 and torchcodec 0.17.", addPyTorchMain};

}  // namespace

void addRankOptions(PythonFile& file) {
  file.import("import os");
  file.option({"RANK", "int(os.environ.get(\"RANK\", 0))", "torchrun sets both"});
  file.option({"WORLD_SIZE", "int(os.environ.get(\"WORLD_SIZE\", 1))", ""});
}

Result<Exported> writePyTorch(const ExportSubject& subject, const CodeEnding& ending) {
  const ShortForm form = shortForm(subject, kPyTorchTarget, ending.own);
  const std::string why = whyNotShort(form);
  if (why.empty()) return shortPyTorch(subject, form, ending);
  return PyTorchWriter(subject, why).write(ending);
}

Result<Exported> writePyTorch(const ExportSubject& subject, const CodeEnding& ending,
                              MakeLoader loader) {
  const ShortForm form = shortForm(subject, kPyTorchTarget, ending.own);
  const std::string why = whyNotShort(form);
  if (why.empty()) return shortPyTorch(subject, form, ending, loader);
  return Error{fmt::format("{} {} cannot express it: export to {}, or change the node", why,
                           ending.label, kPyTorchTarget)};
}

namespace targets {

Exporter pytorch() {
  Exporter exporter;
  exporter.name = kPyTorchTarget;
  exporter.label = kPyTorch.label;
  exporter.about = "DataLoader, torchvision transforms v2";
  exporter.extension = ".py";
  exporter.trains = true;
  exporter.write = [](const ExportSubject& subject) { return writePyTorch(subject, kPyTorch); };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

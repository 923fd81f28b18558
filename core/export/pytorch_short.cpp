// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/pytorch_short.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/object_fields.h"
#include "core/node_parts/short_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kTorchRecords = "Records()";
constexpr const char* kToFloat = "v2.ToDtype(torch.float32, scale=True)";

/// The fields that are lists in a batch: pictures have different numbers of objects.
Lines listsOf(const ExportSubject& subject) {
  Lines names;
  const StreamType& last = subject.pipeline->nodes.back().in;
  for (const std::size_t i : perObjectFields(last.fields))
    if (isRagged(last.fields[i])) names.push_back(last.fields[i].name);
  return names;
}

/// The options of every loader, and what differs from Millrace with any of them.
void addCommon(PythonFile& file, const ShortLoader& parts) {
  const std::int64_t workers = parts.runtime.workers.count;
  file.option({"SEED", std::to_string(parts.subject.pipeline->seed), ""});
  file.option({"BATCH_SIZE", std::to_string(parts.runtime.batch.size), ""});
  file.option({"WORKERS", std::to_string(std::max<std::int64_t>(1, workers)), "processes"});
  if (parts.prefetch > 0)
    file.option({"PREFETCH_PER_WORKER", std::to_string(parts.prefetch), "batches"});
  file.limit(seedLimit(parts.subject, !parts.order.empty(), "PyTorch"));
  if (dependsOnSeed(parts.subject, false))
    file.limit("Random values depend on the number of workers.");
  file.limit("The first sample that fails ends the epoch. Millrace leaves it out.");
  if (parts.runtime.workers.order == DeliveryOrder::Ready)
    file.limit("Batches wait for slow samples: the order is always strict.");
}

/// PyTorch's DataLoader.
std::string dataLoader(PythonFile& file, const ShortLoader& parts) {
  addRankOptions(file);
  file.import("from torch.utils.data import DataLoader, DistributedSampler");
  const bool dropLast = parts.runtime.batch.dropLast;
  Lines body{"dataset = " + parts.source, "return DataLoader(", "    dataset,", "    BATCH_SIZE,"};
  body.push_back(fmt::format("    sampler=DistributedSampler(dataset, world_size, rank, {}{}),",
                             parts.order.empty() ? "shuffle=False" : "seed=SEED",
                             dropLast ? ", drop_last=True" : ""));
  body.emplace_back("    num_workers=WORKERS,");
  if (!parts.collate.empty()) body.push_back(fmt::format("    collate_fn={},", parts.collate));
  if (parts.prefetch > 0) body.emplace_back("    prefetch_factor=PREFETCH_PER_WORKER,");
  for (const char* line : {"persistent_workers=True,", "pin_memory=torch.cuda.is_available(),",
                           "generator=torch.Generator().manual_seed(SEED + rank),"})
    body.push_back(std::string("    ") + line);
  if (dropLast) body.emplace_back("    drop_last=True,");
  body.emplace_back(")");
  return "def make_loader(rank=RANK, world_size=WORLD_SIZE):\n    \"\"\"Return the loader; call "
         "its "
         "sampler's set_epoch before each epoch.\"\"\"" +
         bodyText(body);
}

class ShortPyTorch {
 public:
  ShortPyTorch(const ExportSubject& subject, const ShortForm& form, MakeLoader loader)
      : m_subject(subject),
        m_form(form),
        m_runtime(runtimeOf(form.nodes)),
        m_makeLoader(loader != nullptr ? loader : dataLoader),
        m_file(kPyTorchTarget) {
    findOnlyPicture();
    for (const NodeText& node : m_form.nodes) add(node);
    closeTransforms();
  }

  Result<Exported> write(const CodeEnding& ending);

 private:
  void findOnlyPicture();
  void add(const NodeText& node);
  bool staysFloat();
  void addTransform(const ExportStep& step);
  void closeTransforms();
  void addStatement(std::string code);
  std::string collate();
  std::int64_t prefetch() const;
  void defineLoad();
  void defineLoadBatch();

  const ExportSubject& m_subject;
  const ShortForm& m_form;
  const RuntimeNodes m_runtime;
  const MakeLoader m_makeLoader;
  PythonFile m_file;
  std::string m_source;
  Lines m_stages;         ///< further steps of the source
  Lines m_order;          ///< steps of the order nodes
  std::string m_picture;  ///< the only one, which is then a plain tensor; may be empty
  Lines m_statements;     ///< of the function `load`
  Lines m_rows;           ///< of the function `load_batch`
  Lines m_transforms;     ///< of the Compose under construction
  int m_composed = 0;
  std::string m_constants;  ///< their definitions
};

/// Replaces each call of a function by its only argument, in which no text has parentheses.
void removeCalls(std::string& code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at)) {
    code.erase(at, name.size());
    int depth = 1;
    std::size_t end = at;
    for (; end < code.size() && depth > 0; ++end) {
      if (code[end] == '(') ++depth;
      if (code[end] == ')') --depth;
    }
    code.erase(end - 1, 1);
  }
}

/// torchvision's transforms of one picture need no types of tensors that tell pictures from masks.
void ShortPyTorch::findOnlyPicture() {
  Lines pictures;
  // Boxes move with their picture.
  if (boxesOf(m_subject.pipeline->nodes.front().out.fields) != nullptr) return;
  for (const FieldSpec& field : m_subject.pipeline->nodes.front().out.fields)
    if (isPicture(field.role)) pictures.push_back(field.name);
  if (pictures.size() != 1) return;
  for (const NodeText& node : m_form.nodes) {
    if (node.isShort) continue;
    for (const ExportStep& step : node.text.steps)
      if (!step.code.starts_with("v2.") || !(step.fields.empty() || step.fields == pictures))
        return;
  }
  m_picture = pictures.front();
}

void ShortPyTorch::addStatement(std::string code) {
  constexpr std::string_view kPicture = "tv_tensors.Image(";
  if (!m_picture.empty()) removeCalls(code, kPicture);
  if (code.find("tv_tensors.") != std::string::npos)
    m_file.import("from torchvision import tv_tensors");
  m_statements.push_back(std::move(code));
}

/// Whether the statement before made bytes of floats: then these are divided by 255 at once.
bool ShortPyTorch::staysFloat() {
  constexpr std::string_view kBytes = ".clamp(0, 255).to(torch.uint8)";
  const std::string field = fmt::format("sample[{}] = ", pythonText(m_picture));
  if (m_picture.empty() || m_statements.empty()) return false;
  std::string& last = m_statements.back();
  if (!last.starts_with(field) || !last.ends_with(kBytes)) return false;
  last.replace(last.size() - kBytes.size(), kBytes.size(), ".clamp_(0, 255).div_(255)");
  return true;
}

/// A transform that is confined to fields receives only the dict of these fields.
void ShortPyTorch::addTransform(const ExportStep& step) {
  constexpr std::string_view kLambda = "lambda sample: ";
  if (step.code.starts_with(kLambda)) {
    closeTransforms();
    m_statements.push_back("sample = " + step.code.substr(kLambda.size()));
    return;
  }
  if (step.code == kToFloat && m_transforms.empty() && staysFloat()) return;
  const bool all = step.fields.empty() || !m_picture.empty();
  if (!all) m_file.snippet("on_fields");
  m_transforms.push_back(
      all ? step.code : fmt::format("OnFields({}, {})", pythonTexts(step.fields), step.code));
}

/// Transforms in sequence become a constant, so that they are made once.
void ShortPyTorch::closeTransforms() {
  if (m_transforms.empty()) return;
  ++m_composed;
  const std::string name =
      m_composed == 1 ? std::string("TRANSFORM") : fmt::format("TRANSFORM_{}", m_composed);
  std::string list;
  for (const std::string& transform : m_transforms)
    list += "\n        " + wrappedPython(transform, 8, kPythonWidth) + ",";
  m_constants += m_constants.empty() ? "" : "\n";
  if (m_transforms.size() == 1)
    m_constants += wrappedPython(name + " = " + m_transforms.front(), 0, kPythonWidth);
  else
    m_constants += fmt::format("{} = v2.Compose(\n    [{}\n    ]\n)", name, list);
  const std::string changed =
      m_picture.empty() ? std::string("sample") : fmt::format("sample[{}]", pythonText(m_picture));
  m_statements.push_back(fmt::format("{0} = {1}({0})", changed, name));
  m_transforms.clear();
}

void ShortPyTorch::add(const NodeText& node) {
  if (node.node->spec->role == NodeRole::Source) {
    m_source = node.text.steps.front().code;
    for (std::size_t i = 1; i < node.text.steps.size(); ++i)
      m_stages.push_back(node.text.steps[i].code);
    return;
  }
  for (const ExportStep& step : node.text.steps) {
    if (node.node->spec->role == NodeRole::Order) {
      m_order.push_back(step.code);
    } else if (node.onRows) {
      m_rows.push_back(step.code);
    } else if (node.isShort) {
      closeTransforms();
      addStatement(step.code);
    } else {
      addTransform(step);
    }
  }
}

/// The function that makes a batch; empty: PyTorch's own.
std::string ShortPyTorch::collate() {
  if (!m_rows.empty()) return "load_batch";
  const Lines lists = listsOf(m_subject);
  if (lists.empty()) return {};
  m_file.snippet("ragged");
  m_file.option({"RAGGED", pythonTexts(lists), "with a row for each object"});
  return "collate";
}

std::int64_t ShortPyTorch::prefetch() const {
  constexpr std::int64_t kDefault = 2;  // of PyTorch
  const std::int64_t workers = std::max<std::int64_t>(1, m_runtime.workers.count);
  const std::int64_t each = (m_runtime.prefetch + workers - 1) / workers;
  return each > kDefault ? each : 0;
}

void ShortPyTorch::defineLoad() {
  const StreamType& last = m_subject.pipeline->nodes.back().in;
  if (const Lines names = pictureFields(last, Layout::Hwc); !names.empty())
    m_statements.push_back(replaceFields(names, "{}.permute(1, 2, 0)"));
  std::string& end = m_statements.emplace_back("return sample");
  constexpr std::string_view kLast = "sample = TRANSFORM";
  if (m_statements.size() > 1 && m_statements[m_statements.size() - 2].starts_with(kLast)) {
    end = "return " + m_statements[m_statements.size() - 2].substr(kLast.find('T'));
    m_statements.erase(m_statements.end() - 2);
  }
  if (!m_constants.empty()) m_file.define(m_constants);
  m_file.define("def load(sample):\n    \"\"\"Return a sample, ready to be batched.\"\"\"" +
                bodyText(m_statements));
}

/// The records of a batch are parsed together.
void ShortPyTorch::defineLoadBatch() {
  constexpr std::string_view kTaken = "sample.pop(\"record\")";
  Lines body = m_rows;
  selectBeforeCasts(body);
  if (const std::size_t at = body.front().find(kTaken); at != std::string::npos) {
    body.front().replace(at, kTaken.size(), "records");
    body.insert(body.begin() + 1, "sample = {}");
  } else {
    body.insert(body.begin(), "sample = {\"record\": records}");
  }
  body.emplace_back("return sample");
  m_file.define("def load_batch(records):\n    \"\"\"Return a batch, ready for training.\"\"\"" +
                bodyText(body));
}

Result<Exported> ShortPyTorch::write(const CodeEnding& ending) {
  addTexts(m_form.nodes, m_file);
  const ShortLoader parts{m_subject, m_runtime, m_source, m_stages, m_order, prefetch(), collate()};
  addCommon(m_file, parts);
  m_file.import("import torch");
  std::string loader = m_makeLoader(m_file, parts);
  if (m_composed > 0) m_file.import("from torchvision.transforms import v2");
  if (m_rows.empty())
    defineLoad();
  else
    defineLoadBatch();
  m_file.define(std::move(loader));
  MILLRACE_TRY(ending.add(m_file, m_subject, true));
  return m_file.finish(m_subject, ending.label,
                       m_rows.empty() ? ending.needs : "Tested with torch 2.15 and tfrecord 1.14.");
}

}  // namespace

/// Whether boxes would stay where they are while their picture is moved.
bool leavesBoxes(const NodeText& node) {
  if (node.node->spec->category != Category::Geometry || boxesOf(node.node->in.fields) == nullptr)
    return false;
  return std::any_of(node.text.steps.begin(), node.text.steps.end(), [](const ExportStep& step) {
    return !step.code.starts_with("v2.") || !step.fields.empty();
  });
}

const char* shortMain(const ExportSubject& subject, const char* usual) {
  return listsOf(subject).empty() ? usual : "ragged_main";
}

std::string whyNotShort(const ShortForm& form) {
  if (!form.why.empty()) return form.why;
  for (const NodeText& node : form.nodes)
    if (leavesBoxes(node)) return node.node->id + ": its code for PyTorch does not move boxes.";
  bool records = false;
  for (const NodeText& node : form.nodes) {
    if (node.text.steps.empty() || node.node->spec->role == NodeRole::Order) continue;
    const bool source = node.node->spec->role == NodeRole::Source;
    if (source) records = node.text.steps.front().code == kTorchRecords;
    if (!source && node.onRows != records)
      return node.node->id + (records ? ": it changes single records." : ": it changes batches.");
  }
  return {};
}

Result<Exported> shortPyTorch(const ExportSubject& subject, const ShortForm& form,
                              const CodeEnding& ending, MakeLoader loader) {
  return ShortPyTorch(subject, form, loader).write(ending);
}

}  // namespace millrace

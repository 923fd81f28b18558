// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/pytorch_short.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/object_fields.h"
#include "core/export/typed_steps.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kTorchRecords = "Records()";

std::string castInTorch(const std::string& value, const StepTraits& traits) {
  const bool clips = traits.stored == DType::U8 && !traits.inRange;
  return fmt::format("{}{}.to(torch.{})", value, clips ? ".clamp(0, 255)" : "",
                     nodes::arrayTypeName(*traits.stored));
}

/// Of whole batches, which are NumPy's arrays until the end.
std::string castInNumPy(const std::string& value, const StepTraits& traits) {
  return fmt::format("{}.astype(np.{})", value, nodes::arrayTypeName(*traits.stored));
}

std::string clipInTorch(const std::string& value) { return value + ".clamp_(0, 255)"; }

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
    decodeStills();
    placeBoxes();
    for (const NodeText& node : m_form.nodes) add(node);
    placeCasts(m_steps, {castInTorch, clipInTorch});
    placeCasts(m_rows, {castInNumPy, clipInTorch});
    for (const ExportStep& step : m_steps) write(step);
    closeTransforms();
  }

  Result<Exported> write(const CodeEnding& ending);

 private:
  void findOnlyPicture();
  void decodeStills();
  void placeBoxes();
  void add(const NodeText& node);
  void write(const ExportStep& step);
  void writeValue(ExportStep step);
  void addTransform(ExportStep step);
  bool closeLoneTransform();
  void closeTransforms();
  std::string collate();
  std::int64_t prefetch() const;
  void defineLoad();
  void defineLoadBatch();

  const ExportSubject& m_subject;
  ShortForm m_form;
  const RuntimeNodes m_runtime;
  const MakeLoader m_makeLoader;
  PythonFile m_file;
  std::string m_source;
  Lines m_stages;                   ///< further steps of the source
  Lines m_order;                    ///< steps of the order nodes
  std::string m_picture;            ///< the only one, which is then a plain tensor; may be empty
  std::vector<ExportStep> m_steps;  ///< of the function `load`
  std::vector<ExportStep> m_rows;   ///< of the function `load_batch`
  Lines m_statements;               ///< of the function `load`
  Lines m_valued;                   ///< the one field whose new value is the last statement
  std::vector<ExportStep> m_transforms;  ///< of the Compose under construction
  int m_composed = 0;
  std::string m_constants;  ///< their definitions
};

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

/// A picture among several is a tensor of torchvision's type.
void ShortPyTorch::writeValue(ExportStep step) {
  constexpr std::string_view kMethod = "{}.";
  const FieldSpec* field = m_subject.pipeline->nodes.front().out.field(step.fields.front());
  if (m_picture.empty() && step.traits && step.traits->typed && field != nullptr) {
    m_file.import("from torchvision import tv_tensors");
    step.code =
        fmt::format("tv_tensors.{}({})", field->role == Role::Mask ? "Mask" : "Image", step.code);
  }
  if (step.fields == m_valued && step.code.starts_with(kMethod))
    m_statements.back() += step.code.substr(kMethod.size() - 1);
  else
    m_statements.push_back(statementOf(step));
  m_valued = step.fields.size() == 1 ? step.fields : Lines{};
}

void ShortPyTorch::write(const ExportStep& step) {
  constexpr std::string_view kLambda = "lambda sample: ";
  const bool isCall = step.form == ExportStep::Form::SampleCall;
  if (isCall && !step.code.starts_with(kLambda)) return addTransform(step);
  closeTransforms();
  if (step.form == ExportStep::Form::NewValue) return writeValue(step);
  m_statements.push_back(isCall ? "sample = " + step.code.substr(kLambda.size()) : step.code);
  m_valued.clear();
}

/// A transform that is confined to fields receives only the dict of these fields.
void ShortPyTorch::addTransform(ExportStep step) {
  if (!step.fields.empty() && m_picture.empty()) {
    m_file.snippet("on_fields");
    step.code = fmt::format("OnFields({}, {})", pythonTexts(step.fields), step.code);
  }
  m_transforms.push_back(std::move(step));
}

/// A call of a transform takes longer than a simple statement that does the same.
bool ShortPyTorch::closeLoneTransform() {
  const ExportStep& step = m_transforms.front();
  if (m_picture.empty() || m_transforms.size() > 1 || !step.traits || step.traits->alone.empty())
    return false;
  m_statements.push_back(
      filledIn(step.traits->alone, "{}", fmt::format("sample[{}]", pythonText(m_picture))));
  return true;
}

/// Transforms in sequence become a constant, so that they are made once.
void ShortPyTorch::closeTransforms() {
  if (m_transforms.empty()) return;
  m_valued.clear();
  if (closeLoneTransform()) return m_transforms.clear();
  ++m_composed;
  const std::string name =
      m_composed == 1 ? std::string("TRANSFORM") : fmt::format("TRANSFORM_{}", m_composed);
  std::string list;
  for (const ExportStep& transform : m_transforms)
    list += "\n        " + wrappedPython(transform.code, 8, kPythonWidth) + ",";
  m_constants += m_constants.empty() ? "" : "\n";
  if (m_transforms.size() == 1)
    m_constants += wrappedPython(name + " = " + m_transforms.front().code, 0, kPythonWidth);
  else
    m_constants += fmt::format("{} = v2.Compose(\n    [{}\n    ]\n)", name, list);
  const std::string changed =
      m_picture.empty() ? std::string("sample") : fmt::format("sample[{}]", pythonText(m_picture));
  m_statements.push_back(fmt::format("{0} = {1}({0})", changed, name));
  m_transforms.clear();
}

/// Code that takes the first frame is only for files that can hold animations.
void ShortPyTorch::decodeStills() {
  const std::vector<FieldSpec>& read = m_subject.pipeline->nodes.front().out.fields;
  const auto files = std::ranges::count(read, DType::Encoded, &FieldSpec::dtype);
  const bool stills = files == 1 && allFilesEnd(m_subject, {".jpg", ".jpeg", ".png"});
  if (m_subject.dataKnown && !stills) return;
  for (NodeText& node : m_form.nodes) {
    if (std::erase(node.text.snippets, "first_picture") == 0) continue;
    if (!stills) node.text.limit("Animated pictures fail. Millrace takes their first frame.");
    node.text.import("from torchcodec.decoders import decode_image");
    for (ExportStep& step : node.text.steps)
      step.code = filledIn(step.code, "first_picture(", "decode_image(");
  }
}

/// Boxes that the source gives in pixels need no step after the decode.
void ShortPyTorch::placeBoxes() {
  const auto& snippets = m_form.nodes.front().text.snippets;
  if (std::ranges::find(snippets, "place_boxes") != snippets.end()) return;
  for (NodeText& node : m_form.nodes)
    std::erase_if(node.text.steps,
                  [](const ExportStep& step) { return step.code == "place_boxes(sample)"; });
}

void ShortPyTorch::add(const NodeText& node) {
  if (node.node->spec->role == NodeRole::Source) {
    m_source = node.text.steps.front().code;
    for (std::size_t i = 1; i < node.text.steps.size(); ++i)
      m_stages.push_back(node.text.steps[i].code);
    return;
  }
  for (ExportStep step : node.text.steps) {
    if (node.node->spec->role == NodeRole::Order) {
      m_order.push_back(step.code);
      continue;
    }
    if (!node.isShort) step.form = ExportStep::Form::SampleCall;
    if (!node.isShort && !m_picture.empty()) step.fields = {m_picture};
    (node.onRows ? m_rows : m_steps).push_back(std::move(step));
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
  Lines pixels;  // Until here all are planes, one-hot masks too.
  for (const FieldSpec& field : m_subject.pipeline->nodes.back().in.fields)
    if (field.layout == Layout::Hwc) pixels.push_back(field.name);
  if (!pixels.empty()) m_statements.push_back(replaceFields(pixels, "{}.permute(1, 2, 0)"));
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
  Lines body;
  for (const ExportStep& step : m_rows) body.push_back(statementOf(step));
  if (const std::size_t at = body.front().find(kTaken); at != std::string::npos) {
    body.front().replace(at, kTaken.size(), "records");
    body.insert(body.begin() + 1, "sample = {}");
  } else {
    body.insert(body.begin(), "sample = {\"record\": records}");
  }
  body.emplace_back("return {name: torch.from_numpy(value) for name, value in sample.items()}");
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

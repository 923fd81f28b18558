// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/dali_short.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/export/typed_steps.h"
#include "core/node_parts/short_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

class ShortDali {
 public:
  ShortDali(const ExportSubject& subject, const ShortForm& form)
      : m_subject(subject), m_form(form), m_runtime(runtimeOf(form.nodes)), m_file(kDaliTarget) {
    fuseDecode(m_form, m_subject, "dali.decoding");
    for (const NodeText& node : m_form.nodes) add(node);
  }

  Result<Exported> write();

 private:
  void add(const NodeText& node);
  void mirrorInNormalise();
  std::string takeMirror(std::size_t place);
  void toPlanes(const std::string& name);
  std::int64_t prefetch() const { return std::max<std::int64_t>(1, m_runtime.prefetch); }
  void addOptions();
  void addLimits();
  bool usesTypes() const;
  void defineGraph();
  void defineLoader();

  const ExportSubject& m_subject;
  ShortForm m_form;
  const RuntimeNodes m_runtime;
  PythonFile m_file;
  std::vector<ExportStep> m_steps;
  bool m_shuffles = false;
};

constexpr std::int64_t kDaliPrefetch = 2;  // DALI's default

void ShortDali::add(const NodeText& node) {
  for (const ExportStep& step : node.text.steps) {
    if (node.node->spec->role == NodeRole::Order)
      m_shuffles = true;
    else if (node.isShort)
      m_steps.push_back(step);
    else
      m_steps.push_back({"sample = " + step.code, {}});
  }
}

void ShortDali::addOptions() {
  Lines fields;
  for (const FieldSpec& field : m_subject.pipeline->nodes.back().in.fields)
    fields.push_back(field.name);
  m_file.option({"FIELDS", pythonTexts(fields), ""});
  m_file.option({"DECODER", "\"cpu\"", "\"mixed\": decode and process on GPU 0"});
  // DALI's seeds have 31 bits.
  m_file.option({"SEED", std::to_string(m_subject.pipeline->seed % (std::uint64_t{1} << 31U)), ""});
  m_file.option({"BATCH_SIZE", std::to_string(m_runtime.batch.size), ""});
  m_file.option(
      {"WORKERS", std::to_string(std::max<std::int64_t>(1, m_runtime.workers.count)), "threads"});
  if (prefetch() != kDaliPrefetch)
    m_file.option({"PREFETCH", std::to_string(prefetch()), "finished batches that may be queued"});
  m_file.option({"RANK", "int(os.environ.get(\"RANK\", 0))", "torchrun sets both"});
  m_file.option({"WORLD_SIZE", "int(os.environ.get(\"WORLD_SIZE\", 1))", ""});
  m_file.import("import os");
}

void ShortDali::addLimits() {
  m_file.limit(seedLimit(m_subject, m_shuffles, "DALI"));
  m_file.limit("A sample that fails ends the run. Millrace leaves it out.");
  if (m_runtime.workers.order == DeliveryOrder::Ready)
    m_file.limit("Batches wait for slow samples: the order is always strict.");
}

/// Removes the step that mirrors the fields of this one, if no step is between them; returns its
/// variable.
std::string ShortDali::takeMirror(std::size_t place) {
  const Lines fields = m_steps[place].fields;
  while (place > 0) {
    const ExportStep& before = m_steps[--place];
    if (!touches(before, fields)) continue;
    if (before.fields != fields || !before.traits) return {};
    std::string mirror = before.traits->mirror;
    if (!mirror.empty()) m_steps.erase(m_steps.begin() + static_cast<std::ptrdiff_t>(place));
    return mirror;
  }
  return {};
}

/// Normalisation also mirrors, in one pass over the pixels.
void ShortDali::mirrorInNormalise() {
  for (std::size_t i = 0; i < m_steps.size(); ++i) {
    if (!m_steps[i].traits || !m_steps[i].traits->placesPixels) continue;
    const std::string mirror = takeMirror(i);
    if (mirror.empty()) continue;
    ExportStep& step = m_steps[--i];
    step.code = filledIn(step.code, "{mirror}", ", mirror=" + mirror);
  }
}

/// The last operation of a field sets its layout if it can.
void ShortDali::toPlanes(const std::string& name) {
  ExportStep* const last = lastTouching(m_steps, name);
  if (last != nullptr && last->traits && last->traits->placesPixels)
    last->code = filledIn(last->code, "{layout}", "");
  else
    m_steps.push_back({"fn.transpose({}, perm=[2, 0, 1])", {name}, ExportStep::Form::NewValue});
}

bool ShortDali::usesTypes() const {
  return std::ranges::any_of(m_steps, [](const ExportStep& step) {
    return step.code.find("types.") != std::string::npos;
  });
}

void ShortDali::defineGraph() {
  mirrorInNormalise();
  for (const std::string& name : pictureFields(m_subject.pipeline->nodes.back().in, Layout::Chw))
    toPlanes(name);
  Lines body{fmt::format("reader = {{\"shard_id\": RANK, \"num_shards\": WORLD_SIZE{}}}",
                         m_shuffles ? ", \"shuffle_after_epoch\": True" : "")};
  for (ExportStep& step : m_steps) {
    // Unless a pass decided otherwise.
    step.code = filledIn(step.code, "{mirror}", "");
    step.code = filledIn(step.code, "{layout}", ", output_layout=\"HWC\"");
    body.push_back(statementOf(step));
  }
  body.emplace_back("return tuple(sample[name] for name in FIELDS)");
  m_file.define(
      "@pipeline_def(\n"
      "    batch_size=BATCH_SIZE,\n"
      "    num_threads=WORKERS,\n"
      "    device_id=0 if DECODER == \"mixed\" else None,\n"
      "    seed=SEED + RANK,\n" +
      std::string(prefetch() == kDaliPrefetch ? "" : "    prefetch_queue_depth=PREFETCH,\n") +
      ")\n"
      "def make_pipeline():\n    \"\"\"Define how a batch of files is processed.\"\"\"" +
      bodyText(body));
}

void ShortDali::defineLoader() {
  m_file.define(
      fmt::format("def make_loader():\n    \"\"\"Return an iterator of dicts of tensors; each "
                  "iteration is an epoch.\"\"\"") +
      bodyText({fmt::format("return DALIGenericIterator(make_pipeline(), list(FIELDS), "
                            "reader_name=\"image\", auto_reset=True, "
                            "last_batch_policy=LastBatchPolicy.{})",
                            m_runtime.batch.dropLast ? "DROP" : "PARTIAL")}));
}

Result<Exported> ShortDali::write() {
  addTexts(m_form.nodes, m_file);
  addOptions();
  addLimits();
  for (const char* line :
       {"from nvidia.dali import fn, pipeline_def",
        "from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy"})
    m_file.import(line);
  defineGraph();
  if (usesTypes()) m_file.import("from nvidia.dali import types");
  defineLoader();
  MILLRACE_TRY(addDaliMain(m_file, m_subject, true));
  return m_file.finish(m_subject, kDaliLabel, kDaliNeeds);
}

}  // namespace

Result<Exported> shortDali(const ExportSubject& subject, const ShortForm& form) {
  return ShortDali(subject, form).write();
}

}  // namespace millrace

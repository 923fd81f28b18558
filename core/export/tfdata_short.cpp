// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/tfdata_short.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/export/typed_steps.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

std::string castInTf(const std::string& value, const StepTraits& traits) {
  if (traits.stored == DType::U8) return fmt::format("tf.saturate_cast({}, tf.uint8)", value);
  return fmt::format("tf.cast({}, tf.{})", value, nodes::arrayTypeName(*traits.stored));
}

std::string clipInTf(const std::string& value) {
  return fmt::format("tf.clip_by_value({}, 0.0, 255.0)", value);
}

/// Whether the first step makes a record a sample.
bool takesRecords(const std::vector<ExportStep>& steps) {
  return steps.front().code == "sample = {\"record\": record}";
}

/// Sorts the statements of the nodes into the functions of the file.
class ShortTfData {
 public:
  ShortTfData(const ExportSubject& subject, const ShortForm& form)
      : m_subject(subject), m_form(form), m_runtime(runtimeOf(form.nodes)), m_file(kTfDataTarget) {
    if (allFilesEnd(m_subject, {".jpg", ".jpeg"})) fuseDecode(m_form, m_subject, "tfdata.decoding");
    countDraws();
    for (const NodeText& node : m_form.nodes) add(node);
  }

  Result<Exported> write(const CodeEnding& ending);

 private:
  void countDraws();
  void add(const NodeText& node);
  void addStatements(const NodeText& node, std::size_t first);
  void toPlanes(const CodeEnding& ending);
  void addOptions();
  void addLimits();
  void defineLoad(const std::string& name, const std::string& about,
                  const std::vector<ExportStep>& steps);
  void defineDataset();
  bool draws() const { return !m_drawing.empty(); }

  const ExportSubject& m_subject;
  ShortForm m_form;
  const RuntimeNodes m_runtime;
  PythonFile m_file;
  std::string m_source;
  Lines m_order;
  std::vector<ExportStep> m_samples;  ///< statements on a sample
  std::vector<ExportStep> m_batches;  ///< statements on a batch
  Lines m_drawing;                    ///< ids of the nodes that draw
};

void ShortTfData::countDraws() {
  for (const NodeText& node : m_form.nodes) {
    const std::string draw = drawText(node.node->id);
    const auto uses = [&](const ExportStep& step) {
      return step.code.find(draw) != std::string::npos;
    };
    if (std::any_of(node.text.steps.begin(), node.text.steps.end(), uses))
      m_drawing.push_back(node.node->id);
  }
}

void ShortTfData::addStatements(const NodeText& node, std::size_t first) {
  const auto drawing = std::find(m_drawing.begin(), m_drawing.end(), node.node->id);
  const std::string seed =
      m_drawing.size() == 1 ? "seed" : fmt::format("seeds[{}]", drawing - m_drawing.begin());
  for (std::size_t i = first; i < node.text.steps.size(); ++i) {
    ExportStep step = node.text.steps[i];
    if (!node.isShort) step.code.insert(0, "sample = ");
    if (drawing != m_drawing.end()) step.code = filledIn(step.code, drawText(node.node->id), seed);
    (node.onRows ? m_batches : m_samples).push_back(std::move(step));
  }
}

void ShortTfData::add(const NodeText& node) {
  switch (node.node->spec->role) {
    case NodeRole::Source:
      m_source = node.text.steps.front().code;
      addStatements(node, 1);
      break;
    case NodeRole::Order:
      for (const ExportStep& step : node.text.steps) m_order.push_back("ds = " + step.code);
      break;
    default: addStatements(node, 0);
  }
}

/// Pictures whose channels are planes at the end.
void ShortTfData::toPlanes(const CodeEnding& ending) {
  const auto planes = pictureFields(m_subject.pipeline->nodes.back().in, Layout::Chw);
  const bool isKeras = ending.trainsKeras || m_subject.withTraining;
  addPlanes(m_samples, planes, "tf.transpose({}, [2, 0, 1])",
            isKeras ? "tf.transpose({}, [1, 2, 0])" : "");
  if (isKeras && !planes.empty())
    m_file.limit("Pictures have their channels last, as Keras takes them. Millrace's are planes.");
}

void ShortTfData::addOptions() {
  if (draws() || !m_order.empty())
    m_file.option(
        {"SEED", std::to_string(m_subject.pipeline->seed % (std::uint64_t{1} << 62U)), ""});
  m_file.option({"BATCH_SIZE", std::to_string(m_runtime.batch.size), ""});
  m_file.option(
      {"WORKERS", std::to_string(std::max<std::int64_t>(1, m_runtime.workers.count)), "threads"});
  m_file.option({"PREFETCH", std::to_string(std::max<std::int64_t>(1, m_runtime.prefetch)),
                 "finished batches that may be queued"});
}

void ShortTfData::addLimits() {
  m_file.limit(seedLimit(m_subject, !m_order.empty(), "TensorFlow"));
  m_file.limit(m_batches.empty()
                   ? "Samples that fail are skipped with a warning, however many they are."
                   : "A record that fails takes its whole batch with it, with a warning. Millrace "
                     "leaves out the record.");
}

void ShortTfData::defineLoad(const std::string& name, const std::string& about,
                             const std::vector<ExportStep>& steps) {
  std::string parameters = takesRecords(steps) ? "record" : "sample";
  Lines body;
  for (const ExportStep& step : steps) body.push_back(statementOf(step));
  if (draws() && name == "load") {
    parameters += ", seed";
    if (m_drawing.size() > 1)
      body.insert(body.begin(), fmt::format("seeds = tf.random.split(seed, {})", m_drawing.size()));
  }
  body.emplace_back("return sample");
  m_file.define(fmt::format("def {}({}):\n    \"\"\"{}\"\"\"", name, parameters, about) +
                bodyText(body));
}

void ShortTfData::defineDataset() {
  const bool strict = m_runtime.workers.order == DeliveryOrder::Strict;
  const std::string how =
      fmt::format("num_parallel_calls={}", strict ? "4 * WORKERS" : "WORKERS, deterministic=False");
  Lines body{"ds = " + m_source};
  body.insert(body.end(), m_order.begin(), m_order.end());
  if (draws()) {
    body.emplace_back("seeds = tf.data.Dataset.random(SEED, rerandomize_each_iteration=True)");
    body.emplace_back("ds = tf.data.Dataset.zip(ds, seeds.batch(2))");
  }
  const auto addMap = [&](std::string_view function) {
    if (strict)
      body.emplace_back(
          "# More calls than threads: no thread waits while the next in order is slow.");
    body.push_back(fmt::format("ds = ds.map({}, {})", function, how));
  };
  if (!m_samples.empty()) addMap("load");
  if (m_batches.empty()) body.emplace_back("ds = ds.ignore_errors(log_warning=True)");
  body.push_back(fmt::format("ds = ds.batch(BATCH_SIZE{})",
                             m_runtime.batch.dropLast ? ", drop_remainder=True" : ""));
  if (!m_batches.empty()) {
    addMap("load_batch");
    body.emplace_back("ds = ds.ignore_errors(log_warning=True)");
  }
  for (const char* line :
       {"options = tf.data.Options()", "options.threading.private_threadpool_size = WORKERS",
        "options.threading.max_intra_op_parallelism = 1",
        "return ds.prefetch(PREFETCH).with_options(options)"})
    body.emplace_back(line);
  m_file.define(
      std::string("def make_dataset():\n    \"\"\"Return the batches of one epoch as dicts") +
      (m_order.empty() ? "" : ", in a new order each time") + ".\"\"\"" + bodyText(body));
}

Result<Exported> ShortTfData::write(const CodeEnding& ending) {
  addTexts(m_form.nodes, m_file);
  m_file.import("import tensorflow as tf");
  for (auto* steps : {&m_samples, &m_batches}) placeCasts(*steps, {castInTf, clipInTf});
  addOptions();
  addLimits();
  toPlanes(ending);
  // The record becomes a sample in the function that runs first.
  if (!m_batches.empty() && m_samples.size() == 1 && takesRecords(m_samples)) {
    m_batches.insert(m_batches.begin(), m_samples.front());
    m_samples.clear();
  }
  if (!m_samples.empty()) defineLoad("load", "Return a sample, ready to be batched.", m_samples);
  if (!m_batches.empty())
    defineLoad("load_batch", "Return a batch, ready for training.", m_batches);
  defineDataset();
  MILLRACE_TRY(ending.add(m_file, m_subject, true));
  return m_file.finish(m_subject, ending.label, ending.needs);
}

}  // namespace

Result<Exported> shortTfData(const ExportSubject& subject, const ShortForm& form,
                             const CodeEnding& ending) {
  return ShortTfData(subject, form).write(ending);
}

}  // namespace millrace

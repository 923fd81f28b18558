// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/tfdata_short.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/node_parts/short_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kToPlanes = "tf.transpose({}, [2, 0, 1])";

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to), at += to.size();
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
  void keepFloats();
  std::string* castAfter(std::size_t place, const std::string& field);
  void toPlanes();
  bool normalisePlanes(const std::string& name);
  void addOptions();
  void addLimits();
  void defineLoad(const std::string& name, const std::string& about, Lines body);
  void defineDataset();
  bool draws() const { return !m_drawing.empty(); }

  const ExportSubject& m_subject;
  ShortForm m_form;
  const RuntimeNodes m_runtime;
  PythonFile m_file;
  std::string m_source;
  Lines m_order;
  Lines m_samples;  ///< statements on a sample
  Lines m_batches;  ///< statements on a batch
  Lines m_drawing;  ///< ids of the nodes that draw
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
    std::string code = node.text.steps[i].code;
    if (!node.isShort) code.insert(0, "sample = ");
    if (drawing != m_drawing.end()) replaceAll(code, drawText(node.node->id), seed);
    (node.onRows ? m_batches : m_samples).push_back(std::move(code));
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

/// A picture that becomes bytes and later floats again stays floats: the values are whole numbers,
/// and several passes over the pixels less are needed.
void ShortTfData::keepFloats() {
  constexpr std::string_view kToBytes = " = tf.saturate_cast(";
  constexpr std::string_view kBytes = ", tf.uint8)";
  for (std::size_t i = 0; i < m_samples.size(); ++i) {
    const std::size_t at = m_samples[i].find(kToBytes);
    const bool rounds = m_samples[i].find("tf.round(") != std::string::npos;
    if (at == std::string::npos || !rounds || !m_samples[i].ends_with(kBytes)) continue;
    const std::string field = m_samples[i].substr(0, at);
    std::string* const next = castAfter(i, field);
    if (next == nullptr) continue;
    replaceAll(*next, fmt::format("tf.cast({}, tf.float32)", field), field);
    std::string value = m_samples[i].substr(at + kToBytes.size());
    value.erase(value.size() - kBytes.size());
    // Only bicubic weights can lead out of the range of bytes.
    const bool inRange = value.starts_with("tf.round(tf.image.resize(") &&
                         value.find("\"bicubic\"") == std::string::npos;
    m_samples[i] =
        field + " = " + (inRange ? value : fmt::format("tf.clip_by_value({}, 0.0, 255.0)", value));
  }
}

/// The next statement that changes the values of a field, if it first casts them to floats.
std::string* ShortTfData::castAfter(std::size_t place, const std::string& field) {
  for (std::size_t i = place + 1; i < m_samples.size(); ++i) {
    std::string& statement = m_samples[i];
    if (statement.starts_with("for ") || statement.starts_with("sample = ")) return nullptr;
    if (statement.find(fmt::format("tf.cast({}, tf.float32)", field)) != std::string::npos)
      return &statement;
    const bool keepsType = statement.find("tf.image.stateless_random_flip_") != std::string::npos ||
                           statement.starts_with(field + " = warped(");
    if (statement.find(field) != std::string::npos && !keepsType) return nullptr;
  }
  return nullptr;
}

/// Channels become planes before a normalisation that is a field's last statement: numbers for
/// each plane are subtracted several times as fast as numbers that alternate along a row.
bool ShortTfData::normalisePlanes(const std::string& name) {
  constexpr std::string_view kMean = " / 255.0 - (";
  constexpr std::string_view kDeviation = ") / (";
  const std::string field = fmt::format("sample[{}]", pythonText(name));
  const auto last = std::find_if(
      m_samples.rbegin(), m_samples.rend(),
      [&](const std::string& statement) { return statement.find(field) != std::string::npos; });
  if (last == m_samples.rend() || !last->starts_with(field + " = (") || !last->ends_with(')'))
    return false;
  const std::size_t mean = last->find(kMean);
  const std::size_t deviation = last->rfind(kDeviation);
  if (mean == std::string::npos || deviation < mean + kMean.size()) return false;
  const std::int64_t channels = m_subject.pipeline->nodes.back().in.field(name)->channels();
  const std::string planes = fmt::format(", [{}, 1, 1])", channels);
  last->insert(last->size(), planes);
  last->insert(deviation + kDeviation.size() - 1, "tf.reshape(");
  last->insert(deviation, planes);
  last->insert(mean + kMean.size() - 1, "tf.reshape(");
  m_samples.insert(last.base() - 1, replaceFields({name}, kToPlanes));
  return true;
}

/// Pictures whose channels are planes at the end.
void ShortTfData::toPlanes() {
  Lines names = pictureFields(m_subject.pipeline->nodes.back().in, Layout::Chw);
  std::erase_if(names, [this](const std::string& name) { return normalisePlanes(name); });
  if (!names.empty()) m_samples.push_back(replaceFields(names, kToPlanes));
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

void ShortTfData::defineLoad(const std::string& name, const std::string& about, Lines body) {
  std::string parameters = "sample";
  if (body.front() == "sample = {\"record\": record}") parameters = "record";
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
  keepFloats();
  for (Lines* lines : {&m_samples, &m_batches}) selectBeforeCasts(*lines);
  addOptions();
  addLimits();
  toPlanes();
  // The record becomes a sample in the function that runs first.
  const bool onlyBatches = !m_batches.empty() && m_samples.size() == 1 &&
                           m_samples.front() == "sample = {\"record\": record}";
  if (onlyBatches) {
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

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// NVIDIA DALI. What a node's steps are, by its role:
//   source    an expression: a Source (resources/export/python/source.py), or where it needs the
//             snippet `records` one of those; further steps are those of samples
//   order     an expression that makes an array of keys out of `order`, with `source` and `rng` in
//             reach; a key is the number of a sample, and of its copies
//   image and sample   an expression that makes a sample out of `sample`, a dict of graph nodes,
//             with `draw(node)`, a seed, in reach; pictures are HWC until the end, one-hot masks
//             as they say
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/export/array_steps.h"
#include "core/export/exporter.h"
#include "core/export/python_file.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

constexpr const char* kDaliTarget = "dali";
constexpr const char* kDaliLabel = "NVIDIA DALI";
constexpr const char* kDaliNeeds = "Written for DALI 2.4; its iterator also needs torch.";

class DaliWriter {
 public:
  explicit DaliWriter(const ExportSubject& subject)
      : m_subject(subject), m_steps(subject, kDaliTarget, "order"), m_file(kDaliTarget) {}

  Exported write() {
    m_steps.addTo(m_file);
    m_file.import("import numpy as np");
    m_file.import("from nvidia.dali import pipeline_def");
    addOptions();
    addLimits();
    m_file.snippet(m_steps.readsRecords() ? "record_feed" : "feed");
    m_file.snippet("decode");
    defineSource();
    defineOrder();
    defineGraph();
    m_file.defineSnippet("make_loader");
    m_file.defineSnippet("main");
    return m_file.finish(m_subject, kDaliLabel, kDaliNeeds);
  }

 private:
  void addOptions();
  void addLimits();
  void defineSource();
  void defineOrder();
  void defineGraph();

  const ExportSubject& m_subject;
  ArraySteps m_steps;
  PythonFile m_file;
};

void DaliWriter::addOptions() {
  const RuntimeNodes& runtime = m_steps.runtime();
  std::vector<std::string> fields;
  for (const FieldSpec& field : m_subject.pipeline->nodes.back().in.fields)
    fields.push_back(field.name);
  m_file.option({"FIELDS", pythonTexts(fields), ""});
  m_file.option({"DEVICE", "\"cpu\"", "\"gpu\": pictures are decoded and changed on GPU 0"});
  // DALI's own seeds are 31 bits wide.
  m_file.option({"SEED", std::to_string(m_subject.pipeline->seed % (std::uint64_t{1} << 31U)), ""});
  m_file.option({"BATCH_SIZE", std::to_string(runtime.batch.size), ""});
  m_file.option({"DROP_LAST", pythonBool(runtime.batch.dropLast), ""});
  m_file.option(
      {"WORKERS", std::to_string(std::max<std::int64_t>(1, runtime.workers.count)), "threads"});
  m_file.option({"PREFETCH", std::to_string(std::max<std::int64_t>(1, runtime.prefetch)),
                 "finished batches that may wait"});
  m_file.option({"RANK", "0", "this process among those that share the data"});
  m_file.option({"WORLD_SIZE", "1", ""});
}

void DaliWriter::addLimits() {
  if (m_steps.isRandom())
    m_file.limit(
        "Orders and draws are NumPy's and DALI's own. Orders follow from SEED and epoch; draws "
        "follow from SEED, RANK and how many were made before, so a run that was stopped goes on "
        "with the same order and other draws.");
  if (m_steps.readsRecords())
    m_file.limit(
        "Samples are read by Python code, one at a time whatever WORKERS says. Millrace's threads "
        "read side by side.");
  m_file.limit(
      "A sample that fails ends the run: DALI cannot leave one out. Millrace names and counts them "
      "and stops at a limit.");
  const std::vector<FieldSpec>& fields = m_subject.pipeline->nodes.front().out.fields;
  if (std::count_if(fields.begin(), fields.end(),
                    [](const FieldSpec& field) { return isPicture(field.role); }) > 1)
    m_file.limit(
        "Pairs whose sizes are no whole multiples of each other get out of step without a word; "
        "with Millrace such a sample fails.");
  if (m_steps.runtime().workers.unit == WorkUnit::Batch)
    m_file.limit("Workers take samples, not whole batches.");
  if (m_steps.runtime().workers.order == DeliveryOrder::Ready)
    m_file.limit("Batches wait for slow samples: the order is always strict.");
}

void DaliWriter::defineSource() {
  m_file.define(pythonFunction("make_source()", "List the data as it lies on disk.",
                               {"return " + m_steps.source()}));
}

void DaliWriter::defineOrder() {
  std::vector<std::string> body{"order = np.arange(len(source))"};
  const auto& order = m_steps.order();
  if (std::any_of(order.begin(), order.end(),
                  [](const std::string& step) { return step.find("rng") != std::string::npos; }))
    body.emplace_back("rng = np.random.default_rng((SEED, epoch))");
  for (const std::string& step : order) body.push_back("order = " + step);
  if (!m_steps.sharded()) body.emplace_back("order = order[RANK::WORLD_SIZE]");
  body.emplace_back("return order");
  m_file.define(pythonFunction("epoch_order(source, epoch)",
                               "Give the keys of this rank's samples in the order of an epoch.",
                               body));
}

void DaliWriter::defineGraph() {
  std::vector<std::string> body{"sample = feed.read()"};
  for (const std::string& step : m_steps.samples()) body.push_back("sample = " + step);
  // DALI has none; what stands for them says so.
  if (!m_steps.batchOps().empty()) body.emplace_back("batch = sample");
  for (const std::string& step : m_steps.batchOps()) body.push_back("batch = " + step);
  body.emplace_back("return tuple(pixels(sample[name]) for name in FIELDS)");
  m_file.define(
      "@pipeline_def(\n"
      "    batch_size=BATCH_SIZE,\n"
      "    num_threads=WORKERS,\n"
      "    device_id=0 if DEVICE == \"gpu\" else None,\n"
      "    seed=SEED + RANK,\n"
      "    prefetch_queue_depth=PREFETCH,\n"
      ")\n" +
      pythonFunction("make_pipeline(feed)", "Say what becomes of a batch of files.", body));
}

}  // namespace

namespace targets {

Exporter dali() {
  Exporter exporter;
  exporter.name = kDaliTarget;
  exporter.label = kDaliLabel;
  exporter.about = "pipeline_def; runs on CPU or GPU";
  exporter.extension = ".py";
  exporter.write = [](const ExportSubject& subject) -> Result<Exported> {
    return DaliWriter(subject).write();
  };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// NVIDIA DALI. The steps of a node, by role:
//   source    an expression: a Source (resources/export/python/source.py), or with the snippet
//             `records` one of its readers; further steps belong to the samples
//   order     an expression that makes an array of keys from `order`; `source` and `rng` are
//             available; a key is the number of a sample and of its copy
//   image and sample   an expression that makes a sample from `sample`, a dict of graph nodes;
//             `draw(node)`, a seed, is available; pictures are HWC until the end, one-hot masks in
//             their declared layout
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/array_steps.h"
#include "core/export/dali_short.h"
#include "core/export/exporter.h"
#include "core/export/python_file.h"
#include "core/export/pytorch_file.h"
#include "core/export/typed_steps.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

class DaliWriter {
 public:
  DaliWriter(const ExportSubject& subject, const std::string& longBecause)
      : m_subject(subject), m_steps(subject, kDaliTarget, "order"), m_file(kDaliTarget) {
    m_file.longBecause(longBecause);
  }

  Result<Exported> write() {
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
    MILLRACE_TRY(addDaliMain(m_file, m_subject));
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
  addDaliOptions(m_file, m_subject, runtime);
  m_file.option({"DEVICE", "\"cpu\"", "\"gpu\": decode and process on the GPU"});
  m_file.option({"DEVICE_ID", deviceNumber("DEVICE == \"gpu\""), ""});
  m_file.option({"DROP_LAST", pythonBool(runtime.batch.dropLast), ""});
  m_file.option({"PREFETCH", std::to_string(std::max<std::int64_t>(1, runtime.prefetch)),
                 "finished batches that may be queued"});
}

void DaliWriter::addLimits() {
  if (m_steps.isRandom())
    m_file.limit(
        "Order and random values come from NumPy and DALI. The order depends on SEED and epoch, "
        "random "
        "values on SEED, RANK and the number of values before; a resumed run has the same order, "
        "but "
        "other random values.");
  if (m_steps.readsRecords())
    m_file.limit(
        "Python code reads the samples one at a time, regardless of WORKERS. Millrace's threads "
        "read in parallel.");
  m_file.limit(
      "A sample that fails ends the run, because DALI cannot skip one. Millrace lists such samples "
      "and stops only at a limit.");
  const std::vector<FieldSpec>& fields = m_subject.pipeline->nodes.front().out.fields;
  if (std::count_if(fields.begin(), fields.end(),
                    [](const FieldSpec& field) { return isPicture(field.role); }) > 1)
    m_file.limit(
        "Pairs whose sizes are not integer multiples of each other no longer match, without an "
        "error; "
        "in Millrace such a sample fails.");
  if (m_steps.runtime().workers.unit == WorkUnit::Batch)
    m_file.limit("Workers process samples, not whole batches.");
  if (m_steps.runtime().workers.order == DeliveryOrder::Ready)
    m_file.limit("Batches wait for slow samples: the order is always strict.");
}

void DaliWriter::defineSource() {
  m_file.define(
      pythonFunction("make_source()", "List the data on disk.", {"return " + m_steps.source()}));
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
                               "Return the keys of this rank's samples in the order of an epoch.",
                               body));
}

void DaliWriter::defineGraph() {
  std::vector<std::string> body{"sample = feed.read()"};
  for (const ExportStep& step : m_steps.samples()) body.push_back(statementOf(step));
  // DALI has no batch operations; the steps that replace them raise an error.
  if (!m_steps.batchOps().empty()) body.emplace_back("batch = sample");
  for (const std::string& step : m_steps.batchOps()) body.push_back("batch = " + step);
  body.emplace_back("return tuple(pixels(sample[name]) for name in FIELDS)");
  m_file.define(
      "@pipeline_def(\n"
      "    batch_size=BATCH_SIZE,\n"
      "    num_threads=WORKERS,\n"
      "    device_id=DEVICE_ID,\n"
      "    seed=SEED + RANK,\n"
      "    prefetch_queue_depth=PREFETCH,\n"
      ")\n" +
      pythonFunction("make_pipeline(feed)", "Define how a batch of files is processed.", body));
}

}  // namespace

Status addDaliMain(PythonFile& file, const ExportSubject& subject) {
  if (!subject.withTraining) {
    file.defineSnippet("plain_main");
    return {};
  }
  file.limit("A training that continues repeats the order and random values of its first epochs.");
  return addPyTorchTraining(file, subject);
}

namespace targets {

Exporter dali() {
  Exporter exporter;
  exporter.name = kDaliTarget;
  exporter.label = kDaliLabel;
  exporter.about = "pipeline_def; runs on CPU or GPU";
  exporter.extension = ".py";
  exporter.trains = true;
  exporter.write = [](const ExportSubject& subject) -> Result<Exported> {
    const ShortForm form = shortForm(subject, kDaliTarget);
    if (form.why.empty()) return shortDali(subject, form);
    MILLRACE_TRY(demandUnpacking(nodeTexts(subject, kDaliTarget), kDaliLabel));
    return DaliWriter(subject, form.why).write();
  };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

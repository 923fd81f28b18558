// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// TensorFlow's tf.data. The steps of a node, by role:
//   source    an expression: a Source (resources/export/python/source.py), or with the snippet
//             `records` one of its readers; further steps belong to the samples. TFRecord files are
//             read by tf.data itself if the order needs no record by its number
//   order     an expression that makes a Dataset of keys from `ds`; `source` and `epoch` are
//             available; a key is the number of a sample and of its copy
//   image and sample   an expression that makes a sample from `sample`, a dict of tensors;
//             `draw(node)` is available; pictures are HWC until the end, one-hot masks in their
//             declared layout
//   batch op  the same with `batch`, a dict of stacked fields
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/array_steps.h"
#include "core/export/tfdata_file.h"
#include "core/export/tfdata_short.h"
#include "core/export/typed_steps.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

/// Whether an order works on elements of any kind: it uses only methods of the data set, and no
/// buffer for the whole data set.
bool keepsElements(const std::vector<std::string>& order) {
  return std::all_of(order.begin(), order.end(), [](const std::string& step) {
    return step.starts_with("ds.") && step.find("cardinality") == std::string::npos;
  });
}

class TfDataWriter {
 public:
  TfDataWriter(const ExportSubject& subject, const std::string& longBecause)
      : m_subject(subject),
        m_steps(subject, kTfDataTarget, "ds"),
        m_streams(m_steps.needsOfSource("tfrecord") && keepsElements(m_steps.order())),
        m_file(kTfDataTarget) {
    m_file.longBecause(longBecause);
  }

  Result<Exported> write(const CodeEnding& ending) {
    m_steps.addTo(m_file);
    m_file.import("import functools");
    m_file.import("import tensorflow as tf");
    addOptions();
    addLimits();
    m_file.snippet(m_streams                ? "record_stream"
                   : m_steps.readsRecords() ? "record_samples"
                                            : "samples");
    defineSource();
    defineLoad();
    if (!m_steps.batchOps().empty()) defineChangeBatch();
    defineOrder();
    defineEpoch();
    m_file.defineSnippet("make_dataset");
    MILLRACE_TRY(ending.add(m_file, m_subject, false));
    return m_file.finish(m_subject, ending.label, ending.needs);
  }

 private:
  void addDrawKey() {
    m_file.snippet(m_subject.pipeline->noRandom ? "draw_key_centred" : "draw_key");
  }
  void addOptions();
  void addLimits();
  void defineSource();
  void defineLoad();
  void defineChangeBatch();
  void defineOrder();
  void defineEpoch();

  const ExportSubject& m_subject;
  ArraySteps m_steps;
  const bool m_streams;  ///< the order's elements are a key with its record, not only a key
  PythonFile m_file;
};

void TfDataWriter::addOptions() {
  const RuntimeNodes& runtime = m_steps.runtime();
  // tf.data adds the number of the epoch to it.
  m_file.option({"SEED", std::to_string(m_subject.pipeline->seed % (std::uint64_t{1} << 62U)), ""});
  m_file.option({"BATCH_SIZE", std::to_string(runtime.batch.size), ""});
  m_file.option({"DROP_LAST", pythonBool(runtime.batch.dropLast), ""});
  m_file.option({"WORKERS", std::to_string(std::max<std::int64_t>(1, runtime.workers.count)),
                 "threads; tf.data.AUTOTUNE: chosen by TensorFlow"});
  m_file.option({"PREFETCH", std::to_string(std::max<std::int64_t>(1, runtime.prefetch)),
                 "finished batches that may be queued"});
  m_file.option({"SKIP_FAILED", "True", "False: the first sample that fails ends the epoch"});
  m_file.option({"RANK", "0", "number of this process among those that share the data"});
  m_file.option({"WORLD_SIZE", "1", ""});
}

void TfDataWriter::addLimits() {
  if (m_steps.isRandom())
    m_file.limit(
        "Order and random values come from TensorFlow. Like Millrace's they depend only on SEED, "
        "epoch "
        "and sample, not on the number of workers, but their values differ.");
  if (m_steps.readsRecords() && !m_streams)
    m_file.limit(
        "Python code reads the samples one at a time, regardless of WORKERS. Millrace's threads "
        "read in parallel.");
  if (m_steps.needsOfSource("tfrecord") && !m_streams)
    m_file.limit(
        "Checksums are not verified: damage within a record goes unnoticed. In Millrace such a "
        "sample fails, if check_sums is on.");
  m_file.limit(
      "Samples that fail are skipped with a warning, however many they are, and the next samples "
      "take their places. Millrace lists them, stops at a limit, and shortens the batch that they "
      "belong to.");
  if (m_steps.runtime().workers.unit == WorkUnit::Batch)
    m_file.limit("Workers process samples, not whole batches.");
}

void TfDataWriter::defineSource() {
  m_file.define(
      pythonFunction("make_source()", "List the data on disk.", {"return " + m_steps.source()}));
}

void TfDataWriter::defineLoad() {
  std::vector<std::string> body;
  if (m_steps.draws()) addDrawKey();
  if (m_steps.draws()) body.emplace_back("draw = functools.partial(draw_key, epoch, key)");
  body.emplace_back(m_streams ? "sample = samples.read(key, record)"
                              : "sample = samples.read(key)");
  for (const ExportStep& step : m_steps.samples()) body.push_back(statementOf(step));
  body.emplace_back("return sample");
  m_file.define(
      "@tf.autograph.experimental.do_not_convert\n" +
      pythonFunction(m_streams ? "load(samples, epoch, key, record)" : "load(samples, epoch, key)",
                     "Prepare one sample for its batch.", body));
}

void TfDataWriter::defineChangeBatch() {
  addDrawKey();
  std::vector<std::string> body{"draw = functools.partial(draw_key, epoch, number)"};
  for (const std::string& step : m_steps.batchOps()) body.push_back("batch = " + step);
  body.emplace_back("return batch");
  m_file.define(
      "@tf.autograph.experimental.do_not_convert\n" +
      pythonFunction("change_batch(epoch, number, batch)", "Mix the samples of a batch.", body));
}

void TfDataWriter::defineOrder() {
  std::vector<std::string> body{m_streams ? "ds = numbered_records(source)"
                                          : "ds = tf.data.Dataset.range(len(source))"};
  for (const std::string& step : m_steps.order()) body.push_back("ds = " + step);
  body.emplace_back(m_steps.sharded() ? "return ds" : "return ds.shard(WORLD_SIZE, RANK)");
  m_file.define(
      "@tf.autograph.experimental.do_not_convert\n" +
      pythonFunction("epoch_order(source, epoch)",
                     m_streams ? "Return this rank's keys and records in the order of an epoch."
                               : "Return the keys of this rank's samples in the order of an epoch.",
                     body));
}

void TfDataWriter::defineEpoch() {
  std::vector<std::string> body{"ds = epoch_order(source, epoch)"};
  body.push_back(fmt::format(
      "ds = ds.map(functools.partial(load, samples, epoch), num_parallel_calls=WORKERS, "
      "deterministic={})",
      pythonBool(m_steps.runtime().workers.order == DeliveryOrder::Strict)));
  body.emplace_back("if SKIP_FAILED:");
  body.emplace_back("    ds = ds.ignore_errors(log_warning=True)");
  body.emplace_back("ds = ds.batch(BATCH_SIZE, drop_remainder=DROP_LAST)");
  if (!m_steps.batchOps().empty())
    body.emplace_back(
        "ds = ds.enumerate().map(functools.partial(change_batch, epoch), "
        "num_parallel_calls=WORKERS)");
  body.emplace_back("return ds");
  m_file.define("@tf.autograph.experimental.do_not_convert\n" +
                pythonFunction("one_epoch(source, samples, epoch)",
                               "Return the batches of one epoch.", body));
}

Status addTfDataMain(PythonFile& file, const ExportSubject& subject, bool isShort) {
  if (!subject.withTraining) {
    file.defineSnippet(isShort ? "short_main" : "main");
    return {};
  }
  MILLRACE_TRY(addKerasModel(file, subject, isShort));
  file.option({"PRECISION", "\"mixed_bfloat16\"", "mixed_float16: for GPUs older than Ampere"});
  file.option({"CHECKPOINT", "\"checkpoint\"", "folder; training continues from it"});
  file.defineSnippet("train");
  return {};
}

constexpr CodeEnding kTfData = {"tf.data", "Tested with TensorFlow 2.21.", addTfDataMain};

}  // namespace

Result<Exported> writeTfData(const ExportSubject& subject, const CodeEnding& ending) {
  const ShortForm form = shortForm(subject, kTfDataTarget);
  if (form.why.empty()) return shortTfData(subject, form, ending);
  return TfDataWriter(subject, form.why).write(ending);
}

namespace targets {

Exporter tfdata() {
  Exporter exporter;
  exporter.name = kTfDataTarget;
  exporter.label = kTfData.label;
  exporter.about = "tf.data.Dataset of TensorFlow";
  exporter.extension = ".py";
  exporter.entry = "make_dataset";
  exporter.trains = true;
  exporter.write = [](const ExportSubject& subject) { return writeTfData(subject, kTfData); };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

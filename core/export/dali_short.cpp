// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/dali_short.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/export/dali_steps.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Lines = std::vector<std::string>;

class ShortDali {
 public:
  ShortDali(const ExportSubject& subject, ShortForm form)
      : m_subject(subject),
        m_form(std::move(form)),
        m_runtime(runtimeOf(m_form.nodes)),
        m_file(kDaliTarget) {
    fuseDecode(m_form, m_subject, "dali.decoding");
    m_steps = daliSteps(m_subject, m_form);
  }

  Result<Exported> write();

 private:
  std::int64_t prefetch() const { return std::max<std::int64_t>(1, m_runtime.prefetch); }
  void addOptions();
  bool usesTypes() const;
  void defineGraph();
  void defineLoader();

  const ExportSubject& m_subject;
  ShortForm m_form;
  const RuntimeNodes m_runtime;
  PythonFile m_file;
  DaliSteps m_steps;
};

constexpr std::int64_t kDaliPrefetch = 2;  // DALI's default

void ShortDali::addOptions() {
  m_file.option({"DECODER", "\"cpu\"", "\"mixed\": decode and process on the GPU"});
  addDaliOptions(m_file, m_subject, m_runtime);
  m_file.option({"DEVICE_ID", deviceNumber("DECODER == \"mixed\""), ""});
  m_file.option({"LAST_BATCH",
                 std::string("LastBatchPolicy.") + (m_runtime.batch.dropLast ? "DROP" : "PARTIAL"),
                 ""});
  if (prefetch() != kDaliPrefetch)
    m_file.option({"PREFETCH", std::to_string(prefetch()), "finished batches that may be queued"});
}

bool ShortDali::usesTypes() const {
  const auto uses = [](const std::string& step) {
    return step.find("types.") != std::string::npos;
  };
  return std::ranges::any_of(m_steps.source, uses) || std::ranges::any_of(m_steps.processing, uses);
}

void ShortDali::defineGraph() {
  // Otherwise the reader goes on in another rank's part, and the next epoch begins there.
  Lines body{"reader = {\"shard_id\": RANK, \"num_shards\": WORLD_SIZE, \"pad_last_batch\": True}"};
  if (m_steps.shuffles) body.emplace_back("reader[\"shuffle_after_epoch\"] = True");
  body.insert(body.end(), m_steps.source.begin(), m_steps.source.end());
  body.insert(body.end(), m_steps.processing.begin(), m_steps.processing.end());
  body.emplace_back("return tuple(sample[name] for name in FIELDS)");
  m_file.define(
      "@pipeline_def\ndef make_pipeline():\n    \"\"\"Define how a batch of files is "
      "processed.\"\"\"" +
      bodyText(body));
}

void ShortDali::defineLoader() {
  m_file.defineSnippet("loader");
  m_file.define(
      "def make_loader():\n    \"\"\"Return the loader of this rank.\"\"\"" +
      bodyText({fmt::format("pipe = make_pipeline(batch_size=BATCH_SIZE, num_threads=WORKERS, "
                            "device_id=DEVICE_ID, seed=SEED + RANK{})",
                            prefetch() == kDaliPrefetch ? "" : ", prefetch_queue_depth=PREFETCH"),
                "return Loader(pipe, FIELDS, reader_name=\"image\", auto_reset=True, "
                "last_batch_policy=LAST_BATCH)"}));
}

Result<Exported> ShortDali::write() {
  addTexts(m_form.nodes, m_file);
  addOptions();
  addDaliLimits(m_file, m_subject, m_runtime, m_steps.shuffles);
  m_file.import("from nvidia.dali import fn, pipeline_def");
  m_file.import("from nvidia.dali.plugin.pytorch import LastBatchPolicy");
  defineGraph();
  if (usesTypes()) m_file.import("from nvidia.dali import types");
  defineLoader();
  MILLRACE_TRY(addDaliMain(m_file, m_subject));
  return m_file.finish(m_subject, kDaliLabel, kDaliNeeds);
}

}  // namespace

void addDaliOptions(PythonFile& file, const ExportSubject& subject, const RuntimeNodes& runtime) {
  Lines fields;
  for (const FieldSpec& field : subject.pipeline->nodes.back().in.fields)
    fields.push_back(field.name);
  file.option({"FIELDS", pythonTexts(fields), ""});
  // DALI's seeds have 31 bits.
  file.option({"SEED", std::to_string(subject.pipeline->seed % (std::uint64_t{1} << 31U)), ""});
  file.option({"BATCH_SIZE", std::to_string(runtime.batch.size), ""});
  file.option(
      {"WORKERS", std::to_string(std::max<std::int64_t>(1, runtime.workers.count)), "threads"});
  file.option({"RANK", "int(os.environ.get(\"RANK\", 0))", "torchrun sets both"});
  file.option({"WORLD_SIZE", "int(os.environ.get(\"WORLD_SIZE\", 1))", ""});
  file.import("import os");
}

std::string deviceNumber(const std::string& condition) {
  return "int(os.environ.get(\"LOCAL_RANK\", 0)) if " + condition + " else None";
}

void addDaliLimits(PythonFile& file, const ExportSubject& subject, const RuntimeNodes& runtime,
                   bool shuffles) {
  file.limit(seedLimit(subject, shuffles, "DALI"));
  file.limit("A sample that fails ends the run. Millrace leaves it out.");
  if (runtime.workers.order == DeliveryOrder::Ready)
    file.limit("Batches wait for slow samples: the order is always strict.");
}

Result<Exported> shortDali(const ExportSubject& subject, const ShortForm& form) {
  return ShortDali(subject, form).write();
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Grain, the loader of JAX, with Pillow and NumPy. The steps of a node, by role:
//   source    an expression: a Source (resources/export/python/source.py), or with the snippet
//             `records` one of its readers; further steps belong to the samples. "grain.short": an
//             expression for the samples themselves
//   order     an expression that makes a MapDataset from `ds`
//   image and sample   an expression that makes a sample from `sample`, a dict of arrays;
//             `draw(node)` is the sample's random generator; pictures are HWC until the end.
//             "grain.short": statements that change `sample`
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/export/array_steps.h"
#include "core/export/exporter.h"
#include "core/export/python_file.h"
#include "core/export/short_form.h"
#include "core/export/typed_steps.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

constexpr const char* kGrainTarget = "grain";
constexpr const char* kGrainLabel = "Grain";

/// The texts of the kinds, the short ones where there are any: both work on the same samples.
/// `why`: why the source has none, or empty.
std::vector<NodeText> grainTexts(const ExportSubject& subject, std::string& why) {
  std::vector<NodeText> nodes = nodeTexts(subject, kGrainTarget);
  for (NodeText& node : nodes) {
    const auto& exporters = node.node->spec->exporters;
    const auto found = exporters.find(std::string(kGrainTarget) + ".short");
    if (found == exporters.end() || node.node->choice) continue;
    ExportText text = textOf(subject, *node.node, found->second);
    node.isShort = text.missing.empty();
    if (node.isShort)
      node.text = std::move(text);
    else if (node.node->spec->role == NodeRole::Source)
      why = fmt::format("{}: {}.", node.node->id, text.missing);
  }
  return nodes;
}

/// Replaces `draw("NODE")` by the sample's generator.
std::string withGenerator(std::string step) {
  constexpr std::string_view kDraw = "draw(\"";
  for (std::size_t at = step.find(kDraw); at != std::string::npos; at = step.find(kDraw, at)) {
    std::size_t end = at + kDraw.size();
    while (step[end] != '"') end += step[end] == '\\' ? 2 : 1;
    step.replace(at, end + 2 - at, "rng");
  }
  return step;
}

class GrainWriter {
 public:
  GrainWriter(const ExportSubject& subject, std::vector<NodeText> nodes, const std::string& why)
      : m_subject(subject),
        m_isShort(nodes.front().isShort),
        m_steps(subject, std::move(nodes), "ds", "np.ascontiguousarray({}.transpose(2, 0, 1))"),
        m_file(kGrainTarget) {
    m_file.longBecause(why);
  }

  Exported write() {
    m_steps.addTo(m_file);
    for (const char* line : {"import grain", "from absl import flags"}) m_file.import(line);
    addOptions();
    addLimits();
    if (!m_isShort) m_file.snippet(m_steps.readsRecords() ? "record_samples" : "samples");
    defineLoad();
    defineDataset();
    m_file.defineSnippet("main");
    return m_file.finish(m_subject, kGrainLabel,
                         "Tested with grain 0.2, jax 0.10 and Pillow 13.0.");
  }

 private:
  void addOptions();
  void addLimits();
  void defineLoad();
  void defineDataset();

  const ExportSubject& m_subject;
  bool m_isShort;
  ArraySteps m_steps;
  PythonFile m_file;
};

void GrainWriter::addOptions() {
  const RuntimeNodes& runtime = m_steps.runtime();
  const std::int64_t workers = std::max<std::int64_t>(1, runtime.workers.count);
  const std::int64_t each = (runtime.prefetch + workers - 1) / workers;
  m_file.option({"SEED", std::to_string(m_subject.pipeline->seed % (std::uint64_t{1} << 32U)), ""});
  m_file.option({"BATCH_SIZE", std::to_string(runtime.batch.size), ""});
  m_file.option({"WORKERS", std::to_string(workers), "processes; 0: a thread of this one"});
  m_file.option(
      {"PREFETCH_PER_WORKER", std::to_string(std::max<std::int64_t>(1, each)), "batches"});
  m_file.option({"RANK", "0", "or jax.process_index()"});
  m_file.option({"WORLD_SIZE", "1", "or jax.process_count()"});
}

void GrainWriter::addLimits() {
  if (m_steps.isRandom())
    m_file.limit("Order and random values come from Grain and differ from Millrace's.");
  m_file.limit("The first sample that fails ends the epoch. Millrace leaves it out.");
  if (m_steps.runtime().workers.order == DeliveryOrder::Ready)
    m_file.limit("Batches wait for slow samples: the order is always strict.");
}

void GrainWriter::defineLoad() {
  std::vector<std::string> body;
  for (const ExportStep& step : m_steps.samples()) body.push_back(withGenerator(statementOf(step)));
  body.emplace_back("return sample");
  m_file.define(fmt::format("def load({}):\n    \"\"\"Return a sample, ready to be batched.\"\"\"",
                            m_steps.draws() ? "sample, rng" : "sample") +
                bodyText(body));
}

void GrainWriter::defineDataset() {
  const std::string& source = m_steps.source();
  std::vector<std::string> body{
      "if not flags.FLAGS.is_parsed():", "    flags.FLAGS.mark_as_parsed()  # Grain reads them",
      fmt::format("ds = grain.MapDataset.source({}).seed(SEED)",
                  m_isShort ? source : "Samples(" + source + ")")};
  for (const std::string& step : m_steps.order()) body.push_back("ds = " + step);
  if (!m_steps.sharded()) body.emplace_back("ds = ds[RANK::WORLD_SIZE]");
  body.emplace_back("ds = ds.repeat(epochs)");
  body.emplace_back(m_steps.draws() ? "ds = ds.random_map(load)" : "ds = ds.map(load)");
  body.push_back(fmt::format("ds = ds.batch(BATCH_SIZE{})",
                             m_steps.runtime().batch.dropLast ? ", drop_remainder=True" : ""));
  // Grain has no operation on random batches; the steps that replace them raise an error.
  for (const std::string& op : m_steps.batchOps())
    body.push_back(fmt::format("ds = ds.map(lambda batch: {})", op));
  body.emplace_back(
      "ds = ds.to_iter_dataset(grain.ReadOptions(num_threads=1, prefetch_buffer_size=1))");
  body.emplace_back(
      "return ds.mp_prefetch(grain.MultiprocessingOptions(WORKERS, PREFETCH_PER_WORKER))");
  m_file.define(pythonFunction("make_dataset(epochs=1)",
                               "Return the batches, dicts of NumPy arrays; epochs follow without "
                               "a break.",
                               body));
}

}  // namespace

namespace targets {

Exporter grain() {
  Exporter exporter;
  exporter.name = kGrainTarget;
  exporter.label = kGrainLabel;
  exporter.about = "JAX's loader, with Pillow and NumPy";
  exporter.extension = ".py";
  exporter.entry = "make_dataset";
  exporter.write = [](const ExportSubject& subject) -> Result<Exported> {
    std::string why;
    std::vector<NodeText> nodes = grainTexts(subject, why);
    MILLRACE_TRY(demandUnpacking(nodes, kGrainLabel));
    return GrainWriter(subject, std::move(nodes), why).write();
  };
  return exporter;
}

}  // namespace targets

}  // namespace millrace

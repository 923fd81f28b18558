// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/golden_case.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/open/examples.h"
#include "tests/core/export/line_diff.h"
#include "tests/core/export/record_sources.h"
#include "tests/core/export/snippet_lines.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

namespace {

/// Pipelines with Python code of the user's: "own_functions" (on samples), "own_tensors" (on those
/// of TensorFlow), "own_batches".
std::string ownCodePipeline(const std::string& name) {
  const std::string decode = R"({"kind": "decode", "params": {"scaling": "full"}})";
  const std::string workers = R"({"kind": "workers"})";
  const std::string end = R"({"kind": "drain"})";
  if (name == "own_tensors")
    return chainJson(
        {R"({"kind": "image_folder", "params": {"paths": ["photos"]}})", workers, decode,
         R"({"kind": "resize", "params": {"mode": "squash"}})",
         R"({"kind": "python", "params": {"function": "mine:augment", "as": "tensorflow", "random": false}})",
         R"({"kind": "batch"})", end});
  if (name == "own_functions")
    return chainJson(
        {R"({"kind": "image_folder", "params": {"paths": ["photos"]}})", workers, decode,
         R"({"kind": "resize", "params": {"height": 256, "width": 256, "mode": "at_least"}})",
         R"({"kind": "centre_crop", "params": {"rounding": "even"}})",
         R"({"kind": "python", "params": {"function": "mine:augment", "as": "pil", "by_name": true, "results": ["image", "brightness=f32:scalar"]}})",
         R"({"kind": "batch"})", end});
  return chainJson(
      {R"({"kind": "image_folder", "params": {"paths": ["photos"]}})", workers, decode,
       R"({"kind": "resize", "params": {"mode": "squash"}})", R"({"kind": "batch"})",
       R"({"kind": "python_batch", "params": {"function": "mine:blend", "as": "torch"}})", end});
}

/// Pipelines with the kinds that no example has.
std::string widePipeline(const std::string& name) {
  if (name.starts_with("own_")) return ownCodePipeline(name);
  const std::string decode = R"({"kind": "decode", "params": {"scaling": "full"}})";
  const std::string workers = R"({"kind": "workers"})";
  const std::string end = R"({"kind": "drain"})";
  if (name == "mixing")
    return chainJson(
        {R"({"kind": "manifest", "params": {"paths": ["t.csv"], "label_column": "class"}})",
         R"({"kind": "split", "params": {"each_class": true}})",
         R"({"kind": "shuffle", "params": {"mode": "window"}})",
         R"({"kind": "balance"})",
         R"({"kind": "take"})",
         R"({"kind": "repeat"})",
         R"({"kind": "shard", "params": {"world": 4, "uneven": "drop"}})",
         workers,
         R"({"kind": "memory_cache"})",
         decode,
         R"({"kind": "resize", "params": {"mode": "fit", "filter": "bicubic"}})",
         R"({"kind": "pad", "params": {"border": "reflect"}})",
         R"({"kind": "random_crop", "params": {"height": 200, "width": 200}})",
         R"({"kind": "rand_augment", "params": {"fill": [124, 116, 104]}})",
         R"({"kind": "jitter"})",
         R"({"kind": "gamma"})",
         R"({"kind": "posterize"})",
         R"({"kind": "equalize"})",
         R"({"kind": "grayscale"})",
         R"({"kind": "blur"})",
         R"({"kind": "erase"})",
         R"({"kind": "identity"})",
         R"({"kind": "precision", "params": {"dtype": "bf16"}})",
         R"({"kind": "one_hot", "params": {"classes": 10}})",
         R"({"kind": "batch", "params": {"on_failure": "fill"}})",
         R"({"kind": "mixup"})",
         R"({"kind": "cutmix"})",
         end});
  if (name == "numbers")
    return chainJson({R"({"kind": "image_folder", "params": {"paths": ["scans"]}})", workers,
                      R"({"kind": "decode", "params": {"form": "stored", "channels": 7}})",
                      R"({"kind": "random_crop", "params": {"height": 128, "width": 128}})",
                      R"({"kind": "flip"})",
                      R"({"kind": "normalise", "params": {"mean": [1000], "deviation": [300]}})",
                      R"({"kind": "precision", "params": {"dtype": "f16"}})",
                      R"({"kind": "batch"})", end});
  if (name == "views")
    return chainJson(
        {R"({"kind": "image_folder", "params": {"paths": ["photos"]}})", workers, decode,
         R"({"kind": "views", "params": {"count": 4}})",
         R"({"kind": "random_resized_crop", "params": {"scale_min": 0.4, "fields": ["view_1", "view_2"]}})",
         R"({"kind": "random_resized_crop", "params": {"height": 96, "width": 96, "fields": ["view_3", "view_4"]}})",
         R"({"kind": "flip"})", R"({"kind": "jitter", "params": {"probability": 0.8}})",
         R"({"kind": "grayscale", "params": {"fields": ["view_2"]}})", R"({"kind": "normalise"})",
         R"({"kind": "precision", "params": {"layout": "nchw"}})", R"({"kind": "batch"})", end});
  return chainJson(
      {R"({"kind": "paired_folders", "params": {"input": "all", "pair": "mask", "input_suffix": "_a"}})",
       workers, R"({"kind": "decode", "params": {"orientation": "ignore"}})",
       R"({"kind": "resize", "params": {"height": 700, "width": 900, "mode": "at_most"}})",
       R"({"kind": "crop", "params": {"x": 4, "y": 8}})",
       R"({"kind": "centre_crop", "params": {"pad": true, "mask_fill": 255}})",
       R"({"kind": "affine"})", R"({"kind": "channel_shift"})",
       R"({"kind": "random_resized_crop"})",
       R"({"kind": "one_hot", "params": {"classes": 9, "ignore_index": 255}})",
       R"({"kind": "batch", "params": {"pad_height": 256, "pad_width": 256}})", end});
}

/// Where a kind can stand alone: a source, and the nodes before it that make what it needs.
struct Surroundings {
  const char* name;
  std::string source;
  std::vector<std::string> unpack;
};

const std::vector<Surroundings>& surroundings() {
  const std::vector<std::string> pictures = {R"({"kind": "decode", "params": {"scaling": "full"}})",
                                             R"({"kind": "resize", "params": {"mode": "squash"}})"};
  static const std::vector<Surroundings> all = {
      {"photos", R"({"kind": "image_folder", "params": {"paths": ["photos"]}})", pictures},
      {"objects", R"({"kind": "detection", "params": {"paths": ["a.json"]}})", pictures},
      {"bytes",
       R"({"kind": "tfrecord", "params": {"paths": ["a.tfrecord"], "keys": ["data=d:bytes"]}})",
       {}},
      {"coordinates",
       R"({"kind": "tfrecord", "params": {"paths": ["a.tfrecord"], "keys": ["image=i", "xmin=l:f32:?", "ymin=t:f32:?", "xmax=r:f32:?", "ymax=b:f32:?", "label=c:i64:?"]}})",
       {}}};
  return all;
}

/// A pipeline with nothing but the kind, if there is one, where its role puts it.
std::string pipelineWith(const NodeSpec* spec, const Surroundings& around) {
  std::vector<std::string> nodes{around.source};
  const auto place = [&](std::initializer_list<NodeRole> roles) {
    if (spec != nullptr && std::find(roles.begin(), roles.end(), spec->role) != roles.end())
      nodes.push_back(fmt::format(R"({{"kind": "{}", "params": {}}})", spec->kind, spec->example));
  };
  place({NodeRole::Order});
  nodes.emplace_back(R"({"kind": "workers"})");
  place({NodeRole::Cache});
  nodes.insert(nodes.end(), around.unpack.begin(), around.unpack.end());
  place({NodeRole::Image, NodeRole::Sample});
  nodes.emplace_back(R"({"kind": "batch"})");
  place({NodeRole::BatchOp, NodeRole::Transfer});
  nodes.emplace_back(R"({"kind": "drain"})");
  return chainJson(nodes);
}

/// The pipeline from which this one differs in a few settings only; empty for most.
std::string similarPipeline(std::string_view name) {
  if (name == "deblurring") return "super-resolution";
  if (name == "webdataset-usual") return "webdataset";
  if (name == "recordio-bytes") return "recordio";
  return {};
}

/// With the case without random draws where the target has one.
void addCases(std::vector<GoldenCase>& cases, const Exporter& exporter, const Setup& setup,
              const std::string& json, bool withoutRandom) {
  cases.push_back({&exporter, json, setup, similarPipeline(setup.name)});
  if (!withoutRandom) return;
  cases.push_back({&exporter, json, setup, setup.name});
  cases.back().setup.noRandom = true;
}

/// Sources of the only kind that a target reads.
void addRecords(std::vector<GoldenCase>& cases, const Exporter& exporter) {
  for (const RecordSource& source : kRecordSources)
    if (std::string_view(source.name).starts_with(exporter.reads))
      cases.push_back({&exporter, recordPipeline(source), {.name = source.name}, {}});
}

/// Every example, where the target differs from the one that it is built on; whole, if it has
/// another form.
void addExamples(std::vector<GoldenCase>& cases, const Exporter& exporter, bool withTraining) {
  for (const Example& example : examples()) {
    if (example.name == "detection") continue;  // as PyTorch's; it has no training
    if (example.name == "chess" && !unpacksRecords(exporter.name)) continue;
    Setup setup{.name = std::string(example.name), .data = exampleData(example.name)};
    setup.withTraining = withTraining;
    const bool isWhole = exporter.shortOnly && !withTraining;
    cases.push_back({&exporter, *exampleJson(example.name), setup, isWhole ? "" : setup.name});
  }
}

/// Whether the target has code for all nodes of a pipeline that is right.
bool isWholeIn(const Exporter& exporter, const std::string& json) {
  const auto subject = subjectOf(json, {});
  if (!subject->pipeline) return false;
  const Result<Exported> code = exportAs(exporter, subject->subject);
  return code && code->missing.empty();
}

/// Kinds that stand in no other pipeline and whose role is not to begin or end one or to choose,
/// each as the difference from the same pipeline without it, in the targets that have code for it.
void addKinds(std::vector<GoldenCase>& cases, const Exporter& exporter,
              const std::set<std::string>& others) {
  std::set<std::string> bases;
  for (const NodeSpec& spec : builtinCatalog().all()) {
    if (others.contains(spec.kind) || spec.role == NodeRole::Source ||
        spec.role == NodeRole::Consumer || spec.role == NodeRole::Choice)
      continue;
    for (const Surroundings& around : surroundings()) {
      const std::string json = pipelineWith(&spec, around);
      if (!isWholeIn(exporter, json)) continue;
      const std::string base = std::string("none.") + around.name;
      if (bases.insert(base).second)
        cases.push_back({&exporter, pipelineWith(nullptr, around), {}, {}, base});
      cases.push_back({&exporter, json, {}, "kinds/" + base, spec.kind});
      break;
    }
  }
}

/// The kinds of the nodes in the pipelines of these cases.
std::set<std::string> kindsIn(const std::vector<GoldenCase>& cases) {
  std::set<std::string> kinds;
  for (const GoldenCase& golden : cases) {
    const ReadGraph read = parseGraph(golden.json, builtinCatalog());
    for (const GraphNode& node : read.graph->nodes) kinds.insert(node.kind);
  }
  return kinds;
}

std::vector<GoldenCase> makeGoldenCases() {
  std::vector<GoldenCase> cases;
  for (const Exporter& exporter : exporters()) {
    if (!exporter.reads.empty()) {
      addRecords(cases, exporter);
      continue;
    }
    if (!exporter.builtOn.empty()) {
      addExamples(cases, exporter, false);
      continue;
    }
    for (const Example& example : examples())
      if ((isTranslated(example.name, exporter.name) || !exporter.translates) &&
          (example.name != "chess" || unpacksRecords(exporter.name)))
        addCases(cases, exporter,
                 {.name = std::string(example.name), .data = exampleData(example.name)},
                 *exampleJson(example.name), exporter.isCode);
    if (!exporter.isCode) continue;
    for (const char* name : {"mixing", "masks", "own_functions", "own_tensors", "own_batches"})
      addCases(cases, exporter, {.name = name}, widePipeline(name), true);
    if (exporter.name == "pytorch" || exporter.name == "python")
      for (const char* name : {"numbers", "views"})
        addCases(cases, exporter, {.name = name}, widePipeline(name), false);
    if (!exporter.translates) continue;
    for (const RecordSource& source : kRecordSources)
      addCases(cases, exporter, {.name = source.name}, recordPipeline(source), false);
  }
  const std::set<std::string> others = kindsIn(cases);
  for (const Exporter& exporter : exporters())
    if (exporter.isCode && exporter.translates && exporter.reads.empty() &&
        exporter.builtOn.empty())
      addKinds(cases, exporter, others);
  // After their partners, so that all can be written again at once.
  for (const Exporter& exporter : exporters())
    if (exporter.trains) addExamples(cases, exporter, true);
  return cases;
}

/// The partner; nullptr for a case without one.
const GoldenCase* partnerOf(const GoldenCase& golden) {
  if (golden.partner.empty()) return nullptr;
  const Exporter* target = golden.exporter;
  if (!target->builtOn.empty() && !golden.setup.withTraining)
    target = findExporter(target->builtOn);
  for (const GoldenCase& other : goldenCases())
    if (other.exporter == target && other.name() == golden.partner) return &other;
  return nullptr;
}

Result<std::string> exportedForm(const GoldenCase& golden) {
  MILLRACE_ASSIGN_OR_RETURN(const std::string code, golden.exported());
  return withSnippetsNamed(code, golden.exporter->texts());
}

}  // namespace

const std::filesystem::path kGoldenFolder = tests::sourcePath("tests/core/export/golden");

std::string GoldenCase::name() const {
  if (!kind.empty()) return "kinds/" + kind;
  return setup.name + (setup.noRandom ? ".no-random" : "") +
         (setup.withTraining ? ".training" : "");
}

std::filesystem::path GoldenCase::file() const {
  return kGoldenFolder / exporter->name /
         (name() + (partner.empty() ? exporter->extension : ".diff"));
}

Result<std::string> GoldenCase::exported() const {
  const auto subject = subjectOf(json, setup);
  if (!subject->pipeline) return Error{subject->problems};
  MILLRACE_ASSIGN_OR_RETURN(const Exported code, exportAs(*exporter, subject->subject));
  return code.text;
}

const std::vector<GoldenCase>& goldenCases() {
  static const std::vector<GoldenCase> all = makeGoldenCases();
  return all;
}

Result<std::string> goldenForm(const GoldenCase& golden) {
  MILLRACE_ASSIGN_OR_RETURN(const std::string text, exportedForm(golden));
  const GoldenCase* partner = partnerOf(golden);
  if (partner == nullptr) return text;
  MILLRACE_ASSIGN_OR_RETURN(const std::string before, exportedForm(*partner));
  return lineDiff(before, text, {partner->name(), golden.name()});
}

Result<std::string> goldenText(const GoldenCase& golden) {
  const std::string content = contentOf(golden.file());
  if (content.empty()) return Error{golden.file().string() + " is not there"};
  const GoldenCase* partner = partnerOf(golden);
  if (partner == nullptr) return content;
  MILLRACE_ASSIGN_OR_RETURN(const std::string before, goldenText(*partner));
  const std::optional<std::string> after = patched(before, content);
  if (!after) return Error{golden.file().string() + " does not fit " + partner->file().string()};
  return *after;
}

}  // namespace millrace::tests

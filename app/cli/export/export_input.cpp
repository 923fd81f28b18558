// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export/export_input.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/version.h"
#include "app/cli/run/report.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/export/export_check.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/common/kept_runs.h"
#include "core/jobs/loader/export_rates.h"
#include "core/jobs/run/recorded_run.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

/// How and where the rate was measured, which a reader of the code must know.
std::vector<std::string> figureSentences(const RunDetails& details, const Graph& graph) {
  const RunSummary& run = details.summary;
  const RunResult result = recordedResult(details);
  std::vector<std::string> sentences;
  std::string rate{trimmed(rateLine(result))};
  if (const std::size_t gap = rate.find("   "); gap != std::string::npos)
    rate.replace(gap, 3, result.figures.samplesPerSecond.ci95Low ? ", " : " ");
  sentences.push_back(fmt::format("Run {}, {}{}: {}", static_cast<std::int64_t>(run.number),
                                  nameOf(run.state),
                                  run.reason.empty() ? "" : " (" + run.reason + ")", rate));
  sentences.push_back(
      fmt::format("{}; {} failed.", counted(static_cast<std::uint64_t>(run.repeats), "repeat"),
                  counted(static_cast<std::uint64_t>(run.failedSamples), "sample")));
  std::vector<std::string> settings;
  for (const ShownSetting& setting : tellingSettings(graph))
    settings.push_back(setting.name + "=" + setting.value);
  if (!settings.empty()) sentences.push_back("With " + joinWords(settings) + ".");
  const std::string cpu = factOf(details, "cpu_model").value_or("an unknown processor");
  sentences.push_back(fmt::format(
      "On {}, {} cores; {}; engine {}.", cpu, factOf(details, "cores_usable").value_or("?"),
      factOf(details, "distribution").value_or("an unknown system"), details.engineVersion));
  return sentences;
}

bool useRun(ExportInput& input, ExportJob& job, Problems& problems, Graph& original) {
  const auto run = keptRun(storeFile(input.store), input.run);
  if (!run) {
    problems.error("", "--run", run.error().message, "`millrace runs list` lists the kept runs");
    return false;
  }
  input.pipeline.document = run->pipelineJson;
  job.subject.name = run->details.summary.pipelineName;
  if (const ReadGraph read = parseGraph(run->pipelineJson, builtinCatalog()); read.graph) {
    original = *read.graph;
    job.subject.figures = figureSentences(run->details, original);
  }
  return true;
}

bool check(const ExportInput& input, const LoadedPipeline& loaded, ExportJob& job,
           Problems& problems, std::vector<std::string>& notes) {
  ExportCheck checked =
      checkForExport(loaded.graph, builtinCatalog(), loaded.base, input.pipeline.noRandom);
  for (const Problem& problem : checked.problems) problems.add(problem);
  notes.insert(notes.end(), checked.notes.begin(), checked.notes.end());
  job.subject.dataKnown = checked.dataKnown;
  if (!checked.pipeline) return false;
  job.pipeline = std::move(checked.pipeline);
  job.subject.pipeline = &*job.pipeline;
  return true;
}

}  // namespace

void ExportInput::addTo(CLI::App& command) {
  pipeline.addTo(command);
  command.remove_option(command.get_option("--no-fuse"));
  CLI::Option* document = command.get_option("pipeline");
  document->required(false);
  CLI::Option* kept =
      command
          .add_option("--run", run, "Export this kept run: number, beginning of its id, or last")
          ->type_name("ID");
  kept->excludes(document);
  command.add_option("--store", store, "Read the run and measured rates from this file")
      ->type_name("FILE");
  command.add_flag("--no-figures", noFigures, "Leave out measured figures");
}

bool prepareExport(ExportInput& input, const Exporter& exporter, ExportJob& job, Problems& problems,
                   std::vector<std::string>& notes) {
  Graph original;
  job.subject.name = input.pipeline.pipeline == "-" ? "standard input" : input.pipeline.pipeline;
  if (!input.run.empty() && !useRun(input, job, problems, original)) return false;
  std::optional<LoadedPipeline> loaded = loadPipeline(input.pipeline, problems);
  if (!loaded) return false;
  if (!job.subject.figures.empty() && !input.noFigures && !(loaded->graph == original))
    notes.emplace_back("the run's figures are left out, because the settings were changed");
  if (input.noFigures || !(loaded->graph == original)) job.subject.figures.clear();
  if (!input.noFigures) job.subject.rateOf = rateSentences(storeFile(input.store));
  job.subject.version = kVersion;
  job.subject.catalog = &builtinCatalog();
  if (exporter.isCode && !check(input, *loaded, job, problems, notes)) return false;
  job.graph = std::move(loaded->graph);
  job.subject.graph = &job.graph;
  return true;
}

}  // namespace millrace::cli

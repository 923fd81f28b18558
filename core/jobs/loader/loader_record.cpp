// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/loader/loader_record.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/version.h"
#include "core/compare/kept_run.h"
#include "core/export/exported_code.h"
#include "core/store/run_origin.h"

namespace millrace {

std::string loaderText(const LoaderReady& loader) {
  std::string text = loader.what;
  if (loader.workers > 0) text += fmt::format(", {}", counted(loader.workers, "worker"));
  for (const auto& [name, version] : loader.versions) text += fmt::format(", {} {}", name, version);
  return validUtf8(text);
}

std::string batchText(const LoaderFirst& first) {
  std::string text = fmt::format("{}: {}", counted(first.samples, "sample"), first.item);
  if (!first.rule.empty()) text += fmt::format(" ({})", first.rule);
  return validUtf8(text);
}

Facts loaderMachineFacts(const OwnLoader& loader, const Environment& environment) {
  Facts facts = environmentFacts(environment);
  facts.emplace_back("engine_version", engineVersion());
  const auto exported = digestOfExport(contentOf(loader));
  facts.emplace_back(kOriginFact, exported ? kExportOrigin : kLoaderOrigin);
  if (exported) facts.emplace_back(kExportCodeFact, *exported);
  return facts;
}

Facts loaderFactsOf(const LoaderFacts& loader) {
  Facts facts = {{"loader_kind", validUtf8(loader.ready.what)},
                 {"loader_workers", std::to_string(loader.ready.workers)},
                 {"loader_batch", batchText(loader.first)}};
  for (const auto& [name, version] : loader.ready.versions)
    facts.emplace_back("loader_" + name, validUtf8(version));
  return facts;
}

Facts loaderMeasureFacts(const MeasureSettings& measure) {
  Facts facts;
  for (auto& fact : measureFacts(measure, true))
    if (fact.first == "measured_span" || fact.first == "warmup_seconds")
      facts.push_back(std::move(fact));
  return facts;
}

PlanEvent loaderPlan(const std::string& name, const LoaderNodes& nodes, std::uint64_t workers) {
  PlanEvent plan;
  PlanEvent::Stage inside;
  inside.id = "workers";
  inside.threads = workers;
  inside.unit = "batch";
  inside.order = "strict";
  PlanEvent::Stage program = inside;
  program.id = name;
  program.threads = 1;
  program.onConsumer = true;
  for (std::size_t i = 0; i < nodes.ids.size(); ++i) {
    const bool inWorkers = i < nodes.inside && workers > 0;
    (inWorkers ? inside : program).nodes.push_back(nodes.ids[i]);
    plan.nodes.push_back({nodes.ids[i], nodes.ids[i], std::string(nameOf(Level::Batch))});
  }
  if (!inside.nodes.empty()) plan.stages.push_back(std::move(inside));
  plan.stages.push_back(std::move(program));
  return plan;
}

PlanEvent keptLoaderPlan(const RunDetails& details) {
  LoaderNodes nodes;
  for (const RepeatRecord& repeat : details.repeats) {
    if (repeat.nodes.empty()) continue;
    nodes = {};
    for (const NodeRecord& node : repeat.nodes) {
      nodes.ids.push_back(node.id);
      if (node.id != kFetchNode && node.id != kStepNode) ++nodes.inside;
    }
  }
  const auto workers = factOf(details, "loader_workers");
  return loaderPlan(details.summary.pipelineName, nodes,
                    workers ? std::strtoull(workers->c_str(), nullptr, 10) : 0);
}

NewRun loaderRecord(const OwnLoader& loader, const RunLabels& labels, const Facts& facts) {
  NewRun run;
  run.experiment = labels.experiment;
  run.name = labels.name;
  run.tags = labels.tags;
  run.pipelineName = validUtf8(shownName(loader));
  run.pipelineJson = documentOf(loader);
  run.engineVersion = engineVersion();
  run.environment = facts;
  return run;
}

}  // namespace millrace

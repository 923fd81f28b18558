// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/loader/loader_record.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/version.h"
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

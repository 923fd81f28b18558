// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_again.h"

#include <fmt/format.h>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/search/stopped_search.h"
#include "core/nodes/builtin.h"

namespace millrace {

std::string tunedDocumentOf(const LoadedPipeline& loaded) {
  return graphText(withAbsolutePaths(loaded.graph, builtinCatalog(), loaded.base),
                   builtinCatalog());
}

Result<KeptTuning> tuningAgain(const std::filesystem::path& file, const TuneAgain& again,
                               const std::string& document) {
  Result<KeptTuning> kept = again.replay ? keptTuning(file, again.experiment)
                                         : stoppedTuning(file, again.experiment, document);
  if (!kept) return kept;
  if (document.empty()) return kept;
  const std::string& before = kept->settings.front().document;
  if (!before.empty() && before != document)
    return Error{
        fmt::format("\"{}\" belongs to another pipeline, or to this one before it was "
                    "changed; without naming a pipeline, the kept one is used",
                    kept->experiment())};
  return kept;
}

std::string lackOf(const KeptTuning& kept) {
  const std::string name = "\"" + kept.experiment() + "\"";
  if (!kept.log.request)
    return name + " has no log: it is not a tuning, or an earlier version kept it without one";
  if (kept.settings.front().document.empty())
    return name + ": the unmodified pipeline's run was deleted";
  return {};
}

Status withinReach(const KeptTuning& kept, const TuneMeaning& meaning,
                   std::optional<std::int64_t> cores) {
  const bool epochs = meaning.goal == TuneGoal::EpochTime;
  if (epochs != (kept.log.request->goal == nameOf(TuneGoal::EpochTime)))
    return Error{fmt::format(
        "the goal {}: the trials of \"{}\" were measured for {}, but a first epoch is measured "
        "differently",
        nameOf(meaning.goal), kept.experiment(), kept.log.request->goal)};
  const double had = surroundingsOf(kept.facts).cores.value_or(0);
  if (cores && static_cast<double>(*cores) > had)
    return Error{fmt::format("{} cores: the trials of \"{}\" were measured on {:.3g}", *cores,
                             kept.experiment(), had)};
  return {};
}

std::string keptCoresOf(const KeptTuning& kept) { return factNamed(kept.facts, "kept_on_cores"); }

}  // namespace millrace

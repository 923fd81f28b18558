// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_request.h"

#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/jobs/search/stopped_search.h"
#include "core/store/run_store.h"
#include "core/store/search_notes.h"

namespace millrace {

namespace {

using nlohmann::json;

constexpr const char* kStep = "sweep";

template <class T>
void put(json& to, const char* key, const std::optional<T>& value) {
  if (value) to[key] = *value;
}

/// Missing keys and other types leave the value unchanged.
template <class T>
void take(const json& from, const char* key, T& value) {
  const auto found = from.find(key);
  if (found == from.end()) return;
  if constexpr (std::is_same_v<T, std::string>) {
    if (found->is_string()) value = found->template get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (found->is_boolean()) value = found->template get<bool>();
  } else {
    if (found->is_number()) value = found->template get<typename T::value_type>();
  }
}

std::optional<SweepRequest> requestIn(const std::vector<std::string>& lines) {
  if (lines.empty()) return std::nullopt;
  const json kept = parsedJson(lines.front());
  if (!kept.is_object() || kept.value("step", "") != kStep) return std::nullopt;
  SweepRequest request;
  take(kept, "pipeline", request.pipeline);
  take(kept, "document", request.document);
  if (const auto vary = kept.find("vary"); vary != kept.end() && vary->is_array())
    for (const json& each : *vary)
      if (each.is_string()) request.vary.push_back(each.get<std::string>());
  take(kept, "plan", request.plan);
  take(kept, "random", request.random);
  take(kept, "latin", request.latin);
  take(kept, "repeats", request.repeats);
  take(kept, "seconds", request.seconds);
  take(kept, "batches", request.batches);
  take(kept, "warmup", request.warmup);
  take(kept, "trial_timeout", request.trialTimeout);
  take(kept, "trial_memory", request.trialMemory);
  take(kept, "max_failures", request.maxFailures);
  take(kept, "no_random", request.noRandom);
  take(kept, "no_fuse", request.noFuse);
  return request;
}

}  // namespace

std::string lineOf(const SweepRequest& request) {
  json line = {{"step", kStep},
               {"format_version", 1},
               {"pipeline", request.pipeline},
               {"document", request.document},
               {"vary", request.vary},
               {"plan", request.plan},
               {"trial_memory", request.trialMemory},
               {"max_failures", request.maxFailures},
               {"no_random", request.noRandom},
               {"no_fuse", request.noFuse}};
  put(line, "random", request.random);
  put(line, "latin", request.latin);
  put(line, "repeats", request.repeats);
  put(line, "seconds", request.seconds);
  put(line, "batches", request.batches);
  put(line, "warmup", request.warmup);
  put(line, "trial_timeout", request.trialTimeout);
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SweepRequest> stoppedSweepRequest(const std::filesystem::path& file,
                                         const std::string& experiment) {
  const std::string which = experiment.empty() ? "" : " in experiment \"" + experiment + "\"";
  const Error none{
      fmt::format("there is no stopped sweep{} in {}; begin a new one", which, file.string())};
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return none;
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  MILLRACE_ASSIGN_OR_RETURN(auto notes, SearchNotes::open(file));
  MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
  for (const SearchSummary& search : searches) {
    if (!experiment.empty() && search.experiment != experiment) continue;
    MILLRACE_ASSIGN_OR_RETURN(const auto lines, notes.steps(search.experiment));
    std::optional<SweepRequest> request = requestIn(lines);
    if (request && !isComplete(search)) {
      request->experiment = search.experiment;
      return std::move(*request);
    }
    if (experiment.empty()) continue;
    if (request) return Error{fmt::format("the sweep{} is complete", which)};
    return Error{lines.empty()
                     ? fmt::format("the sweep{} was kept without its arguments: name the pipeline "
                                   "and what to vary again",
                                   which)
                     : fmt::format("the search{} is a tuning: continue it as a tuning", which)};
  }
  return none;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/kept_runs.h"

#include <system_error>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/compare/from_store.h"
#include "core/nodes/builtin.h"
#include "core/store/named_run.h"

namespace millrace {

namespace {

constexpr const char* kBaseline = "baseline";

Result<RunNumber> baselineOf(RunStore& store, const std::string& experiment) {
  RunQuery query;
  query.experiment = experiment;
  query.where = parseQuery("baseline", {}, {}).condition;
  query.limit = 1;
  MILLRACE_ASSIGN_OR_RETURN(const auto runs, store.list(query));
  if (!runs.empty()) return runs.front().number;
  return Error{
      fmt::format("the experiment {} has no baseline; set one with `millrace runs baseline RUN`",
                  validUtf8(experiment))};
}

}  // namespace

std::string noRunsYet() { return "there are no runs yet; `millrace run classification` makes one"; }

bool looksLikeRun(const std::string& word) {
  if (word == "last") return true;
  const auto only = [](std::string_view text, std::string_view bytes) {
    return !text.empty() && text.find_first_not_of(bytes) == text.npos;
  };
  constexpr std::size_t kShortestUid = 4;
  const std::string_view text = word;
  return only(text.starts_with('#') ? text.substr(1) : text, "0123456789") ||
         (text.size() >= kShortestUid && only(text, "0123456789abcdefABCDEF-"));
}

Result<KeptRun> keptRun(const std::filesystem::path& file, const std::string& which) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return Error{noRunsYet()};
  Database::Options options;
  options.mode = Database::Mode::Read;
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file, options));
  MILLRACE_ASSIGN_OR_RETURN(const auto number, runNamed(store, which));
  return loadRun(store, number);
}

Result<std::vector<RunNumber>> runsNamed(RunStore& store, const std::vector<std::string>& words) {
  std::vector<RunNumber> numbers(words.size());
  std::string experiment;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kBaseline) continue;
    MILLRACE_ASSIGN_OR_RETURN(const auto number, runNamed(store, words[i]));
    numbers[i] = number;
    if (!experiment.empty()) continue;
    MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(number));
    experiment = details.summary.experiment;
  }
  if (experiment.empty()) return Error{"name a run to compare with the baseline"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != kBaseline) continue;
    MILLRACE_ASSIGN_OR_RETURN(numbers[i], baselineOf(store, experiment));
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (numbers[j] == numbers[i])
        return Error{fmt::format("`{}` and `{}` are the same run; name each run only once",
                                 validUtf8(words[j]), validUtf8(words[i]))};
  return numbers;
}

Result<std::vector<KeptRun>> loadRuns(RunStore& store, const std::vector<RunNumber>& numbers) {
  return loadRuns(store, numbers, builtinCatalog());
}

}  // namespace millrace

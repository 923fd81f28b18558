// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kept_runs.h"

#include <system_error>

#include <fmt/format.h>

#include "app/cli/runs.h"
#include "core/base/text.h"
#include "core/compare/from_store.h"
#include "core/nodes/builtin.h"
#include "core/store/named_run.h"

namespace millrace::cli {

namespace {

constexpr const char* kBaseline = "baseline";

Result<RunNumber> baselineOf(RunStore& store, const std::string& experiment) {
  RunQuery query;
  query.experiment = experiment;
  query.where = parseQuery("baseline", {}, {}).condition;
  query.limit = 1;
  const auto runs = store.list(query);
  if (!runs) return runs.error();
  if (!runs->empty()) return runs->front().number;
  return Error{fmt::format(
      "the experiment {} has no baseline; `millrace runs baseline RUN` makes a run its baseline",
      validUtf8(experiment))};
}

}  // namespace

Result<KeptRun> keptRun(const std::filesystem::path& file, const std::string& which) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return Error{noRunsYet()};
  Database::Options options;
  options.mode = Database::Mode::Read;
  auto store = RunStore::open(file, options);
  if (!store) return store.error();
  const auto number = runNamed(*store, which);
  if (!number) return number.error();
  return loadRun(*store, *number);
}

Result<std::vector<RunNumber>> runsNamed(RunStore& store, const std::vector<std::string>& words) {
  std::vector<RunNumber> numbers(words.size());
  std::string experiment;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kBaseline) continue;
    const auto number = runNamed(store, words[i]);
    if (!number) return number.error();
    numbers[i] = *number;
    if (!experiment.empty()) continue;
    const auto details = store.show(*number);
    if (!details) return details.error();
    experiment = details->summary.experiment;
  }
  if (experiment.empty()) return Error{"name a run to hold against the baseline"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != kBaseline) continue;
    const auto number = baselineOf(store, experiment);
    if (!number) return number.error();
    numbers[i] = *number;
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (numbers[j] == numbers[i])
        return Error{fmt::format("`{}` and `{}` are the same run; each can stand once",
                                 validUtf8(words[j]), validUtf8(words[i]))};
  return numbers;
}

Result<std::vector<KeptRun>> loadRuns(RunStore& store, const std::vector<RunNumber>& numbers) {
  return millrace::loadRuns(store, numbers, builtinCatalog());
}

}  // namespace millrace::cli

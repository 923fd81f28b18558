// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs`: the kept runs.
#include "app/cli/runs/runs.h"

#include <algorithm>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/store/named_run.h"

namespace millrace::cli {

void StoreArguments::addTo(CLI::App& command) {
  command.add_option("--store", store, "Use this store")->type_name("FILE");
  command.add_flag("--json", json, "Print as JSON");
}

std::filesystem::path storeFile(const std::string& flag) {
  return flag.empty() ? defaultStorePath() : std::filesystem::path(flag);
}

std::string suggestedStore(const std::string& flag) {
  return flag.empty() ? std::string() : " --store " + shownShellWord(flag);
}

std::string ofArgument(std::string message) {
  constexpr std::string_view kSetting = " with the setting `store`";
  if (const std::size_t at = message.find(kSetting); at != std::string::npos)
    message.erase(at, kSetting.size());
  return message;
}

namespace {

int useStore(const std::filesystem::path& file, Database::Mode mode,
             const std::function<int()>& empty, const std::function<int(RunStore&)>& work) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    if (file == defaultStorePath()) return empty();
    return fail("there is no store " + file.string() + "; check the name after --store", kBadUsage);
  }
  Database::Options options;
  options.mode = mode;
  Result<RunStore> store = RunStore::open(file, options);
  if (!store) return fail(store.error().message, kFailed);
  return work(*store);
}

}  // namespace

int withStore(const std::filesystem::path& file, const std::function<int()>& empty,
              const std::function<int(RunStore&)>& work) {
  return useStore(file, Database::Mode::Read, empty, work);
}

int withStoreToChange(const std::filesystem::path& file,
                      const std::function<int(RunStore&)>& work) {
  return useStore(file, Database::Mode::Write, [] { return fail(noRunsYet(), kBadUsage); }, work);
}

int sayWhatIsUnreadable(const RunList& list) {
  if (list.unreadable == 0) return kDone;
  printMessage("warning: {} cannot be read and {} left out: {}\n", runCount(list.unreadable),
               list.unreadable == 1 ? "is" : "are", visibleName(list.damage));
  return kFailed;
}

int sayWhatIsUnreadable(const RunStore& store, const RunDetails& details) {
  if (details.unreadable.empty()) return kDone;
  printMessage("warning: the store {} is damaged: {} of this run cannot be read\n",
               visibleName(store.file().string()), joinWords(details.unreadable));
  return kFailed;
}

Result<std::vector<RunNumber>> distinctRuns(RunStore& store,
                                            const std::vector<std::string>& which) {
  std::vector<RunNumber> runs;
  for (const std::string& word : which) {
    MILLRACE_ASSIGN_OR_RETURN(const auto run, runNamed(store, word));
    if (std::ranges::find(runs, run) == runs.end()) runs.push_back(run);
  }
  return runs;
}

std::string runCount(std::int64_t count) {
  return fmt::format("{} run{}", count, count == 1 ? "" : "s");
}

std::string runsWithNumbers(const std::vector<RunNumber>& runs) {
  std::vector<std::string> numbers;
  for (const RunNumber run : runs)
    numbers.push_back(std::to_string(static_cast<std::int64_t>(run)));
  return runCount(static_cast<std::int64_t>(runs.size())) + ": " + joinWords(numbers);
}

void addRuns(CLI::App& app, Action& action) {
  CLI::App* runs =
      app.add_subcommand("runs", "List, show, compare, label, delete and export kept runs");
  runs->require_subcommand(1);
  runs->footer("Example:  millrace runs list --limit 5\n          millrace runs show last");
#define MILLRACE_RUNS_COMMAND(name) addRuns##name(*runs, action);
#include "app/cli/runs/runs.def"
#undef MILLRACE_RUNS_COMMAND
}

}  // namespace millrace::cli

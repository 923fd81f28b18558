// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs`: what the store has kept.
#include "app/cli/runs.h"

#include <cstdio>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/base/text.h"

namespace millrace::cli {

void StoreArguments::addTo(CLI::App& command) {
  command.add_option("--store", store, "Use this file")->type_name("FILE");
  command.add_flag("--json", json, "Print as JSON");
}

std::filesystem::path StoreArguments::file() const {
  return store.empty() ? defaultStorePath() : std::filesystem::path(store);
}

int fail(const std::string& message, int code) {
  fmt::print(stderr, "error: {}\n", validUtf8(message));
  return code;
}

std::string noRunsYet() { return "no runs yet; `millrace run classification` makes one"; }

int withStore(const std::filesystem::path& file, const std::function<int()>& empty,
              const std::function<int(RunStore&)>& work) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return empty();
  Database::Options options;
  options.mode = Database::Mode::Read;
  Result<RunStore> store = RunStore::open(file, options);
  if (!store) return fail(store.error().message, kFailed);
  return work(*store);
}

namespace {

Result<RunNumber> lastRun(RunStore& store) {
  RunQuery query;
  query.limit = 1;
  const auto runs = store.list(query);
  if (!runs) return runs.error();
  if (runs->empty()) return Error{noRunsYet()};
  return runs->front().number;
}

}  // namespace

Result<RunNumber> runNamed(RunStore& store, const std::string& which) {
  return which == "last" ? lastRun(store) : store.find(which);
}

void addRuns(CLI::App& app, Action& action) {
  CLI::App* runs = app.add_subcommand("runs", "List the runs that were kept, or show one");
  runs->require_subcommand(1);
  runs->footer("Example:  millrace runs list --limit 5\n          millrace runs show last");
  addRunsList(*runs, action);
  addRunsShow(*runs, action);
  addRunsCompare(*runs, action);
}

}  // namespace millrace::cli

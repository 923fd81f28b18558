// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs import`: copies runs from another store.
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/common/output.h"
#include "app/cli/runs/run_selection.h"
#include "app/cli/runs/runs.h"
#include "core/events/json/json_text.h"

namespace millrace::cli {

namespace {

struct ImportArguments {
  StoreArguments store;
  std::string source;
  RunSelection selection;
};

/// Number of runs by outcome (RunStore::Import).
using ImportCounts = std::array<std::int64_t, 4>;

std::int64_t countOf(const ImportCounts& counts, RunStore::Import which) {
  return counts[static_cast<std::size_t>(which)];
}

std::string importText(const ImportCounts& counts) {
  using enum RunStore::Import;
  std::string text = runCount(countOf(counts, Added)) + " imported";
  if (const auto there = countOf(counts, AlreadyThere); there > 0)
    text += fmt::format(", {} {} here already", there, there == 1 ? "was" : "were");
  if (const auto running = countOf(counts, Running); running > 0)
    text += fmt::format(", {} left out: still being written", running);
  return text + "\n";
}

std::string importJson(const ImportCounts& counts) {
  using enum RunStore::Import;
  return prettyJson({{"imported", countOf(counts, Added)},
                     {"already_there", countOf(counts, AlreadyThere)},
                     {"still_running", countOf(counts, Running)},
                     {"unreadable", countOf(counts, Unreadable)}});
}

int importInto(RunStore& target, RunStore& source, const ImportArguments& arguments) {
  const auto vocabulary = vocabularyOf(source);
  if (!vocabulary) return fail(ofArgument(vocabulary.error().message), kFailed);
  const auto query = queryOf(source, arguments.selection, *vocabulary);
  if (!query) return kBadUsage;
  auto list = source.search(*query);
  if (!list) return fail(ofArgument(list.error().message), kFailed);
  ImportCounts counts{};
  // Oldest first, so that they are numbered in the order in which they were made.
  for (auto run = list->runs.rbegin(); run != list->runs.rend(); ++run) {
    const auto imported = target.importRun(source, run->number);
    if (!imported) return fail(imported.error().message, kFailed);
    ++counts[static_cast<std::size_t>(*imported)];
  }
  auto& unreadable = counts[static_cast<std::size_t>(RunStore::Import::Unreadable)];
  if (unreadable > 0 && list->damage.empty())
    list->damage = "the store " + arguments.source + " is damaged";
  unreadable += list->unreadable;
  list->unreadable = unreadable;
  print("{}", arguments.store.json ? importJson(counts) : importText(counts));
  return sayWhatIsUnreadable(*list);
}

int importRuns(const ImportArguments& arguments) {
  const std::filesystem::path target = arguments.store.file();
  std::error_code error;
  if (std::filesystem::equivalent(arguments.source, target, error))
    return fail("this file is the store to import into", kBadUsage);
  auto source = RunStore::openSource(arguments.source);
  if (!source) return fail(ofArgument(source.error().message), kFailed);
  auto store = RunStore::open(target);
  if (!store) return fail(store.error().message, kFailed);
  return importInto(*store, *source, arguments);
}

}  // namespace

void addRunsImport(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* in = runs.add_subcommand("import", "Copy runs from another store");
  in->footer(
      "Example:  millrace runs import server.db 'tag:keep'\n"
      "Runs that exist here already are not changed. Tags, notes, series, baselines, trials and "
      "comparisons are copied, too: a baseline only if its experiment has none here, trials only "
      "if the experiment has none of another search here. The other store "
      "is never changed.\n" +
      queryHelp());
  in->add_option("file", arguments->source, "The other store")->required()->type_name("FILE");
  arguments->selection.addTo(*in);
  arguments->store.addTo(*in);
  in->callback([arguments, &action] { action = [arguments] { return importRuns(*arguments); }; });
}

}  // namespace millrace::cli

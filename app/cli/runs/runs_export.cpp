// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs export`: runs as a table or as JSON, for other programs.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/run_text.h"
#include "app/cli/runs/run_list_page.h"
#include "app/cli/runs/run_pages.h"
#include "app/cli/runs/run_selection.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/whole_file.h"
#include "core/compare/from_store.h"

namespace millrace::cli {

namespace {

struct RunsExportArguments {
  std::string store;
  RunSelection selection;
  std::string to = "csv";
  std::string columns;
  std::string output;
  bool force = false;
};

/// Drops settings that are the same in all runs.
void dropConstants(std::size_t first, RunQuery& query, std::vector<RunSummary>& runs) {
  for (std::size_t c = query.columns.size(); c-- > first;) {
    bool varies = false;
    for (const RunSummary& run : runs) varies |= run.cells[c] != runs.front().cells[c];
    if (varies) continue;
    query.columns.erase(query.columns.begin() + static_cast<std::ptrdiff_t>(c));
    for (RunSummary& run : runs)
      run.cells.erase(run.cells.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

/// The default columns, figures and differing settings; or the requested columns.
Result<std::string> exportCsv(RunStore& store, const RunsExportArguments& arguments, RunQuery query,
                              RunList& list) {
  MILLRACE_ASSIGN_OR_RETURN(const auto vocabulary, vocabularyOf(store));
  const std::string usual = csvColumns() +
                            ",seconds,samples,batches_per_second,input_bytes_per_second,"
                            "cpu_seconds_per_1000_samples,peak_rss_bytes,step_share,wait_p95_ms";
  auto columns = parseColumns(arguments.columns.empty() ? usual : arguments.columns, vocabulary);
  if (!columns) return Error{"--columns: " + columns.error().message};
  query.columns = columns.take();
  const std::size_t fixed = query.columns.size();
  if (arguments.columns.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(const auto kept, store.vocabulary());
    for (const KnownSetting& setting : kept)
      query.columns.push_back(*findField(setting.name, vocabulary));
  }
  MILLRACE_ASSIGN_OR_RETURN(list, store.search(query));
  dropConstants(fixed, query, list.runs);
  return runListCsv(list.runs, query.columns);
}

/// An array with the output of `runs show --json` for each run.
Result<std::string> exportJson(RunStore& store, const RunQuery& query, RunList& list) {
  MILLRACE_ASSIGN_OR_RETURN(list, store.search(query));
  std::string text = "[";
  for (const RunSummary& run : list.runs) {
    const auto kept = loadRun(store, run.number);
    if (!kept || !kept->details.unreadable.empty()) {
      ++list.unreadable;
      list.damage = kept ? "damaged: " + joinWords(kept->details.unreadable) : kept.error().message;
      continue;
    }
    text += text.size() > 1 ? ",\n" : "\n";
    text += trimmed(runJson(*kept));
  }
  return text + "\n]\n";
}

int exportRuns(const RunsExportArguments& arguments) {
  const IfThere ifThere = arguments.force ? IfThere::Replace : IfThere::Refuse;
  if (!arguments.output.empty())
    if (Status may = mayWrite(arguments.output, ifThere); !may)
      return fail(may.error().message, kFailed);
  const auto none = [] { return fail(noRunsYet(), kBadUsage); };
  return withStore(storeFile(arguments.store), none, [&](RunStore& store) {
    const auto vocabulary = vocabularyOf(store);
    if (!vocabulary) return fail(vocabulary.error().message, kFailed);
    const auto query = queryOf(store, arguments.selection, *vocabulary);
    if (!query) return kBadUsage;
    RunList list;
    const auto text = arguments.to == "csv" ? exportCsv(store, arguments, *query, list)
                                            : exportJson(store, *query, list);
    if (!text) return fail(text.error().message, kFailed);
    if (arguments.output.empty()) {
      print("{}", *text);
    } else {
      if (Status written = writeWholeFile(arguments.output, *text, ifThere); !written)
        return fail(written.error().message, kFailed);
      print("{} in {}\n", runCount(static_cast<std::int64_t>(list.runs.size())),
            visibleName(arguments.output));
    }
    return sayWhatIsUnreadable(list);
  });
}

}  // namespace

void addRunsExport(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<RunsExportArguments>();
  CLI::App* out = runs.add_subcommand("export", "Write runs as CSV or JSON");
  out->footer(
      "Example:  millrace runs export 'state = finished' -o runs.csv\n"
      "          millrace runs export --to json --experiment photos > photos.json\n"
      "CSV has one line per run: figures, and the settings in which the runs differ. JSON has "
      "everything that `runs show --json` prints.\n" +
      queryHelp());
  arguments->selection.addTo(*out);
  out->add_option("--to", arguments->to, "csv or json (csv)")->check(oneOf({"csv", "json"}));
  out->add_option("--columns", arguments->columns, "The columns of the CSV file")
      ->type_name("NAME,...");
  out->add_option("-o,--output", arguments->output, "Write to this file (standard output)")
      ->type_name("FILE");
  out->add_flag("--force", arguments->force, "Replace an existing file");
  out->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  out->callback([arguments, &action] { action = [arguments] { return exportRuns(*arguments); }; });
}

}  // namespace millrace::cli

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace inspect --all`: every sample of a data set is examined once.
#include "app/cli/inspect/report.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/program_words.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/common/work_progress.h"
#include "app/cli/inspect/report_list.h"
#include "app/cli/inspect/report_page.h"
#include "app/cli/run/run_control.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/whole_file.h"
#include "core/events/jobs/data_report_json.h"
#include "core/events/stream/steady_seconds.h"
#include "core/formats/io/data_place.h"
#include "core/jobs/inspect/report_job.h"
#include "core/storage/remote_path.h"

namespace millrace::cli {

namespace {

namespace fs = std::filesystem;

/// The last event. It names a part of the samples, because a line of the stream must stay readable.
void printEvent(DataReport report) {
  constexpr std::size_t kMostNames = 10000;
  for (ReportedFinding& finding : report.findings)
    finding.samples.resize(std::min(finding.samples.size(), kMostNames));
  print("{}\n", dataReportEvent(steadySeconds(), report));
}

class ReportScreen final : public DataReportObserver {
 public:
  explicit ReportScreen(bool events) : m_shown(events) {}

  void onStart() override { m_shown.start(); }
  void onProgress(const ReportProgress& progress) override {
    m_shown.show(singleLine(progress.set), progress.done, progress.of);
  }
  void clear() { m_shown.clear(); }

 private:
  WorkProgress m_shown;
};

Result<fs::path> existing(const std::string& text) {
  std::error_code error;
  fs::path path = typedPath(text);
  if (isRemotePath(text)) return path;
  if (path.filename().empty()) path = path.parent_path();
  if (!fs::exists(path, error)) return Error{fmt::format("{} does not exist", path.native())};
  return path;
}

std::string commandOf(const ReportArguments& a) {
  std::string command = programWords() + " inspect --all " + shownShellWord(a.path);
  if (!a.against.empty()) command += " --against " + shownShellWord(a.against);
  return command;
}

/// The whole command again, which continues where it was stopped: --restart would not.
std::string continuationOf(const ReportArguments& a) {
  std::string command = commandOf(a);
  if (!a.list.empty()) command += " --list " + shownShellWord(a.list);
  if (!a.output.empty()) command += " -o " + shownShellWord(a.output);
  if (a.workers > 0) command += fmt::format(" --workers {}", a.workers);
  for (const auto& [isSet, flag] : {std::pair{a.csv, " --csv"}, std::pair{a.force, " --force"},
                                    std::pair{a.json, " --json"}, std::pair{a.events, " --events"}})
    if (isSet) command += flag;
  return command;
}

/// The list of what can be used, if a finding leaves something out; else a pipeline for the data.
std::string nextCommand(const ReportArguments& a, const DataReport& report) {
  for (const ReportedFinding& finding : report.findings) {
    if (!isLeftOut(finding.finding)) continue;
    return commandOf(a) + " --list clean" +
           (report.hasParts() ? " -o clean.txt" : " --csv -o clean.csv");
  }
  return fmt::format("{} inspect {} -o data.millrace.json", programWords(), shownShellWord(a.path));
}

/// How the list is used.
std::string useOf(const ReportArguments& a, const DataReport& report) {
  const std::string pipeline = "data.millrace.json";
  const std::string file = shownShellWord(a.output);
  const std::string data = a.csv ? file : shownShellWord(a.path);
  std::string command = fmt::format("{} inspect {} -o {}", programWords(), data, pipeline);
  if (!a.csv && !report.sets.empty())
    command += fmt::format("\n  {} run {} --insert filter:{} --set filter.list={}", programWords(),
                           pipeline, report.sets.front().node, file);
  return command;
}

/// "written: clean.csv, 29 of 47 samples".
void printWritten(const ReportArguments& a, const WrittenList& list, const DataReport& report) {
  print("written: {}, {}\n", visibleName(a.output),
        list.clean
            ? fmt::format("{} of {}", grouped(list.rows),
                          counted(report.sets.empty() ? 0 : report.sets.front().samples, "sample"))
            : fmt::format("{} of {} samples", counted(list.rows, "finding"),
                          grouped(report.samples())));
  if (list.clean && list.rows > 0) print("\nNext:\n  {}\n", useOf(a, report));
}

/// Writes what -o asks for. False: it cannot be written, which is reported.
bool keep(const ReportArguments& a, const std::string& content) {
  const Status kept =
      writeWholeFile(a.output, content, a.force ? IfThere::Replace : IfThere::Refuse);
  if (!kept) fail(kept.error().message, kFailed);
  return kept.ok();
}

int showList(const ReportArguments& a, const ListRequest& request, const DataReportJob& job,
             const DataReport& report) {
  const auto written = listText(job, report, request);
  if (!written) return fail(written.error().message, kFailed);
  const WrittenList& list = *written;
  if (!a.output.empty() && !keep(a, list.text)) return kFailed;
  if (a.events)
    printEvent(report);
  else if (a.output.empty())
    print("{}", list.text);
  else if (a.json)
    print("{}", dataReportJson(report));
  else
    printWritten(a, list, report);
  return kDone;
}

int interrupted(const ReportArguments& a, DataReport report) {
  report.next = continuationOf(a);
  if (a.events) printEvent(report);
  if (a.json) print("{}", dataReportJson(report));
  printMessage(
      "interrupted: {}",
      wrapped(fmt::format("{} of {} samples are examined; `{}` continues",
                          grouped(report.examined()), grouped(report.samples()), report.next),
              4, 13));
  return kInterrupted;
}

int show(const ReportArguments& a, const DataReport& report) {
  if (!a.output.empty() && !keep(a, dataReportJson(report))) return kFailed;
  if (a.events)
    printEvent(report);
  else if (a.json)
    print("{}", dataReportJson(report));
  else
    print("{}", dataReportPage(report));
  return kDone;
}

}  // namespace

void ReportArguments::addTo(CLI::App& inspect) {
  CLI::Option* every =
      inspect.add_flag("--all", all, "Examine every sample, and report what is wrong");
  const auto needsAll = [every](CLI::Option* option) { option->needs(every); };
  needsAll(inspect.add_option("--against", against,
                              "Also examine this data, and find samples that both have"));
  needsAll(inspect
               .add_option("--list", list,
                           "Print the samples with these findings instead: names with commas, "
                           "`all`, or `clean`, the samples of the first set that can be used: "
                           "readable, whole, not of one colour, and one of several copies")
               ->type_name("FINDINGS"));
  needsAll(inspect.add_flag("--csv", csv, "Print the list as a table"));
  needsAll(inspect.add_option("--workers", workers, "Number of threads (one per core)")
               ->transform(whole(1, 1024)));
  needsAll(inspect.add_flag("--restart", restart, "Discard what earlier reports have examined"));
  needsAll(inspect.add_flag("--events", events, "Print progress and result as JSON Lines"));
}

int reportCommand(const ReportArguments& a) {
  const auto list = listRequestOf(a.list, a.csv);
  if (!list) return fail(list.error().message);
  DataReportJob::Options options;
  auto path = existing(a.path);
  if (!path) return fail(path.error().message);
  options.path = path.take();
  if (!a.against.empty()) {
    auto against = existing(a.against);
    if (!against) return fail(against.error().message);
    options.against = against.take();
    if (*options.against == options.path) return fail("--against names the same data as PATH");
  }
  if (list->isWanted() && a.json && a.output.empty())
    return fail("--json prints the report, so the list needs a file: add -o FILE");
  if (!a.output.empty())
    if (const Status may = mayWrite(a.output, a.force ? IfThere::Replace : IfThere::Refuse); !may)
      return fail(may.error().message, kFailed);
  options.workers = a.workers;
  options.restart = a.restart;
  if (!list->isWanted() && (a.json || a.events || !a.output.empty()))
    options.names = std::numeric_limits<std::size_t>::max();
  DataReportJob job(options);
  ReportScreen screen(a.events);
  const InterruptWatch watch([&job] { job.stop(); });
  auto report = job.run(screen);
  screen.clear();
  if (!report) return fail(report.error().message, kFailed);
  if (report->interrupted) return interrupted(a, report.take());
  report->next = nextCommand(a, *report);
  return list->isWanted() ? showList(a, *list, job, *report) : show(a, *report);
}

}  // namespace millrace::cli

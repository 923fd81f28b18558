// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote/remote_inspect.h"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/inspect/inspect_page.h"
#include "app/cli/run/run_control.h"
#include "core/base/text/shell_word.h"
#include "core/base/whole_file.h"
#include "core/events/jobs/inspection_json.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/remote/remote_process.h"

namespace millrace::cli {

namespace {

/// Longer than any report.
constexpr std::size_t kLongestReport = 64U << 20U;

/// Collects the report.
class ReportThere final : public RemoteObserver {
 public:
  void onOutput(std::string_view bytes) override {
    if (m_text.size() < kLongestReport) m_text += bytes;
  }
  void onMessage(std::string_view bytes) override { passOnMessage(bytes); }
  const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

}  // namespace

bool writesPipeline(const CLI::App& command) {
  const CLI::Option* output = command.get_option_no_throw("--output");
  const CLI::Option* all = command.get_option_no_throw("--all");
  return command.get_name() == "inspect" && output->count() > 0 && all->count() == 0;
}

std::set<std::string> inspectFlagsOfHere() { return {"--output", "-o", "--force", "--json"}; }

int inspectThere(const CLI::App& command, const SshSettings& settings, RemoteRequest request) {
  const std::string& file = command.get_option("--output")->results().back();
  const IfThere ifThere =
      command.get_option("--force")->count() > 0 ? IfThere::Replace : IfThere::Refuse;
  if (const Status may = mayWrite(file, ifThere); !may) return fail(may.error().message, kFailed);
  request.words.insert(request.words.begin() + 1, "--json");
  const std::string program = request.program;
  ReportThere report;
  RemoteProcess process(settings, std::move(request), report);
  const Result<int> code = [&] {
    const InterruptWatch interrupts([&process] { process.stop(); });
    return process.run();
  }();
  if (!code) return fail(code.error().message, process.stopped() ? kInterrupted : kFailed);
  std::optional<Inspection> found = parseInspection(report.text());
  // The message has come already.
  if (!found || (found->description.empty() && *code != kDone)) return *code;
  if (!found->isReadable() || !found->proposal) return refuseNoPipeline(*found);
  const Status written =
      writeWholeFile(file, graphText(*found->proposal, builtinCatalog()), ifThere);
  if (!written) return fail(written.error().message, kFailed);
  found->next = program + " run " + shownShellWord(file);
  const bool json = command.get_option("--json")->count() > 0;
  print("{}", json ? inspectionJson(*found) : inspectionPage(*found));
  return *code;
}

}  // namespace millrace::cli

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote/remote_run.h"

#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/progress_line.h"
#include "app/cli/common/refusal.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_flags.h"
#include "core/base/text/visible_text.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/event_reader.h"
#include "core/events/stream/observed_events.h"
#include "core/jobs/remote/stream_recorder.h"
#include "core/remote/remote_process.h"

namespace millrace::cli {

namespace {

/// Longer than the result of any run.
constexpr std::size_t kLongestEvent = 64U << 20U;

/// How the user wants to see the run.
enum class RunView : std::uint8_t { Page, Json, Events };

/// The flags about keeping, from the command that was parsed.
KeepFlags keepFlagsOf(const CLI::App& command) {
  KeepFlags keep;
  const auto text = [&command](const char* name, std::string& value) {
    const CLI::Option* option = command.get_option(name);
    if (option->count() > 0) value = option->results().back();
  };
  text("--store", keep.store);
  text("--experiment", keep.labels.experiment);
  text("--name", keep.labels.name);
  keep.labels.tags = command.get_option("--tag")->results();
  keep.noStore = command.get_option("--no-store")->count() > 0;
  return keep;
}

/// Requests go to the program there, which answers them. The end of standard input means stop.
RequestReader::Handlers requestsFor(RemoteProcess& process) {
  RequestReader::Handlers handlers;
  handlers.request = [&process](const RunRequest& request) { process.tell(requestLine(request)); };
  handlers.malformed = [&process](const std::string&) { process.tell("malformed"); };
  handlers.ended = [&process] { process.stop(); };
  return handlers;
}

/// Keeps and shows the stream of a run of another machine.
class RunThere final : public RemoteObserver, public JobObserver {
 public:
  RunThere(std::string pipeline, KeepFlags keep, RunView view)
      : m_pipeline(std::move(pipeline)),
        m_keep(std::move(keep)),
        m_view(view),
        m_progress(view == RunView::Page && isatty(STDERR_FILENO) != 0) {}

  void onGreeting(const RemoteGreeting& greeting) override {
    m_recorder.emplace(m_keep.settings(), m_pipeline, greeting.machine, *this);
  }
  void onOutput(std::string_view bytes) override {
    m_line += bytes;
    std::size_t begun = 0;
    for (std::size_t end = m_line.find('\n'); end != std::string::npos;
         end = m_line.find('\n', begun)) {
      takeLine(std::string_view(m_line).substr(begun, end - begun));
      begun = end + 1;
    }
    m_line.erase(0, begun);
    if (m_line.size() > kLongestEvent) m_line.clear();
  }
  void onMessage(std::string_view bytes) override {
    m_progress.clear();
    passOnMessage(bytes);
  }
  void onNotKept(const std::string& sentence) override { reportNotKept(sentence); }

  /// `lost`: why the stream broke off; empty if the program there ended as it should.
  void end(const std::string& lost) {
    m_progress.clear();
    if (!m_recorder) return;
    const ResultEvent* result = m_recorder->result();
    m_recorder->end(lost.empty() ? "the program there ended without a result" : lost);
    RunIdentity identity{m_recorder->runId(), m_pipeline};
    if (m_view == RunView::Json && result != nullptr)
      print("{}\n", resultJson(result->result, identity, true));
    if (m_view != RunView::Page || identity.runId.empty()) return;
    const std::string kept = fmt::format("kept as run {0}: millrace runs show {0}{1}",
                                         identity.runId, m_keep.suggested());
    if (result != nullptr)
      print("\n  {}\n", kept);
    else
      printMessage("{}\n", kept);
  }

 private:
  void takeLine(std::string_view line) {
    const Result<StreamEvent> event = m_reader.read(line);
    if (!event || !m_recorder) return;
    m_recorder->take(*event);
    observe(*event, m_progress);
    const auto* problem = std::get_if<ProblemEvent>(&event->content);
    if (problem != nullptr && !problem->sample) noteProblems({problem->problem});
    if (const auto* page = std::get_if<PageEvent>(&event->content)) print("{}", page->text);
    const bool forUs = std::holds_alternative<RecordEvent>(event->content) ||
                       std::holds_alternative<PageEvent>(event->content);
    if (m_view != RunView::Events || forUs) return;
    passOnOutput(lineOfRun(line, m_recorder->runId()) + '\n');
  }

  const std::string m_pipeline;
  const KeepFlags m_keep;
  const RunView m_view;
  ProgressLine m_progress;
  EventReader m_reader;
  std::optional<StreamRecorder> m_recorder;
  std::string m_line;
};

RunView viewOf(const CLI::App& command) {
  if (command.get_option("--json")->count() > 0) return RunView::Json;
  return command.get_option("--events")->count() > 0 ? RunView::Events : RunView::Page;
}

}  // namespace

std::set<std::string> runFlagsOfHere() {
  return {"--store", "--no-store", "--experiment", "--name", "--tag", "--json", "--events"};
}

int runThere(const CLI::App& command, const SshSettings& settings, RemoteRequest request) {
  const RunView view = viewOf(command);
  const KeepFlags keep = keepFlagsOf(command);
  if (const Status may = keep.mayKeep(view == RunView::Events); !may)
    return fail(may.error().message);
  for (const char* word : {"--events", "--no-store"})
    request.words.insert(request.words.begin() + 1, word);
  request.words.insert(request.words.begin() + 1,
                       view == RunView::Page ? "--record=page" : "--record=result");
  RunThere there(command.get_option("pipeline")->results().front(), keep, view);
  RemoteProcess process(settings, std::move(request), there);
  const Result<int> code = [&] {
    const InterruptWatch interrupts([&process] { process.stop(); });
    std::optional<RequestReader> requests;
    if (view == RunView::Events) requests.emplace(requestsFor(process));
    return process.run();
  }();
  there.end(code ? std::string() : code.error().message);
  if (code) return *code;
  return fail(code.error().message, process.stopped() ? kInterrupted : kFailed);
}

}  // namespace millrace::cli

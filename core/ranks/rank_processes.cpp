// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rank_processes.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/rank.h"
#include "core/base/text/text.h"
#include "core/base/thread_name.h"
#include "core/events/stream/run_request.h"
#include "core/measure/store_figures.h"
#include "core/ranks/gathered_figures.h"
#include "core/ranks/rank_channel.h"

namespace millrace {

namespace {

/// The last error message that a process printed to standard error, else the last line.
std::string lastWords(const std::string& errors) {
  constexpr std::string_view kError = "error: ";
  std::string last;
  std::string lastError;
  for (const std::string& line : split(errors, '\n')) {
    const std::string_view words = trimmed(line);
    if (words.starts_with(kError)) lastError = words.substr(kError.size());
    if (!words.empty()) last = words;
  }
  return lastError.empty() ? last : lastError;
}

}  // namespace

struct RankProcesses::Member {
  Member(std::size_t number, std::string device)
      : rank(static_cast<std::int64_t>(number)), gpu(std::move(device)) {}

  std::string whyItFailed(const TrialEnd& end) const;

  const std::int64_t rank;
  const std::string gpu;
  std::unique_ptr<RankChannel> channel;  ///< always set
  bool launched = false;                 ///< by a launcher, which may also stop it
  EventReader reader;
  bool ready = false;  ///< waits for the request to start
  std::vector<SpanFigures> repeats;
  std::optional<SnapshotEvent> snapshot;  ///< the latest one since snapshots were last combined
  std::vector<FailedSample> failures;     ///< the first ones
  /// Names of all failed samples, since every repeat reports them again.
  std::set<std::string> failed;
  std::uint64_t failedSamples = 0;
  std::string problem;  ///< the first error of its check
  std::optional<RunResult> result;
};

std::string RankProcesses::Member::whyItFailed(const TrialEnd& end) const {
  if (end.kind == TrialEnd::Kind::Signalled) return wordsOf(end);
  if (result && result->outcome == RunOutcome::Interrupted)
    return "it was interrupted from outside";
  if (result && !result->reason.empty()) return result->reason;
  if (!problem.empty()) return problem;
  if (const std::string said = lastWords(end.errors); !said.empty()) return said;
  return wordsOf(end);
}

RankProcesses::RankProcesses(std::vector<RankStart> starts, const std::filesystem::path& rendezvous,
                             RunObserver& observer)
    : m_observer(observer) {
  Rank rank{0, static_cast<std::int64_t>(starts.size()), rendezvous};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    m_members.push_back(std::make_unique<Member>(i, starts[i].gpu));
    const auto onLine = [this, i](std::string_view line) {
      const MutexLock lock(m_mutex);
      if (const auto event = m_members[i]->reader.read(line)) hear(*m_members[i], *event);
    };
    rank.number = static_cast<std::int64_t>(i);
    m_members.back()->launched = starts[i].socket.valid();
    m_members.back()->channel =
        m_members.back()->launched
            ? socketChannel(std::move(starts[i].socket), onLine)
            : childChannel(std::move(starts[i].words), rankVariables(rank, starts[i].gpu), onLine);
  }
}

RankProcesses::~RankProcesses() = default;

RunResult RankProcesses::run() {
  std::vector<std::thread> threads;
  for (const auto& member : m_members) {
    try {
      threads.emplace_back([this, &member] { runMember(*member); });
    } catch (const std::system_error& refused) {
      stop();
      const MutexLock lock(m_mutex);
      member->problem = "the system allows no further thread: " + refused.code().message();
    }
  }
  for (std::thread& thread : threads) thread.join();
  const MutexLock lock(m_mutex);
  return gathered();
}

void RankProcesses::runMember(Member& member) {
  setThreadName(fmt::format("rank {}", member.rank));
  const Result<TrialEnd> end = member.channel->run();
  const MutexLock lock(m_mutex);
  ended(member, end);
}

void RankProcesses::stop() {
  for (const auto& member : m_members) member->channel->stop();
}

void RankProcesses::hear(Member& member, const StreamEvent& event) {
  if (const auto* phase = std::get_if<RunPhase>(&event.content);
      phase != nullptr && member.rank == 0)
    m_observer.onPhase(*phase);
  if (std::holds_alternative<ReadyEvent>(event.content)) hearReady(member);
  if (const auto* snapshot = std::get_if<SnapshotEvent>(&event.content))
    hearSnapshot(member, *snapshot);
  if (const auto* repeat = std::get_if<RepeatEvent>(&event.content))
    hearRepeat(member, repeat->figures);
  if (const auto* problem = std::get_if<ProblemEvent>(&event.content))
    hearProblem(member, *problem);
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) member.result = result->result;
}

void RankProcesses::hearReady(Member& member) {
  member.ready = true;
  const auto isReady = [](const auto& each) { return each->ready; };
  if (!std::ranges::all_of(m_members, isReady)) return;
  for (const auto& each : m_members) {
    each->ready = false;
    each->snapshot.reset();
  }
  RunRequest start;
  start.kind = RunRequest::Kind::Start;
  for (const auto& each : m_members) each->channel->tell(requestLine(start));
}

void RankProcesses::hearSnapshot(Member& member, const SnapshotEvent& event) {
  member.snapshot = event;
  std::vector<SnapshotEvent> all;
  for (const auto& each : m_members) {
    if (!each->snapshot || each->snapshot->phase.repeat != event.phase.repeat) return;
    all.push_back(*each->snapshot);
  }
  m_observer.onSnapshot(gatherSnapshots(all));
  for (const auto& each : m_members) each->snapshot.reset();
}

void RankProcesses::hearRepeat(Member& member, const SpanFigures& figures) {
  member.repeats.push_back(figures);
  const std::size_t repeat = m_repeats.size();
  std::vector<SpanFigures> all;
  for (const auto& each : m_members) {
    if (each->repeats.size() <= repeat) return;
    all.push_back(each->repeats[repeat]);
  }
  m_repeats.push_back(gatherRepeat(all));
  m_observer.onRepeat(repeat, m_repeats.back());
}

void RankProcesses::hearProblem(Member& member, const ProblemEvent& event) {
  if (!event.sample) {
    if (event.problem.severity == Severity::Error && member.problem.empty())
      member.problem = event.problem.text();
    return;
  }
  member.failedSamples = std::max(member.failedSamples, event.failedSamples);
  if (!member.failed.insert(*event.sample).second) return;
  std::uint64_t total = 0;
  for (const auto& each : m_members) total += each->failedSamples;
  const FailedSample failure{*event.sample,
                             fmt::format("{} (rank {})", event.problem.message, member.rank)};
  if (member.failures.size() < FailureBudget::kKept) member.failures.push_back(failure);
  m_observer.onFailures({failure}, total);
}

void RankProcesses::ended(Member& member, const Result<TrialEnd>& end) {
  const bool cutOutside =
      member.launched && member.result && member.result->outcome == RunOutcome::Interrupted;
  if (cutOutside) stop();
  const bool asked = cutOutside || (end && end->kind == TrialEnd::Kind::Stopped);
  const bool byItself = asked || (end && end->kind == TrialEnd::Kind::Exited);
  if (byItself && end->code == 0 && member.result && member.result->outcome == RunOutcome::Finished)
    return;
  m_cut = m_cut || asked;
  if (asked || m_failure) return;
  m_failure = fmt::format("rank {} failed: {}", member.rank,
                          end ? member.whyItFailed(*end) : end.error().message);
  stop();
}

RunResult RankProcesses::gathered() {
  RunResult result;
  result.repeats = m_repeats;
  result.figures = figuresOfRun(m_repeats);
  result.figures.failedSamples = 0;
  for (const auto& member : m_members) {
    result.figures.failedSamples += member->failedSamples;
    for (const FailedSample& failure : member->failures)
      if (result.failures.size() < FailureBudget::kKept) result.failures.push_back(failure);
    if (member->repeats.empty()) continue;
    result.ranks.push_back({member->rank, member->gpu, figuresOfRun(member->repeats)});
    result.ranks.back().figures.failedSamples = member->failedSamples;
  }
  if (m_failure) {
    result.outcome = RunOutcome::Failed;
    result.reason = *m_failure;
  } else if (m_cut) {
    result.outcome = RunOutcome::Interrupted;
    result.reason = "stopped";
  }
  return result;
}

}  // namespace millrace

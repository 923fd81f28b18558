// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/preview/preview_server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "core/base/mutex.h"
#include "core/base/thread_name.h"
#include "core/events/jobs/preview_json.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/preview/preview_job.h"

namespace millrace::cli {

namespace {

/// A request whose document has been read.
struct ServedRequest {
  std::optional<std::int64_t> id;
  std::string error;  ///< empty if `options` is valid
  PreviewOptions options;
};

ServedRequest servedRequest(const std::string& line) {
  const ParsedPreviewRequest parsed = parsePreviewRequest(line);
  if (!parsed.error.empty()) return {parsed.id, parsed.error, {}};
  auto options = optionsOf(parsed.request);
  if (!options) return {parsed.id, options.error().message, {}};
  return {parsed.id, {}, options.take()};
}

/// Queue of requests. Monitor: one thread fills it from standard input, another takes requests.
class Inbox {
 public:
  void put(ServedRequest request) {
    const MutexLock lock(m_mutex);
    m_waiting.push_back(std::move(request));
    m_changed.notifyAll();
  }
  void end() {
    const MutexLock lock(m_mutex);
    m_ended = true;
    m_changed.notifyAll();
  }
  /// nullopt once standard input has ended and all requests have been taken.
  std::optional<ServedRequest> take() {
    const MutexLock lock(m_mutex);
    while (m_waiting.empty() && !m_ended) m_changed.wait(m_mutex);
    if (m_waiting.empty()) return std::nullopt;
    ServedRequest request = std::move(m_waiting.front());
    m_waiting.pop_front();
    return request;
  }
  /// Whether a valid request is waiting that replaces `request`.
  bool hasNewerThan(const ServedRequest& request) {
    const MutexLock lock(m_mutex);
    return std::any_of(m_waiting.begin(), m_waiting.end(), [&](const ServedRequest& other) {
      return other.error.empty() && other.id >= request.id;
    });
  }

 private:
  Mutex m_mutex;
  Condition m_changed;
  std::deque<ServedRequest> m_waiting MILLRACE_GUARDED_BY(m_mutex);
  bool m_ended MILLRACE_GUARDED_BY(m_mutex) = false;
};

void readRequests(Inbox& inbox) {
  setThreadName("requests");
  std::string pending;
  std::array<char, 65536> chunk;
  bool skipping = false;  // the rest of a line that was too long
  for (ssize_t count = 0; (count = ::read(STDIN_FILENO, chunk.data(), chunk.size())) > 0;) {
    pending.append(chunk.data(), static_cast<std::size_t>(count));
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      if (!skipping && end > 0) inbox.put(servedRequest(pending.substr(0, end)));
      skipping = false;
      pending.erase(0, end + 1);
    }
    if (pending.size() <= kMaxGraphBytes) continue;
    if (!skipping) inbox.put({std::nullopt, "a request must not be longer than 16 MiB", {}});
    skipping = true;
    pending.clear();
  }
  inbox.end();
}

void say(const std::string& line) {
  print("{}\n", line);
  flushOutput();
}

/// Prints the samples of a request until a newer one replaces it.
class ServedSamples final : public PreviewObserver {
 public:
  ServedSamples(const ServedRequest& request, Inbox& inbox) : m_request(request), m_inbox(inbox) {}

  void onSample(const PreviewedSample& sample) override {
    say(previewSampleLine(m_request.id, sample));
  }
  bool mayContinue() override { return !m_inbox.hasNewerThan(m_request); }

 private:
  const ServedRequest& m_request;
  Inbox& m_inbox;
};

void answer(const ServedRequest& request, Inbox& inbox, PreviewJob& job) {
  if (!request.error.empty()) return say(previewErrorLine(request.id, request.error));
  if (inbox.hasNewerThan(request)) return say(previewStaleLine(request.id));
  ServedSamples samples(request, inbox);
  const auto end = job.run(request.options, samples);
  if (!end) return say(previewErrorLine(request.id, end.error().message));
  say(*end == PreviewEnd::Stopped ? previewStaleLine(request.id)
                                  : previewDoneLine(request.id, request.options.count));
}

}  // namespace

int servePreviews() {
  Inbox inbox;
  std::thread reader([&inbox] { readRequests(inbox); });
  PreviewJob job;
  while (const auto request = inbox.take()) answer(*request, inbox, job);
  reader.join();
  return kDone;
}

}  // namespace millrace::cli

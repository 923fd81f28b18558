// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/stop_requests.h"

#include <string>
#include <utility>

namespace millrace::cli {

RequestReader::Handlers stopRequests(ComparisonEvents& events, std::function<void()> stop) {
  RequestReader::Handlers handlers;
  handlers.request = [&events, stop](const RunRequest& request) {
    const bool stops = request.kind == RunRequest::Kind::Stop;
    if (stops) stop();
    events.answer(request.id, stops ? "" : "this command only accepts `stop`");
  };
  handlers.malformed = [&events](const std::string& error) { events.answer(0, error); };
  handlers.ended = std::move(stop);
  return handlers;
}

}  // namespace millrace::cli

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Lines of an event stream and lines of requests. A result that was read can be written, and reads
// back equal.
#include <cstdlib>
#include <string_view>

#include "core/events/stream/event_json.h"
#include "core/events/stream/event_reader.h"
#include "core/events/stream/run_request.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

void checkResult(const ResultEvent& result) {
  EventReader reader;
  (void)reader.read(helloEvent(0, "fuzz"));
  const RunIdentity identity{result.runId, result.pipeline};
  const std::string written = resultEvent(1, result.result, identity);
  const Result<StreamEvent> again = reader.read(written);
  if (!again.ok()) std::abort();
  const auto& read = std::get<ResultEvent>(again->content);
  if (resultEvent(1, read.result, {read.runId, read.pipeline}) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  EventReader greeted;
  (void)greeted.read(helloEvent(0, "fuzz"));
  EventReader fresh;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    (void)fresh.read(line);
    (void)parseRequest(std::string(line));
    const Result<StreamEvent> event = greeted.read(line);
    if (event.ok())
      if (const auto* result = std::get_if<ResultEvent>(&event->content)) checkResult(*result);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

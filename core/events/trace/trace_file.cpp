// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/trace/trace_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"

namespace millrace {

namespace {

using TrackSpan = TraceFile::Span;

/// A month: a time after it is not one of a run.
constexpr double kMostMicroseconds = 31.0 * 24 * 3600 * 1e6;
constexpr std::uint64_t kEventsBetweenQuestions = 65536;

/// An event as it stands in the file.
struct TraceEvent {
  std::string phase;
  std::string name;
  std::string category;
  std::uint64_t process = 0;
  std::uint64_t thread = 0;
  std::optional<double> at;
  std::optional<double> length;
  std::optional<std::uint64_t> sample;
  std::optional<std::uint64_t> batch;
  std::string argName;
  std::optional<double> batches;
};

std::optional<std::uint64_t> traceNanoseconds(const std::optional<double>& microseconds) {
  if (!microseconds || !(*microseconds >= 0) || *microseconds > kMostMicroseconds)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*microseconds * 1e3));
}

/// Puts events in their tracks.
class TraceCollector {
 public:
  void take(const TraceEvent& event) {
    if (event.phase == "X") return takeSpan(event);
    if (event.phase == "C") return takeChange(event);
    if (event.phase == "M") return takeName(event);
    // Flows repeat what the batches' numbers say.
    if (event.phase != "s" && event.phase != "t" && event.phase != "f") ++m_file.skipped;
  }
  void setLeftOut(std::uint64_t spans) { m_file.leftOut = spans; }
  std::uint64_t spanCount() const { return m_file.spanCount; }

  TraceFile finish() {
    for (const auto& [process, name] : m_processes) {
      m_repeatOf[process] = m_file.repeats.size();
      m_file.repeats.push_back(name);
    }
    for (auto& [key, track] : m_tracks) {
      if (track.spans.empty()) continue;
      track.repeat = m_repeatOf[key.first];
      if (track.name.empty()) track.name = fmt::format("thread {}", key.second);
      std::ranges::stable_sort(track.spans, [](const TrackSpan& a, const TrackSpan& b) {
        return a.beginNs != b.beginNs ? a.beginNs < b.beginNs : a.endNs > b.endNs;
      });
      addBatchOfSamples(track.spans);
      m_file.tracks.push_back(std::move(track));
    }
    for (auto& [key, queue] : m_queues) {
      queue.repeat = m_repeatOf[key.first];
      std::ranges::stable_sort(queue.changes, {}, &TraceFile::Queue::Change::ns);
      m_file.queues.push_back(std::move(queue));
    }
    return std::move(m_file);
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  void takeSpan(const TraceEvent& event) {
    const auto begin = traceNanoseconds(event.at);
    const auto length = traceNanoseconds(event.length);
    if (!begin || !length) {
      ++m_file.skipped;
      return;
    }
    TrackSpan span;
    span.beginNs = *begin;
    span.endNs = *begin + *length;
    span.name = indexOf(m_textIndex, m_file.texts, event.name);
    span.category = indexOf(m_categoryIndex, m_file.categories, event.category);
    if (!event.argName.empty()) span.sampleName = indexOf(m_textIndex, m_file.texts, event.argName);
    span.sample = event.sample.value_or(TraceFile::kNoItem);
    span.batch = event.batch.value_or(TraceFile::kNoItem);
    seen(event.process);
    m_tracks[{event.process, event.thread}].spans.push_back(span);
    m_file.lengthNs = std::max(m_file.lengthNs, span.endNs);
    ++m_file.spanCount;
  }

  void takeChange(const TraceEvent& event) {
    const auto at = traceNanoseconds(event.at);
    if (!at || !event.batches) {
      ++m_file.skipped;
      return;
    }
    seen(event.process);
    TraceFile::Queue& queue = m_queues[{event.process, event.name}];
    queue.name = event.name;
    queue.changes.push_back({*at, *event.batches});
  }

  void takeName(const TraceEvent& event) {
    if (event.name == "process_name") m_processes[event.process] = event.argName;
    if (event.name == "thread_name") m_tracks[{event.process, event.thread}].name = event.argName;
  }

  void seen(std::uint64_t process) {
    if (!m_processes.contains(process)) m_processes[process] = fmt::format("process {}", process);
  }

  using Index = std::unordered_map<std::string, std::uint32_t>;
  static std::uint32_t indexOf(Index& index, std::vector<std::string>& texts,
                               const std::string& text) {
    const auto [found, isNew] = index.emplace(text, static_cast<std::uint32_t>(texts.size()));
    if (isNew) texts.push_back(validUtf8(text));
    return found->second;
  }

  /// A sample's row, which ends its work on a thread, has the number of the batch: so have the
  /// spans of the same sample before it.
  static void addBatchOfSamples(std::vector<TrackSpan>& spans) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const TrackSpan row = spans[i];
      if (row.sample == TraceFile::kNoItem || row.batch == TraceFile::kNoItem) continue;
      for (std::size_t j = i; j-- > 0;) {
        if (spans[j].sample != row.sample || spans[j].batch != TraceFile::kNoItem) break;
        spans[j].batch = row.batch;
      }
    }
  }

  TraceFile m_file;
  Index m_textIndex;
  Index m_categoryIndex;
  std::map<std::uint64_t, std::string> m_processes;
  std::map<std::uint64_t, std::size_t> m_repeatOf;
  std::map<Key, TraceFile::Track> m_tracks;
  std::map<std::pair<std::uint64_t, std::string>, TraceFile::Queue> m_queues;
};

/// The callbacks of nlohmann's parser, which names them: no document is built, because a trace may
/// have millions of events. A callback that returns false ends the parse.
class TraceHandler {
 public:
  TraceHandler(TraceCollector& collector, const std::function<bool()>& cancelled)
      : m_collector(collector), m_cancelled(cancelled) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) {
    if (where() == Where::Event && m_key == "pid") m_event.process = value;
    if (where() == Where::Event && m_key == "tid") m_event.thread = value;
    if (where() == Where::Args && m_key == "sample") m_event.sample = value;
    if (where() == Where::Args && m_key == "batch") m_event.batch = value;
    if (where() == Where::Other && m_key == "spans_left_out") m_collector.setLeftOut(value);
    return number(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    if (std::string* text = textOfKey()) *text = std::move(value);
    return true;
  }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool key(std::string& value) {
    m_key = std::move(value);
    return true;
  }

  bool start_object(std::size_t) {
    if (m_where.empty()) return enter(Where::Root);
    if (where() == Where::Events) {
      m_event = {};
      return enter(Where::Event);
    }
    if (where() == Where::Event && m_key == "args") return enter(Where::Args);
    if (where() == Where::Root && m_key == "otherData") return enter(Where::Other);
    return enter(Where::Elsewhere);
  }
  bool start_array(std::size_t) {
    const bool isEvents = m_where.empty() || (where() == Where::Root && m_key == "traceEvents");
    m_hasEvents = m_hasEvents || isEvents;
    return enter(isEvents ? Where::Events : Where::Elsewhere);
  }
  bool end_object() {
    if (where() == Where::Event) {
      m_collector.take(m_event);
      if (++m_events % kEventsBetweenQuestions == 0 && m_cancelled && m_cancelled()) {
        m_wasCancelled = true;
        return false;
      }
    }
    return leave();
  }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    m_errorAt = position;
    return false;
  }

  bool hasEvents() const { return m_hasEvents; }
  bool wasCancelled() const { return m_wasCancelled; }
  const std::optional<std::size_t>& errorAt() const { return m_errorAt; }

 private:
  /// The text that the present key sets; nullptr if there is none.
  std::string* textOfKey() {
    if (where() == Where::Args) return m_key == "name" ? &m_event.argName : nullptr;
    if (where() != Where::Event) return nullptr;
    if (m_key == "ph") return &m_event.phase;
    if (m_key == "name") return &m_event.name;
    return m_key == "cat" ? &m_event.category : nullptr;
  }
  enum class Where : std::uint8_t { Root, Events, Event, Args, Other, Elsewhere };

  Where where() const { return m_where.empty() ? Where::Elsewhere : m_where.back(); }
  bool enter(Where where) {
    m_where.push_back(where);
    return true;
  }
  bool leave() {
    m_where.pop_back();
    return true;
  }
  bool number(double value) {
    if (where() == Where::Event && m_key == "ts") m_event.at = value;
    if (where() == Where::Event && m_key == "dur") m_event.length = value;
    if (where() == Where::Args && m_key == "batches") m_event.batches = value;
    return true;
  }

  TraceCollector& m_collector;
  const std::function<bool()>& m_cancelled;
  std::vector<Where> m_where;
  std::string m_key;
  TraceEvent m_event;
  std::uint64_t m_events = 0;
  bool m_hasEvents = false;
  bool m_wasCancelled = false;
  std::optional<std::size_t> m_errorAt;
};

template <class... Input>
Result<TraceFile> parsedTrace(const std::string& name, const std::function<bool()>& cancelled,
                              Input&&... input) {
  TraceCollector collector;
  TraceHandler handler(collector, cancelled);
  const bool whole = nlohmann::json::sax_parse(std::forward<Input>(input)..., &handler);
  if (handler.wasCancelled()) return Error{name + ": reading was cancelled"};
  if (!whole && collector.spanCount() == 0)
    return Error{
        fmt::format("{} is not a trace: it is not JSON at byte {}; choose a file that "
                    "`millrace run --trace FILE` wrote",
                    name, handler.errorAt().value_or(0))};
  if (!handler.hasEvents() || collector.spanCount() == 0)
    return Error{
        fmt::format("{} is JSON, but not a trace with spans of threads; choose a file "
                    "that `millrace run --trace FILE` wrote",
                    name)};
  TraceFile file = collector.finish();
  if (!whole)
    file.damage = fmt::format("The trace is incomplete: it is damaged or ends early at byte {}.",
                              handler.errorAt().value_or(0));
  return file;
}

}  // namespace

Result<TraceFile> readTraceFile(const std::filesystem::path& file,
                                const std::function<bool()>& cancelled) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return Error{file.string() + " is a folder, not a trace"};
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return Error{fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno))};
  return parsedTrace(file.string(), cancelled, stream);
}

Result<TraceFile> parseTrace(std::string_view text, const std::string& name) {
  return parsedTrace(name, {}, text.begin(), text.end());
}

}  // namespace millrace

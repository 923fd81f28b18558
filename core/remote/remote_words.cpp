// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/remote_words.h"

#include <sys/utsname.h>

#include <charconv>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/version.h"

namespace millrace {

namespace {

/// Begins with a control character, which no login text begins a line with by chance.
constexpr std::string_view kGreetingHead = "\x1emillrace-remote ";
constexpr std::size_t kLongestGreeting = 1024;
constexpr std::size_t kMostFields = 100'000;
constexpr std::size_t kLongestNumber = 20;

std::string fieldBytes(std::string_view field) { return fmt::format("{}\n", field.size()); }

/// Reads numbers and fields from the beginning of a text.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : m_text(text) {}

  /// nullopt: the text ends before the number does, or is not a number.
  std::optional<std::size_t> number(std::size_t most) {
    const std::size_t end = m_text.find('\n', m_at);
    if (end == std::string_view::npos) {
      m_broken = m_broken || m_text.size() - m_at > kLongestNumber;
      return std::nullopt;
    }
    std::size_t value = 0;
    const char* last = m_text.data() + end;
    const auto [stopped, code] = std::from_chars(m_text.data() + m_at, last, value);
    m_broken = m_broken || code != std::errc{} || stopped != last || value > most;
    m_at = end + 1;
    return m_broken ? std::nullopt : std::optional(value);
  }
  std::optional<std::string> field() {
    const auto length = number(kLongestRemoteRequest);
    if (!length || m_text.size() - m_at < *length) return std::nullopt;
    m_at += *length;
    return std::string(m_text.substr(m_at - *length, *length));
  }
  std::size_t read() const { return m_at; }
  /// Whether more text would not help.
  bool broken() const { return m_broken; }

 private:
  std::string_view m_text;
  std::size_t m_at = 0;
  bool m_broken = false;
};

bool readWords(FieldReader& reader, std::vector<std::string>& words) {
  const auto count = reader.number(kMostFields);
  for (std::size_t i = 0; count && i < *count; ++i) {
    auto word = reader.field();
    if (!word) return false;
    words.push_back(std::move(*word));
  }
  return count.has_value();
}

std::optional<RemoteRequest> readRequest(FieldReader& reader) {
  RemoteRequest request;
  const auto columns = reader.number(kMostFields);
  const auto colours = columns ? reader.number(1) : std::nullopt;
  if (!colours || !readWords(reader, request.words)) return std::nullopt;
  std::vector<std::string> both;
  if (!readWords(reader, both)) return std::nullopt;
  auto program = reader.field();
  if (!program) return std::nullopt;
  request.program = std::move(*program);
  for (std::size_t i = 0; i + 1 < both.size(); i += 2)
    request.documents.emplace_back(std::move(both[i]), std::move(both[i + 1]));
  if (*columns > 0) request.columns = *columns;
  request.colours = *colours == 1;
  return request;
}

}  // namespace

std::string greetingLine() {
  utsname names{};
  const bool known = ::uname(&names) == 0;
  return fmt::format("{}{} {} {}\n", kGreetingHead, kRemoteProtocol, engineVersion(),
                     known ? names.nodename : "");
}

std::optional<RemoteGreeting> takeGreeting(std::string& printed) {
  const std::size_t head = printed.find(kGreetingHead);
  if (head == std::string::npos) {
    // The head may still be cut in two.
    if (printed.size() > kGreetingHead.size())
      printed.erase(0, printed.size() - kGreetingHead.size());
    return std::nullopt;
  }
  printed.erase(0, head);
  const std::size_t end = printed.find('\n');
  if (end == std::string::npos && printed.size() <= kLongestGreeting) return std::nullopt;
  const std::vector<std::string> parts =
      split(printed.substr(kGreetingHead.size(), end - kGreetingHead.size()), ' ');
  printed.erase(0, end == std::string::npos ? end : end + 1);
  RemoteGreeting greeting;
  std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), greeting.protocol);
  if (parts.size() > 1) greeting.version = validUtf8(parts[1]);
  if (parts.size() > 2) greeting.machine = validUtf8(trimmed(parts[2]));
  return greeting;
}

std::string requestBytes(const RemoteRequest& request) {
  std::string bytes = fmt::format("{}\n{}\n{}\n", request.columns.value_or(0),
                                  request.colours ? 1 : 0, request.words.size());
  const auto add = [&bytes](const std::string& field) { bytes += fieldBytes(field) + field; };
  for (const std::string& word : request.words) add(word);
  bytes += fmt::format("{}\n", 2 * request.documents.size());
  for (const auto& [name, document] : request.documents) {
    add(name);
    add(document);
  }
  add(request.program);
  return bytes;
}

Result<std::optional<RemoteRequest>> takeRequest(std::string& received) {
  FieldReader reader(received);
  std::optional<RemoteRequest> request = readRequest(reader);
  if (reader.broken() || (!request && received.size() > kLongestRemoteRequest))
    return Error{"this is not a request of another `millrace`: this command is not for users"};
  if (request) received.erase(0, reader.read());
  return request;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/event_pipe.h"

#include <QJsonDocument>

#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// Whether the event's JSON holds more than its C++ type does.
bool saysMore(const StreamEvent& event) {
  return std::holds_alternative<UnknownEvent>(event.content) ||
         std::holds_alternative<ProgressEvent>(event.content) ||
         std::holds_alternative<WaitingEvent>(event.content) ||
         std::holds_alternative<ResultEvent>(event.content);
}

QJsonObject objectOf(std::string_view line) {
  return QJsonDocument::fromJson(
             QByteArray::fromRawData(line.data(), static_cast<qsizetype>(line.size())))
      .object();
}

}  // namespace

/// Parses bytes to events. Used by one task at a time.
class EventPipe::Parser {
 public:
  Slice parse(const QByteArray& bytes) {
    Slice slice;
    if (!m_lines.feed(bytes, kLineBytes, [&](std::string_view text) { line(text, slice); }))
      complain("a line of the event stream is longer than 64 MB", slice);
    return slice;
  }

 private:
  void line(std::string_view text, Slice& slice) {
    if (text.empty() || m_reader.refused()) return;
    Result<StreamEvent> event = m_reader.read(text);
    if (event)
      slice.events.push_back({*event, saysMore(*event) ? objectOf(text) : QJsonObject()});
    else
      complain(event.error().message, slice);
    slice.refused = slice.refused || m_reader.refused();
  }

  /// A stream's refusal is final: it replaces later complaints.
  void complain(const std::string& error, Slice& slice) const {
    if (slice.error.isEmpty() || m_reader.refused()) slice.error = toQt(error);
  }

  EventReader m_reader;
  LineCutter m_lines;
};

EventPipe::EventPipe(QObject* parent) : SlicePipe(digestFor(this), parent) {}

SlicePipe::Digest EventPipe::digestFor(EventPipe* pipe) {
  return [pipe, parser = std::make_shared<Parser>()](const QByteArray& bytes) -> Delivery {
    auto slice = std::make_shared<const Slice>(parser->parse(bytes));
    return [pipe, slice = std::move(slice)] { emit pipe->arrived(*slice); };
  };
}

}  // namespace millrace

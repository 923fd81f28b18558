// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/record_pipe.h"

#include <QJsonDocument>

#include "core/events/event_reader.h"
#include "widgets/common/strings.h"

namespace millrace {

/// Objects out of bytes. Used by one task at a time.
class RecordPipe::Parser {
 public:
  Slice parse(const QByteArray& bytes) {
    constexpr std::size_t kLineBytes = std::size_t{64} << 20U;
    Slice slice;
    if (!m_lines.feed(bytes, kLineBytes, [&](std::string_view text) { line(text, slice); }))
      complain("a line of the event stream is longer than 64 MB", slice);
    return slice;
  }

 private:
  void line(std::string_view text, Slice& slice) {
    if (text.empty() || m_reader.refused()) return;
    QJsonParseError wrong;
    const auto bytes = QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()));
    const QJsonObject event = QJsonDocument::fromJson(bytes, &wrong).object();
    const QString name = event["event"].toString();
    if (name.isEmpty())
      return complain(wrong.error == QJsonParseError::NoError ? QString("a line without `event`")
                                                              : wrong.errorString(),
                      slice);
    if (name == "hello") {
      const Result<StreamEvent> hello = m_reader.read(text);
      if (!hello) complain(toQt(hello.error().message), slice);
      slice.refused = m_reader.refused();
      if (slice.refused) return;
    }
    slice.events.push_back(event);
  }

  static void complain(const QString& error, Slice& slice) {
    if (slice.error.isEmpty()) slice.error = error;
  }

  EventReader m_reader;
  LineCutter m_lines;
};

RecordPipe::RecordPipe(QObject* parent) : SlicePipe(digestFor(this), parent) {}

SlicePipe::Digest RecordPipe::digestFor(RecordPipe* pipe) {
  return [pipe, parser = std::make_shared<Parser>()](const QByteArray& bytes) -> Delivery {
    auto slice = std::make_shared<const Slice>(parser->parse(bytes));
    return [pipe, slice = std::move(slice)] { emit pipe->arrived(*slice); };
  };
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonDocument>
#include <QJsonObject>

#include "core/events/stream/event_reader.h"

namespace millrace::tests {

/// The event that a stream with this line has.
inline StreamEvent eventOf(const QJsonObject& json) {
  EventReader reader;
  if (!reader.read(R"({"event":"hello","version":"1.0"})")) return {};
  const auto event = reader.read(QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString());
  return event ? *event : StreamEvent();
}

/// Gives a model of a search an event of its stream.
template <class Model>
void tell(Model& model, const QJsonObject& event) {
  model.take(eventOf(event));
}

}  // namespace millrace::tests

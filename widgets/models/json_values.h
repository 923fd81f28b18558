// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QJsonDocument>
#include <QJsonObject>

#include "core/graph/graph.h"

namespace millrace {

// Helpers for Qt's JSON types: a document's keys that belong to the workbench, and the engine's
// events.

inline QJsonObject objectOf(const RawJson& raw) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(raw.text)).object();
}
inline RawJson rawOf(const QJsonObject& object) {
  return {QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString()};
}

/// nullopt if the key has no number.
inline std::optional<double> numberAt(const QJsonObject& json, const char* key) {
  const QJsonValue value = json[QLatin1String(key)];
  return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

namespace millrace {

/// That a measurement waits for the cores before it goes on: "waiting 10 s at most: …". Empty where
/// it waits no longer, that is 0 s.
QString waitWords(double mostSeconds);
/// The same of an event `waiting` (core/events/README.md).
QString waitWords(const QJsonObject& event);

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

class QObject;

namespace millrace {

/// Collects information to attach to a question: this program's facts and the output of `millrace
/// doctor`. `done` is called later on the GUI thread, unless `owner` is destroyed by then; errors
/// of the engine are part of the text.
void makeDiagnosis(QObject* owner, std::function<void(const QString& text)> done);

}  // namespace millrace

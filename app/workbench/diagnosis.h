// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

class QObject;

namespace millrace {

/// What to send along with a question: this program's own facts and what `millrace doctor` says.
/// `done` is called on the GUI thread, later, unless `owner` is gone by then: whatever goes wrong
/// with the engine is part of the text.
void makeDiagnosis(QObject* owner, std::function<void(const QString& text)> done);

}  // namespace millrace

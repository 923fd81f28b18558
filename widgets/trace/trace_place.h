// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

/// A new file name for the trace of a run: in the store's folder for traces, which it makes, or in
/// the folder for temporary files if that fails. `store`: empty for the user's own.
QString newTraceFile(const QString& store, const QString& title);

}  // namespace millrace

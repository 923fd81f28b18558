// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

/// "8 cores · 15.5 GB · no GPU", queried once. GUI thread.
QString machineText(const QString& between = " · ");
/// The name of the first GPU that the driver lists; empty if there is none.
QString firstGpuName();

}  // namespace millrace

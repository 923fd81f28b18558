// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

/// "8 cores · 15.5 GB · no GPU", asked of the machine once. GUI thread.
QString machineWords(const QString& between = " · ");
/// Of the machine's first GPU that the driver names; empty: there is none.
QString firstGpuName();

}  // namespace millrace

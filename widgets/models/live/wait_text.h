// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

/// Says that a measurement waits for the cores before it goes on: "waiting up to 10 s for …". Empty
/// for 0 s, when it no longer waits.
QString waitText(double mostSeconds);

}  // namespace millrace

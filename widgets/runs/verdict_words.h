// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/verdict.h"

namespace millrace {

/// A verdict on a run against its baseline in the few words that a cell holds, and why there is
/// none: "faster", "no difference", "too few (1 of 3)", "disturbed (3 of 3)". The only such words:
/// every table, view and file has them from here.
QString shownVerdict(const Verdict& verdict);

}  // namespace millrace

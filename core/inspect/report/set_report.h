// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/report/data_report.h"

namespace millrace {

SetReport makeSetReport(const ExaminedSet& set);

}  // namespace millrace

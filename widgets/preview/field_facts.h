// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>

#include "widgets/models/preview_answer.h"

namespace millrace {

/// What is in the fields of these samples, for a rich label: type, shape, least, greatest and mean
/// of all of them together, and the classes. Empty for no sample that could be made.
QString fieldFacts(const std::vector<ShownSample>& samples);

}  // namespace millrace

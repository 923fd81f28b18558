// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>

#include "widgets/models/shown_sample.h"

namespace millrace {

/// The content of these samples' fields, for a rich label: type, shape, minimum, maximum and mean
/// over all samples, and the classes. Empty if no sample could be made.
QString fieldFacts(const std::vector<ShownSample>& samples);

}  // namespace millrace

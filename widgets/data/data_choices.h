// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "widgets/models/data_facts.h"

namespace millrace {

/// The data that a report can be made of, the most likely first, each once. Folders next to each
/// other that one node reads, such as pictures and masks, belong together: their parent comes
/// before them.
std::vector<std::filesystem::path> dataChoices(const std::vector<DataPlace>& places);

}  // namespace millrace

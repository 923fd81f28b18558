// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/problem.h"

namespace millrace {

class Document;

/// The problem with the titles of nodes, kinds and parameters instead of their names in the file.
/// Other names in backticks, such as those of fields, stay.
Problem withTitles(Problem problem, const Document& document);

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/inspect/inspection.h"

namespace millrace {

/// The object that `millrace inspect --json` prints (docs/reference/command-line.md), indented,
/// with a newline at the end. Text that is not UTF-8 gets U+FFFD; such names of files also have
/// their bytes as Base64 (`path_bytes`, `sample_bytes`).
std::string inspectionJson(const Inspection& found);

/// Reads it back; the proposal's notes are not in it. Missing values stay empty. nullopt: the text
/// is not a JSON object. Any thread; never throws.
std::optional<Inspection> parseInspection(std::string_view json);

}  // namespace millrace

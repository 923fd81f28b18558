// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/store/run_record.h"

namespace millrace {

/// Escapes foreign text for the content of an HTML or SVG element, or for an attribute in single or
/// double quotes. Invalid UTF-8, control characters and characters that XML forbids become U+FFFD;
/// line breaks and tabs become spaces.
std::string htmlText(std::string_view text);

/// "2026-05-04 13:37" in UTC.
std::string utcMinute(WallTime time);

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/store/run_record.h"

namespace millrace {

/// Foreign text for an HTML or SVG element's content, or for an attribute in either kind of quotes:
/// whatever it holds, it stays text. Bytes that are not UTF-8, control characters and what XML
/// forbids become U+FFFD, line breaks and tabs spaces.
std::string htmlText(std::string_view text);

/// "2026-05-04 13:37" in UTC.
std::string utcMinute(WallTime time);

}  // namespace millrace

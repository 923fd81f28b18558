// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/convert/conversion.h"

namespace millrace {

/// The object that `millrace convert --json` prints (docs/reference/command-line.md), indented.
/// Text that is not UTF-8 gets U+FFFD.
std::string convertedJson(const Converted& done);
/// The same as the last line of its event stream, without the newline.
std::string convertedEvent(double time, const Converted& done);

/// Reads either of them. Of the outcome, what the object does not contain stays empty: fields,
/// number of resumed samples and notes on the proposal. nullopt: the text is not a JSON object. Any
/// thread; never throws.
std::optional<Converted> parseConverted(std::string_view json);

}  // namespace millrace

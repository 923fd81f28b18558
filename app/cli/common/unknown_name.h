// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace millrace::cli {

/// "there is no option `--seonds`; did you mean `--seconds`?" Valid names are listed, on a separate
/// line, only if none is like it: a long list hides the suggestion.
std::string unknownName(const std::string& noun, const std::string& name,
                        std::span<const std::string> valid);

}  // namespace millrace::cli

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// "there is no option `--seonds`; did you mean `--seconds`?" Valid names are listed, on a separate
/// line, only if none is like it: a long list hides the suggestion. For printMessage; fail() takes
/// one line, which didYouMean (core/spec/did_you_mean.h) completes.
std::string unknownName(const std::string& noun, const std::string& name,
                        const std::vector<std::string>& valid);

}  // namespace millrace::cli

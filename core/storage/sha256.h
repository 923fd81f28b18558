// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

using Sha256 = std::array<unsigned char, 32>;

/// SHA-256 and HMAC-SHA-256 by libcrypto. The error: this build has no such library.
Result<Sha256> sha256(std::string_view text);
Result<Sha256> keyedSha256(std::string_view key, std::string_view text);

}  // namespace millrace

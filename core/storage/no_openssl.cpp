// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/parts.h"
#include "core/storage/sha256.h"

namespace millrace {

Result<Sha256> sha256(std::string_view) { return missingPart("openssl"); }
Result<Sha256> keyedSha256(std::string_view, std::string_view) { return missingPart("openssl"); }

}  // namespace millrace

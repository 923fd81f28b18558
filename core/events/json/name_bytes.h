// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

// JSON holds only UTF-8, names of files any bytes.

/// The bytes of a name as Base64; empty if it is UTF-8, because JSON then holds it unchanged.
std::string bytesOfName(const std::string& name);
/// Replaces a name by its bytes, unless `base64` is empty or damaged.
void takeBytesOfName(const std::string& base64, std::string& name);

}  // namespace millrace

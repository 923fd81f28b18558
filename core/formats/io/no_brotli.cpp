// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for Brotli in a build without it.
#include "core/base/parts.h"
#include "core/formats/io/stream_decoder.h"

namespace millrace {

Result<std::unique_ptr<StreamDecoder>> brotliDecoder() { return missingPart("brotli"); }

}  // namespace millrace

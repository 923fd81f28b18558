// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/parts.h"
#include "core/storage/http_transfer.h"

namespace millrace {

Status checkNetwork() { return missingPart("curl"); }

void performAll(std::span<HttpTransfer* const> transfers) {
  for (HttpTransfer* transfer : transfers) transfer->trouble = missingPart("curl").message;
}

}  // namespace millrace

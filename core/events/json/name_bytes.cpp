// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/json/name_bytes.h"

#include <span>

#include "core/base/text/base64.h"
#include "core/base/text/text.h"

namespace millrace {

std::string bytesOfName(const std::string& name) {
  if (name == validUtf8(name)) return {};
  const auto all = std::as_bytes(std::span(name));
  return base64Of({all.begin(), all.end()});
}

void takeBytesOfName(const std::string& base64, std::string& name) {
  if (base64.empty()) return;
  if (const auto all = bytesOfBase64(base64))
    name.assign(reinterpret_cast<const char*>(all->data()), all->size());
}

}  // namespace millrace

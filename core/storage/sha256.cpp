// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "core/storage/sha256.h"

namespace millrace {

Result<Sha256> sha256(std::string_view text) {
  Sha256 digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    return Error{"libcrypto cannot compute SHA-256"};
  return digest;
}

Result<Sha256> keyedSha256(std::string_view key, std::string_view text) {
  Sha256 digest{};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(),
           digest.data(), nullptr) == nullptr)
    return Error{"libcrypto cannot compute HMAC-SHA-256"};
  return digest;
}

}  // namespace millrace

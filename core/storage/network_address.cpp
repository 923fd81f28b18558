// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/network_address.h"

#include <netinet/in.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace millrace {

namespace {

AddressKind kindOfV4(const std::uint8_t* byte) {
  // RFC 3927; Alibaba's metadata service.
  if (byte[0] == 169 && byte[1] == 254) return AddressKind::Metadata;
  if (byte[0] == 100 && byte[1] == 100 && byte[2] == 100 && byte[3] == 200)
    return AddressKind::Metadata;
  const bool isPrivate = byte[0] == 0 || byte[0] == 10 || byte[0] == 127 ||
                         (byte[0] == 172 && (byte[1] & 0xf0U) == 16) ||
                         (byte[0] == 192 && byte[1] == 168) ||
                         (byte[0] == 100 && (byte[1] & 0xc0U) == 64);
  return isPrivate ? AddressKind::Local : AddressKind::Public;
}

AddressKind kindOfV6(const std::uint8_t* byte) {
  constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (std::memcmp(byte, kMapped.data(), kMapped.size()) == 0) return kindOfV4(byte + 12);
  constexpr std::array<std::uint8_t, 16> kAmazon{0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0,
                                                 0,    0, 0,    0,    0, 0, 2, 0x54};
  if (std::memcmp(byte, kAmazon.data(), kAmazon.size()) == 0) return AddressKind::Metadata;
  if (byte[0] == 0xfe && (byte[1] & 0xc0U) == 0x80) return AddressKind::Metadata;
  constexpr std::array<std::uint8_t, 15> kZeros{};
  const bool own = std::memcmp(byte, kZeros.data(), kZeros.size()) == 0 && byte[15] <= 1;
  return own || (byte[0] & 0xfeU) == 0xfc ? AddressKind::Local : AddressKind::Public;
}

}  // namespace

AddressKind kindOf(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return kindOfV4(bytes.data());
  }
  if (address.sa_family != AF_INET6) return AddressKind::Public;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return kindOfV6(bytes.data());
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_hashes.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

namespace {

/// Bytes per read.
constexpr std::uint64_t kHashedAtOnce = std::uint64_t{1} << 20U;

template <auto release>
struct FreeState {
  template <class State>
  void operator()(State* state) const {
    release(state);
  }
};

/// A hash that is being computed.
class Hashing {
 public:
  virtual ~Hashing() = default;
  virtual void add(std::span<const std::byte> piece) = 0;
  virtual std::string digits() const = 0;
};

class Xxh32 final : public Hashing {
 public:
  Xxh32() { XXH32_reset(m_state.get(), 0); }
  void add(std::span<const std::byte> piece) override {
    XXH32_update(m_state.get(), piece.data(), piece.size());
  }
  std::string digits() const override { return fmt::format("{:08x}", XXH32_digest(m_state.get())); }

 private:
  std::unique_ptr<XXH32_state_t, FreeState<XXH32_freeState>> m_state{XXH32_createState()};
};

class Xxh64 final : public Hashing {
 public:
  Xxh64() { XXH64_reset(m_state.get(), 0); }
  void add(std::span<const std::byte> piece) override {
    XXH64_update(m_state.get(), piece.data(), piece.size());
  }
  std::string digits() const override {
    return fmt::format("{:016x}", XXH64_digest(m_state.get()));
  }

 private:
  std::unique_ptr<XXH64_state_t, FreeState<XXH64_freeState>> m_state{XXH64_createState()};
};

using Xxh3State = std::unique_ptr<XXH3_state_t, FreeState<XXH3_freeState>>;

class Xxh3 final : public Hashing {
 public:
  Xxh3() { XXH3_64bits_reset(m_state.get()); }
  void add(std::span<const std::byte> piece) override {
    XXH3_64bits_update(m_state.get(), piece.data(), piece.size());
  }
  std::string digits() const override {
    return fmt::format("{:016x}", XXH3_64bits_digest(m_state.get()));
  }

 private:
  Xxh3State m_state{XXH3_createState()};
};

class Xxh128 final : public Hashing {
 public:
  Xxh128() { XXH3_128bits_reset(m_state.get()); }
  void add(std::span<const std::byte> piece) override {
    XXH3_128bits_update(m_state.get(), piece.data(), piece.size());
  }
  std::string digits() const override {
    const XXH128_hash_t made = XXH3_128bits_digest(m_state.get());
    return fmt::format("{:016x}{:016x}", made.high64, made.low64);
  }

 private:
  Xxh3State m_state{XXH3_createState()};
};

/// nullptr for an unknown kind.
std::unique_ptr<Hashing> beginHash(std::string_view kind) {
  if (kind == "xxh32") return std::make_unique<Xxh32>();
  if (kind == "xxh64") return std::make_unique<Xxh64>();
  if (kind == "xxh3_64") return std::make_unique<Xxh3>();
  if (kind == "xxh128" || kind == "xxh3_128") return std::make_unique<Xxh128>();
  return nullptr;
}

}  // namespace

bool isKnownHash(std::string_view kind) { return beginHash(kind) != nullptr; }

std::string_view knownHashes() { return "xxh32, xxh64, xxh3_64 and xxh128"; }

Status compareHashes(const OpenFile& file, std::span<const FileHash> hashes, ReadBy by) {
  std::vector<std::pair<const FileHash*, std::unique_ptr<Hashing>>> made;
  for (const FileHash& hash : hashes)
    if (auto begun = beginHash(hash.kind)) made.emplace_back(&hash, std::move(begun));
  if (made.empty()) return {};
  RangeReader reader(by);
  ReadCounters counters;
  for (std::uint64_t at = 0; at < file.size; at += kHashedAtOnce) {
    const auto bytes = static_cast<std::size_t>(std::min(kHashedAtOnce, file.size - at));
    MILLRACE_ASSIGN_OR_RETURN(const auto piece, reader.read(file.fd.get(), at, bytes, counters));
    for (const auto& [hash, hashing] : made) hashing->add(piece);
  }
  for (const auto& [hash, hashing] : made) {
    const std::string found = hashing->digits();
    if (found != hash->digits)
      return Error{
          fmt::format("its {} is {}, but the index says {}: the file is damaged or not the "
                      "one that was indexed; download or write it again",
                      hash->kind, found, validUtf8(hash->digits))};
  }
  return {};
}

}  // namespace millrace

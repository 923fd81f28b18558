// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/fingerprint.h"

#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "core/base/random.h"

namespace millrace {

std::string DatasetFingerprint::text() const {
  return fmt::format("{:016x}-{}-{}", hash, samples, bytes);
}

std::optional<DatasetFingerprint> fingerprintDataset(
    std::uint64_t samples, const std::function<ListedSample(std::uint64_t)>& sampleAt,
    const std::atomic<bool>& stop) {
  DatasetFingerprint fingerprint{fnv1a(""), samples, 0};
  for (std::uint64_t i = 0; i < samples; ++i) {
    if (stop.load(std::memory_order_relaxed)) return std::nullopt;
    const ListedSample sample = sampleAt(i);
    std::uint64_t size = sample.bytes.value_or(std::numeric_limits<std::uint64_t>::max());
    std::array<char, 9> tail{};
    for (std::size_t byte = 1; byte < tail.size(); ++byte, size >>= 8U)
      tail[byte] = static_cast<char>(size & 0xffU);
    fingerprint.hash = fnv1a(sample.name, fingerprint.hash);
    fingerprint.hash = fnv1a({tail.data(), tail.size()}, fingerprint.hash);
    fingerprint.bytes += sample.bytes.value_or(0);
  }
  return fingerprint;
}

std::optional<std::uint64_t> sizeOfFile(const std::string& file) {
  struct stat about = {};
  if (stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(about.st_size);
}

}  // namespace millrace

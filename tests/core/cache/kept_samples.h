// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <QTemporaryDir>

#include "core/cache/disk_cache.h"

namespace millrace::tests {

/// Samples whose content follows from their index: a number of bytes that is derived from the index
/// (none for every eleventh) or given, and a label.
struct KeptSample {
  std::uint32_t index = 0;
  std::size_t bytes = 0;

  explicit KeptSample(std::uint32_t i) : index(i), bytes(i % 11 == 0 ? 0 : 1 + i * 37 % 3000) {}
  KeptSample(std::uint32_t i, std::size_t n) : index(i), bytes(n) {}

  void fill(Sample& sample, std::size_t fields = 2) const {
    sample.reset({0, index, 0}, fields);
    const TensorView content = sample.replaceBytes(0, bytes);
    if (bytes > 0) std::memset(content.data, static_cast<int>(index % 251), bytes);
    *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = index;
  }
  bool isIn(const Sample& sample) const {
    if (sample[0].dtype != DType::Encoded || sample[0].bytes != bytes ||
        *sample[1].as<std::int64_t>() != index)
      return false;
    for (const std::byte byte : sample[0].content())
      if (byte != static_cast<std::byte>(index % 251)) return false;
    return true;
  }
};

inline DiskCacheSettings cacheIn(const QTemporaryDir& folder, const std::string& key = "a") {
  DiskCacheSettings settings;
  settings.root = std::filesystem::path(folder.path().toStdString()) / "caches";
  settings.key = key;
  settings.samples = 1000;
  settings.fields = 2;
  settings.limitBytes = std::uint64_t{1} << 30U;
  return settings;
}

/// The cache's folder; empty if it does not exist.
inline std::filesystem::path folderOf(const DiskCacheSettings& settings) {
  for (const auto& entry : std::filesystem::directory_iterator(settings.root)) {
    std::ifstream about(entry.path() / "about.txt");
    std::string key;
    if (std::getline(about, key, '\0') && key == settings.key) return entry.path();
  }
  return {};
}

/// The cache, or nullptr if it cannot be opened.
inline std::shared_ptr<DiskCache> opened(const DiskCacheSettings& settings,
                                         const Clock& clock = steadyClock()) {
  auto cache = DiskCache::open(settings, clock);
  return cache ? cache.take() : nullptr;
}

inline void keep(SampleCache& cache, const KeptSample& kept) {
  Sample sample;
  kept.fill(sample);
  cache.store(sample);
}
/// Stores the samples of indices [first, end).
inline void keepAll(SampleCache& cache, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t i = first; i < end; ++i) keep(cache, KeptSample(i));
}

enum class Found { Nothing, Right, Wrong };
inline Found find(SampleCache& cache, const KeptSample& kept) {
  Sample sample;
  sample.reset({4, kept.index, 2}, 2);  // a different epoch and round use the same entry
  if (!cache.load(sample)) return Found::Nothing;
  return kept.isIn(sample) ? Found::Right : Found::Wrong;
}
/// The number of indices [first, end) that are stored; -1 if one has the wrong content.
inline int findAll(SampleCache& cache, std::uint32_t first, std::uint32_t end) {
  int right = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    const Found found = find(cache, KeptSample(i));
    if (found == Found::Wrong) return -1;
    if (found == Found::Right) ++right;
  }
  return right;
}

}  // namespace millrace::tests

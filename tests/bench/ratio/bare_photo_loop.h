// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

namespace millrace::bench {

/// The photo workload without an engine: each thread takes the next file, reads it, decodes the
/// region of a random resized crop with the same decoder, runs the same pixel pass into memory as
/// large as the engine's batch slots, and counts. No graph, no queue, no counters.
class BarePhotoLoop {
 public:
  explicit BarePhotoLoop(const std::filesystem::path& folder);
  ~BarePhotoLoop();

  /// Photos per second.
  double rate(std::size_t threads, double warmup, double seconds);

 private:
  struct Worker;
  struct Files;
  std::unique_ptr<Files> m_files;
};

}  // namespace millrace::bench

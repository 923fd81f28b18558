// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/measure/measured_run.h"
#include "core/monitor/page_cache.h"
#include "core/spec/source.h"

namespace millrace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// How much of the data is in the page cache; takes some milliseconds. Any thread.
PageCacheReport pageCacheOf(const Source& source);
/// The same as facts `page_cache` and `page_cache_resident_share`.
Facts pageCacheFacts(const Source& source);

/// What a run's figures depend on besides its pipeline: machine, engine, data, page cache.
Facts machineFacts(const Source& source);

/// How a run was measured: `measured_span` ("5 s", "100 batches from 2:15"), `warmup_seconds`,
/// `draws` (random, centred) and `fusing` (on, off).
Facts measureFacts(const MeasureSettings& settings, bool fused);

/// How a run was measured, as measureFacts describes it.
struct MeasureRecord {
  MeasureSettings settings;
  bool fused = true;
};
/// nullopt: the facts do not tell.
std::optional<MeasureRecord> measureOf(const Facts& facts);

/// Computes the data set's fingerprint on a thread with idle priority.
class FingerprintJob {
 public:
  explicit FingerprintJob(std::shared_ptr<const Source> source);
  ~FingerprintJob();
  FingerprintJob(const FingerprintJob&) = delete;
  FingerprintJob& operator=(const FingerprintJob&) = delete;

  /// Whether `take` returns without waiting.
  bool ready() const { return m_done.load(std::memory_order_acquire); }
  /// The fact `data_fingerprint`. Waits briefly; empty if it is still not computed.
  Facts take();

 private:
  void loop();
  std::shared_ptr<const Source> m_source;
  std::atomic<bool> m_stop{false};
  std::atomic<bool> m_done{false};
  std::string m_text;
  std::thread m_thread;
};

}  // namespace millrace

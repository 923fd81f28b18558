// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/measure/store_recorder.h"

namespace millrace {

/// Buffers the records of one side's part of a block until the block is known to count, so that the
/// store only has complete, counted blocks.
class BlockRecorder final : public RunObserver {
 public:
  explicit BlockRecorder(StoreRecorder& recorder) : m_recorder(recorder) {}

  /// The block counts, under this number.
  void keep(std::size_t block) {
    for (const Call& call : m_calls) call(block);
    m_calls.clear();
  }
  void drop() { m_calls.clear(); }

  void onPhase(const RunPhase& phase) override {
    m_calls.push_back([this, phase](std::size_t block) {
      RunPhase counted = phase;
      counted.repeat = block;
      m_recorder.onPhase(counted);
    });
  }
  void onSnapshot(const RunSnapshot& snapshot) override {
    if (++m_snapshots % 50 == 0) m_recorder.heartbeat();
    m_calls.push_back([this, snapshot](std::size_t) { m_recorder.onSnapshot(snapshot); });
  }
  void onWindow(std::size_t, const RateWindow& window) override {
    m_calls.push_back([this, window](std::size_t block) { m_recorder.onWindow(block, window); });
  }
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    m_calls.push_back(
        [this, failures, total](std::size_t) { m_recorder.onFailures(failures, total); });
  }
  void onRepeat(std::size_t, const SpanFigures& figures) override {
    m_calls.push_back([this, figures](std::size_t block) { m_recorder.onRepeat(block, figures); });
  }

 private:
  using Call = std::function<void(std::size_t)>;
  StoreRecorder& m_recorder;
  std::vector<Call> m_calls;
  std::size_t m_snapshots = 0;
};

}  // namespace millrace

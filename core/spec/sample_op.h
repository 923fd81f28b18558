// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/base/stop_signal.h"
#include "core/data/batch.h"
#include "core/data/sample.h"
#include "core/spec/named_counters.h"

namespace millrace {

/// OpContext::node for one of several views of a picture (FieldSpec::view), so that the views of a
/// sample get different draws; `node` itself for 0.
constexpr std::uint32_t drawKeyOfView(std::uint32_t node, int view) {
  return node + 0x9e3779b9U * static_cast<std::uint32_t>(view);
}

/// What a node may use while it processes one sample.
struct OpContext {
  std::uint64_t seed = 0;
  std::uint32_t node = 0;  ///< hash of the node's id
  bool noRandom = false;
  NamedCounters* counters =
      nullptr;  ///< the counters of SampleOp::counterNames on this thread; nullptr: not counted
  const StopSignal* stop = nullptr;  ///< nullptr: the result is always wanted

  /// Whether the run still needs the result. For work that can take seconds, which then ends early
  /// with any error.
  bool wanted() const { return stop == nullptr || !stop->dropped(); }
  void count(std::size_t place, std::uint64_t n = 1) const {
    if (counters != nullptr) counters->add(place, n);
  }
  /// The node's random draws for this sample: the same on every thread and after every resume.
  Draw draw(const SampleKey& key) const {
    return Draw({seed, key.epoch, key.index, key.copy, node}, noRandom);
  }
};

/// A node's work on samples. For use by one thread: each worker has its own instance and scratch
/// memory.
class SampleOp {
 public:
  virtual ~SampleOp() = default;
  /// An error fails this sample only.
  virtual Status process(Sample& sample, const OpContext& context) = 0;
  /// Indices of the fields whose value this op puts into new memory with Sample::replace. Fields
  /// that it changes in place are not included. Constant.
  virtual std::vector<std::size_t> replaces() const { return {}; }
  /// Whether it adds, removes or reorders fields (Sample::swapFields). The indices of `replaces`
  /// then refer to the fields after this op. Constant.
  virtual bool rearranges() const { return false; }
  /// Names of what it counts with OpContext::count in addition to samples and time, for users to
  /// read. Constant, and independent of the node's live parameters.
  virtual std::vector<std::string> counterNames() const { return {}; }
};

/// What a node may use while it processes one batch.
struct BatchContext {
  std::uint64_t seed = 0;
  std::uint32_t node = 0;
  bool noRandom = false;

  Draw draw(const Batch& batch, std::uint32_t row = 0) const {
    return Draw({seed, batch.epoch, batch.indexInEpoch, row, node}, noRandom);
  }
};

/// A node's work on whole batches, in place. For use by one thread.
class BatchOp {
 public:
  virtual ~BatchOp() = default;
  virtual Status process(Batch& batch, const BatchContext& context) = 0;
};

/// A node's work that makes a new batch of a whole one, with other fields or shapes. For use by one
/// thread.
class BatchMap {
 public:
  virtual ~BatchMap() = default;
  /// `out` has the number, rows and keys of `in` and the fields of the node's output stream, whose
  /// rows it fills. Ragged fields and those of unknown size (FieldSpec::padded) get memory here.
  virtual Status process(const Batch& in, Batch& out, const BatchContext& context) = 0;
};

}  // namespace millrace

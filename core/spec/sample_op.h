// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/data/batch.h"
#include "core/data/sample.h"
#include "core/spec/tally.h"

namespace millrace {

/// What a node may know while it works on one sample.
struct OpContext {
  std::uint64_t seed = 0;
  std::uint32_t node = 0;  ///< hash of the node's id
  bool noRandom = false;
  Tally* tally = nullptr;  ///< of SampleOp::tallyNames, on this thread; nullptr: nobody counts

  void count(std::size_t place, std::uint64_t n = 1) const {
    if (tally != nullptr) tally->add(place, n);
  }
  /// The node's draws for this sample: the same on any thread, after any resume.
  Draw draw(const SampleKey& key) const {
    return Draw({seed, key.epoch, key.index, key.round, node}, noRandom);
  }
};

/// A node's work on samples, for one thread: each worker has its own instance and its scratch.
class SampleOp {
 public:
  virtual ~SampleOp() = default;
  /// An error concerns this sample alone.
  virtual Status process(Sample& sample, const OpContext& context) = 0;
  /// Fields (by index) whose value this op puts into new memory by Sample::replace. What it only
  /// changes in place is not among them. Constant.
  virtual std::vector<std::size_t> replaces() const { return {}; }
  /// Whether fields come, go or change places in it (Sample::swapFields). `replaces` then speaks of
  /// the fields behind it. Constant.
  virtual bool rearranges() const { return false; }
  /// What it counts by OpContext::count besides samples and time, for a person to read. Constant,
  /// and the same for every set of the node's live parameters.
  virtual std::vector<std::string> tallyNames() const { return {}; }
};

/// What a node may know while it works on one batch.
struct BatchContext {
  std::uint64_t seed = 0;
  std::uint32_t node = 0;
  bool noRandom = false;

  Draw draw(const Batch& batch, std::uint32_t row = 0) const {
    return Draw({seed, batch.epoch, batch.indexInEpoch, row, node}, noRandom);
  }
};

/// A node's work on whole batches, in place, for one thread.
class BatchOp {
 public:
  virtual ~BatchOp() = default;
  virtual Status process(Batch& batch, const BatchContext& context) = 0;
};

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/graph/plan.h"

namespace millrace {
class EpochOrder;
class OrderCursor;
}  // namespace millrace

namespace millrace::cli {

/// A sample at the previewed node, or why it failed. `sample` lives until the next one.
struct PreviewSample {
  SampleKey key;
  std::uint64_t position = 0;  ///< in the epoch's order
  /// That the epoch uses; absent while the source is still being listed.
  std::optional<std::uint64_t> epochSamples;
  std::string name;
  const Sample* sample = nullptr;
  std::string error;  ///< empty: it is there
};

/// Makes samples with the engine's own operations, on the caller's thread: one by one, or a whole
/// batch where the plan has an operation on batches.
class PreviewRun {
 public:
  /// `plan` outlives it.
  static Result<std::unique_ptr<PreviewRun>> make(const Plan& plan, bool noRandom);
  virtual ~PreviewRun();

  /// The sample at a place in the order, counted on over the epochs.
  PreviewSample at(std::uint64_t place);

 protected:
  struct Place {
    SampleKey key;
    std::uint64_t batch = 0;  ///< within the epoch
    std::size_t row = 0;      ///< of the batch
  };
  PreviewRun(const Plan& plan, std::unique_ptr<OrderCursor> cursor);
  virtual void makeSample(const Place& place, PreviewSample& result) = 0;

  const Plan& m_plan;

 private:
  std::unique_ptr<OrderCursor> m_cursor;
  std::shared_ptr<const EpochOrder> m_epoch;
};

}  // namespace millrace::cli

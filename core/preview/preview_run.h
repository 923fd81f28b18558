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
class EpochIndices;
class IndexSampler;
}  // namespace millrace

namespace millrace {

/// A sample at the previewed node, or why it failed. `sample` is valid until the next one.
struct PreviewSample {
  SampleKey key;
  std::uint64_t position = 0;  ///< index in the epoch's order
  /// Number of samples in the epoch; nullopt while the source is still being listed.
  std::optional<std::uint64_t> epochSamples;
  std::string name;
  const Sample* sample = nullptr;
  std::string error;  ///< empty if there is a sample
};

/// Makes samples with the engine's own operations on the caller's thread: one by one, or a whole
/// batch if the plan has a batch operation.
class PreviewRun {
 public:
  /// `plan` must outlive this object.
  static Result<std::unique_ptr<PreviewRun>> make(const Plan& plan, bool noRandom);
  virtual ~PreviewRun();

  /// The sample at an index of the order, counted across epochs.
  PreviewSample at(std::uint64_t place);

 protected:
  struct Place {
    SampleKey key;
    std::uint64_t batch = 0;  ///< within the epoch
    std::size_t row = 0;      ///< within the batch
  };
  PreviewRun(const Plan& plan, std::unique_ptr<IndexSampler> cursor);
  virtual void makeSample(const Place& place, PreviewSample& result) = 0;

  const Plan& m_plan;

 private:
  std::unique_ptr<IndexSampler> m_cursor;
  std::shared_ptr<const EpochIndices> m_epoch;
};

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/open/pipeline_request.h"

namespace millrace {

/// Is notified while the data of a pipeline's `sample:NAME` paths is generated. On the thread of
/// the caller of loadPipeline.
class SampleDataObserver {
 public:
  virtual ~SampleDataObserver() = default;
  /// `done` of `of` files of the data `name` are written. Returns whether to go on; if not, loading
  /// ends with an error and leaves no partial data. Not called for data that exists already.
  virtual bool onSampleData(const std::string& /*name*/, std::uint32_t /*done*/,
                            std::uint32_t /*of*/) {
    return true;
  }
  /// The data is complete, failed or was stopped. Called only after onSampleData.
  virtual void onSampleDataEnd(const std::string& /*name*/) {}
};

/// loadRequest, then generates the sample data that the document needs: the first run of an example
/// takes a few seconds longer. nullopt: see `problems`.
std::optional<LoadedPipeline> loadPipeline(const PipelineRequest& request,
                                           SampleDataObserver& observer, Problems& problems);

/// Loads, checks with the data open, and plans. nullopt: see `problems`.
std::optional<PreparedPipeline> preparePipeline(const PipelineRequest& request,
                                                SampleDataObserver& observer, Problems& problems);

}  // namespace millrace

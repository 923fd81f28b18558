// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/job_input.h"

#include <utility>

#include "core/open/sample_needs.h"
#include "core/sample_data/sample_data.h"

namespace millrace {

namespace {

Status makeSampleDataOf(const std::string& name, SampleDataObserver& observer) {
  bool told = false;
  const auto made = ensureSampleData(name, [&](std::uint32_t done, std::uint32_t of) {
    told = true;
    return observer.onSampleData(name, done, of);
  });
  if (told) observer.onSampleDataEnd(name);
  if (!made) return made.error();
  return {};
}

}  // namespace

std::optional<LoadedPipeline> loadPipeline(const PipelineRequest& request,
                                           SampleDataObserver& observer, Problems& problems) {
  std::optional<LoadedPipeline> loaded = loadRequest(request, problems);
  if (!loaded) return std::nullopt;
  for (const std::string& name : sampleNeeds(loaded->graph)) {
    if (const Status made = makeSampleDataOf(name, observer); !made) {
      problems.error("", "", made.error().message, "");
      return std::nullopt;
    }
  }
  return loaded;
}

std::optional<PreparedPipeline> preparePipeline(const PipelineRequest& request,
                                                SampleDataObserver& observer, Problems& problems) {
  std::optional<LoadedPipeline> loaded = loadPipeline(request, observer, problems);
  if (!loaded) return std::nullopt;
  PlanOptions options;
  options.fuse = !request.noFuse;
  return prepareLoaded(std::move(*loaded), request, options, DeviceUse::Detect, problems);
}

}  // namespace millrace

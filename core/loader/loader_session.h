// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/base/mutex.h"
#include "core/loader/pipeline_request.h"
#include "core/loader/training_time.h"
#include "core/monitor/host_sampler.h"
#include "core/run/executor.h"
#include "core/run/span_figures.h"

namespace millrace {

/// A run of the engine from one place on, with all that its batches live in. Shared by the loader
/// and every batch that is out. Members of titled groups.
struct LoaderSession {
  LoaderSession(std::shared_ptr<const PreparedPipeline> prepared,
                std::shared_ptr<const CacheSet> cacheSet)
      : pipeline(std::move(prepared)), caches(std::move(cacheSet)) {}

  // Constant after it was made. What the executor uses stands in front of it.
  std::shared_ptr<const PreparedPipeline> pipeline;
  std::shared_ptr<const CacheSet> caches;
  std::unique_ptr<Executor> executor;

  bool started = false;  ///< guarded by the loader

  mutable Mutex mutex;
  HostSampler host MILLRACE_GUARDED_BY(mutex);
  SpanEdge begin MILLRACE_GUARDED_BY(mutex);
  TrainingTime time MILLRACE_GUARDED_BY(mutex);
};

}  // namespace millrace

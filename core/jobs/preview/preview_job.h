// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/preview/preview_chain.h"
#include "core/preview/previewed_sample.h"

namespace millrace {

/// Receives the samples of a preview, on the thread that runs the job.
class PreviewObserver {
 public:
  virtual ~PreviewObserver() = default;
  /// In order, each once.
  virtual void onSample(const PreviewedSample& sample) = 0;
  /// Asked before each sample; returning false stops the job.
  virtual bool mayContinue() { return true; }
};

enum class PreviewEnd : std::uint8_t { Done, Stopped };

/// Makes previews, one after the other. The source of the last one stays open, so that a folder is
/// listed only once while its parameters stay the same. One thread.
class PreviewJob {
 public:
  /// Makes the samples on the calling thread. The error says what is wrong with the pipeline; a
  /// sample that fails is delivered with its error.
  Result<PreviewEnd> run(const PreviewOptions& options, PreviewObserver& observer);

 private:
  KeptSource m_kept;
};

}  // namespace millrace

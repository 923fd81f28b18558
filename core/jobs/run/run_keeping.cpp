// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/run_keeping.h"

#include "core/open/stored_document.h"

namespace millrace {

std::unique_ptr<StoreRecorder> beginKeeping(const KeepSettings& keep,
                                            const PreparedPipeline& prepared,
                                            const std::string& pipeline, const Facts& facts,
                                            RunIdentity& identity, JobObserver& observer) {
  if (!keep.keep) return nullptr;
  auto recorder = StoreRecorder::begin(keep.file, keep.labels, prepared.plan, pipeline,
                                       storedDocument(prepared), facts);
  if (!recorder) {
    observer.onNotKept("this run is not kept: " + recorder.error().message);
    return nullptr;
  }
  identity.runId = std::to_string(static_cast<std::int64_t>((*recorder)->run()));
  return recorder.take();
}

void endKeeping(std::unique_ptr<StoreRecorder> recorder, JobObserver& observer) {
  if (!recorder) return;
  if (const Status kept = recorder->close(); !kept)
    observer.onNotKept("this run is not kept completely: " + kept.error().message);
}

}  // namespace millrace

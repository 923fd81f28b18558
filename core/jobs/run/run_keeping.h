// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/events/stream/event_json.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/measure/data_facts.h"
#include "core/open/pipeline_request.h"

namespace millrace {

/// Begins a run in the store and sets its number in `identity`. nullptr: it is not kept; if it
/// should have been, the observer hears why.
std::unique_ptr<StoreRecorder> beginKeeping(const KeepSettings& keep,
                                            const PreparedPipeline& prepared,
                                            const std::string& pipeline, const Facts& facts,
                                            RunIdentity& identity, JobObserver& observer);
/// Waits until the run is in the store, and frees the recorder; nullptr does nothing. If something
/// is missing there, the observer hears why.
void endKeeping(std::unique_ptr<StoreRecorder> recorder, JobObserver& observer);

}  // namespace millrace

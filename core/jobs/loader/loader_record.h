// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/events/stream/run_events.h"
#include "core/measure/data_facts.h"
#include "core/measure/store_recorder.h"
#include "core/monitor/environment.h"
#include "core/own_loader/loader_run.h"
#include "core/store/run_store.h"

namespace millrace {

/// "PyTorch DataLoader, 2 workers, python 3.11.2, torch 2.5.1".
std::string loaderText(const LoaderReady& loader);
/// "32 samples: list of (32, 3, 224, 224) float32; (32) int64".
std::string batchText(const LoaderFirst& first);

// What the store keeps of a run of a user's own loader, in any job that measures one.

/// Known before it runs: the machine, the engine, and that it is such a run, of a file that
/// `millrace export` wrote or of another one.
Facts loaderMachineFacts(const OwnLoader& loader, const Environment& environment);
/// What its first batch showed: kind, workers, batch, versions.
Facts loaderFactsOf(const LoaderFacts& loader);
/// How it is measured: measureFacts() without those that only a pipeline has.
Facts loaderMeasureFacts(const MeasureSettings& measure);

/// The nodes and stages of a loader's figures, in the form of a pipeline's plan. `name`: as
/// shownName() gives it. Its `workers` are the first stage if there are any.
PlanEvent loaderPlan(const std::string& name, const LoaderNodes& nodes, std::uint64_t workers);
/// The same of a kept run of a loader, by its figures.
PlanEvent keptLoaderPlan(const RunDetails& details);

NewRun loaderRecord(const OwnLoader& loader, const RunLabels& labels, const Facts& facts);

}  // namespace millrace

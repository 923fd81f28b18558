// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/kept_live_run.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/node_display.h"
#include "widgets/models/pipeline_title.h"
#include "widgets/models/run_state.h"

namespace millrace {

namespace {

MeasureChoice keptMeasure(const RunDetails& details) {
  MeasureChoice measure;
  measure.repeats = static_cast<int>(std::max<std::size_t>(1, details.repeats.size()));
  if (const auto warmup = factOf(details, "warmup_seconds"))
    measure.warmupSeconds = toQt(*warmup).toDouble();
  for (const RepeatRecord& repeat : details.repeats)
    if (const auto seconds = figureOf(repeat.figures, "seconds")) measure.seconds = *seconds;
  return measure;
}

ChildEnd endOf(const RunDetails& details) {
  const RunSummary& run = details.summary;
  ChildEnd end;
  if (run.state == RunState::Interrupted) end.kind = ChildEnd::Kind::Stopped;
  if (run.state == RunState::Failed) end.kind = ChildEnd::Kind::Failed;
  if (run.state == RunState::Running)
    end.sentence = "The run was still going on when this page was opened.";
  else if (!run.reason.empty() && !wasStopped(run))
    end.sentence = "The run ended: " + sentence(singleLine(run.reason));
  return end;
}

}  // namespace

NodeNames namesOf(const Document& document) {
  NodeNames names;
  for (const GraphNode& node : document.graph().nodes) {
    const NodeSpec* spec = document.specOf(node.id);
    names[node.id] = {titleOf(node, spec), spec == nullptr ? Category::Runtime : spec->category};
  }
  return names;
}

LiveRun keptLiveRun(const RecordedRun& recorded, NodeNames names) {
  const RunDetails& details = recorded.run.details;
  LiveRun run;
  run.begin(shownPipeline(details.summary.pipelineName), keptMeasure(details), std::move(names));
  for (const StreamEvent& event : recordedStream(recorded)) run.take(event);
  run.finish(endOf(details));
  return run;
}

}  // namespace millrace

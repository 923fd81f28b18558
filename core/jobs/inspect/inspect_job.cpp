// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/inspect/inspect_job.h"

#include "core/nodes/builtin.h"

namespace millrace {

ScanLimits thoroughScan() {
  ScanLimits limits;
  limits.namesPerFolder = 100000;
  limits.folders = 100000;
  return limits;
}

Result<Inspection> InspectJob::run(InspectObserver& observer) {
  Inspection found;
  found.path = m_options.path.native();
  ScanLimits limits = thoroughScan();
  limits.heads = 64;
  FolderContent content = detectContent(m_options.path, limits, &m_stop);
  found.kind = nameOf(content);
  found.description = content.description;
  found.below = content.below;
  observer.onContent(content);
  if (!isReadable(content)) return found;
  MILLRACE_ASSIGN_OR_RETURN(PipelineProposal proposal, proposePipeline(content, builtinCatalog()));
  MILLRACE_ASSIGN_OR_RETURN(const auto source, openSourceOf(proposal.graph, builtinCatalog()));
  takeCounts(content, *source);
  found.description = content.description;
  observer.onProposal(proposal);
  SurveyLimits survey;
  survey.samples = m_options.samples;
  found.survey = surveyData(*source, survey, &m_stop);
  found.proposal = std::move(proposal.graph);
  found.proposalNotes = std::move(proposal.notes);
  return found;
}

}  // namespace millrace

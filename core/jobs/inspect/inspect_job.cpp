// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/inspect/inspect_job.h"

#include "core/jobs/common/decoding.h"
#include "core/jobs/inspect/files_alone.h"
#include "core/jobs/run/reduction_warnings.h"
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
  auto opened = openProposed(content);
  if (!opened)
    if (auto alike = filesThatAgree(content, opened.error(), m_stop)) {
      content = std::move(*alike);
      opened = openProposed(content);
    }
  if (!opened) {
    auto alone = filesAlone(content, opened.error(), limits, m_stop);
    if (!alone) return opened.error();
    found.kind = nameOf(*alone);
    found.description = std::move(alone->description);
    found.below = std::move(alone->below);
    return found;
  }
  auto& [proposal, source] = *opened;
  takeCounts(content, *source);
  found.description = content.description;
  observer.onProposal(proposal);
  SurveyLimits survey;
  survey.samples = m_options.samples;
  survey.pagesOf = kindWithPages(proposal.graph);
  if (const auto decoding = decodingOf(proposal.graph, {});
      decoding && *decoding && (*decoding)->form == DecodeForm::Stored)
    survey.storedChannels = (*decoding)->channels;
  found.survey = surveyData(*source, survey, &m_stop);
  found.proposal = std::move(proposal.graph);
  found.proposalNotes = std::move(proposal.notes);
  return found;
}

}  // namespace millrace

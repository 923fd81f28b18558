// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/inspect/inspect_job.h"

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/inspect/folder_probe.h"
#include "core/inspect/scan.h"
#include "core/jobs/run/reduction_warnings.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

struct OpenedProposal {
  PipelineProposal proposal;
  std::shared_ptr<const Source> source;
};

Result<OpenedProposal> openProposed(const FolderContent& content) {
  MILLRACE_ASSIGN_OR_RETURN(PipelineProposal proposal, proposePipeline(content, builtinCatalog()));
  MILLRACE_ASSIGN_OR_RETURN(auto source, openSourceOf(proposal.graph, builtinCatalog()));
  return OpenedProposal{std::move(proposal), std::move(source)};
}

/// As SurveyLimits::pagesOf.
std::string pagesOf(const Graph& proposal) {
  for (const GraphNode& node : proposal.nodes)
    if (const NodeSpec* spec = builtinCatalog().find(node.kind);
        spec != nullptr && spec->role == NodeRole::Source)
      return std::string(kindWithPages(*spec));
  return {};
}

/// The reason without the folder of the files that it names.
std::string reasonIn(const std::filesystem::path& folder, const Error& why) {
  std::string reason = why.message;
  const std::string prefix = validUtf8((folder / "").native());
  for (std::size_t at; (at = reason.find(prefix)) != std::string::npos;)
    reason.erase(at, prefix.size());
  return reason;
}

/// Looks at each container file of a folder alone. Together they are not one data set, for the
/// reason `why`. False if no file can be read alone either.
bool inspectFilesAlone(const FolderContent& together, const Error& why, const ScanLimits& limits,
                       const std::atomic<bool>& stop, Inspection& found) {
  if (together.format == nullptr || together.paths.size() != 1) return false;
  const std::filesystem::path& folder = together.paths.front();
  const auto seen = probeFolder(folder, kMostBelow);
  if (!seen) return false;
  std::string unreadable;
  for (const std::string& name : seen->files) {
    if (stop) break;
    FolderContent content = detectContent(folder / name, limits, &stop);
    if (!isReadable(content)) continue;
    const auto opened = openProposed(content);
    if (!opened) {
      unreadable += fmt::format(" Not readable: {}.", reasonIn(folder, opened.error()));
      continue;
    }
    takeCounts(content, *opened->source);
    found.below.push_back({folder / name, std::string(nameOf(content)), content.description});
  }
  if (found.below.empty()) return false;
  found.kind = nameOf(DataLayout::Unknown);
  found.description =
      fmt::format("The {} are not one data set. {}. Each file {} its own pipeline.{}",
                  countedFiles(together.files, together.all, "file"), reasonIn(folder, why),
                  unreadable.empty() ? "has" : "that can be read has", unreadable);
  return true;
}

}  // namespace

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
  if (!opened) {
    if (inspectFilesAlone(content, opened.error(), limits, m_stop, found)) return found;
    return opened.error();
  }
  auto& [proposal, source] = *opened;
  takeCounts(content, *source);
  found.description = content.description;
  observer.onProposal(proposal);
  SurveyLimits survey;
  survey.samples = m_options.samples;
  survey.pagesOf = pagesOf(proposal.graph);
  found.survey = surveyData(*source, survey, &m_stop);
  found.proposal = std::move(proposal.graph);
  found.proposalNotes = std::move(proposal.notes);
  return found;
}

}  // namespace millrace

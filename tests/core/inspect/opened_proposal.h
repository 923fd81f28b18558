// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/graph/graph_check.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

/// The problems of the proposed pipeline with its data open; "" if it has none.
inline std::string faultOf(const FolderContent& content, const PipelineProposal& proposal) {
  CheckOptions options;
  options.openData = true;
  const CheckResult checked = checkGraph(proposal.graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return content.description.empty() ? "no description" : "";
}

/// The source of the proposal, after comparing its counts with the description.
inline std::shared_ptr<const Source> opened(FolderContent content) {
  const auto proposal = proposePipeline(content, builtinCatalog());
  if (!proposal || !faultOf(content, *proposal).empty()) {
    qWarning("%s",
             proposal ? faultOf(content, *proposal).c_str() : proposal.error().message.c_str());
    return nullptr;
  }
  auto source = openSourceOf(proposal->graph, builtinCatalog());
  if (!source) return nullptr;
  const std::string before = content.description;
  takeCounts(content, **source);
  if (before != content.description) {
    qWarning("%s, then %s", before.c_str(), content.description.c_str());
    return nullptr;
  }
  return source.take();
}

}  // namespace millrace::tests

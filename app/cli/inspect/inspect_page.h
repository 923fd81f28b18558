// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/inspect/data_survey.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"

namespace millrace::cli {

/// The result of `inspect` for a path.
struct Inspection {
  std::string path;
  FolderContent content;
  std::optional<PipelineProposal> proposal;  ///< if a source can read it
  std::optional<DataSurvey> survey;          ///< if a source can read it
  std::string next;                          ///< the suggested next command
};

/// The page for the user, in 80 columns.
std::string inspectionPage(const Inspection& found);

/// For programs: kind samples bytes fields classes broken proposal
/// (docs/reference/command-line.md), and more.
std::string inspectionJson(const Inspection& found);

}  // namespace millrace::cli

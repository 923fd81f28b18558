// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/proposal/data_survey.h"
#include "core/proposal/folder_content.h"
#include "core/proposal/pipeline_proposal.h"

namespace millrace::cli {

/// What `inspect` found out about a path.
struct Inspection {
  std::string path;
  FolderContent content;
  std::optional<PipelineProposal> proposal;  ///< where a source reads it
  std::optional<DataSurvey> survey;          ///< the same
  std::string next;                          ///< what to type
};

/// For a person, in 80 columns.
std::string inspectionPage(const Inspection& found);

/// For a program: kind samples bytes fields classes broken proposal (CONTRACT §9), and more.
std::string inspectionJson(const Inspection& found);

}  // namespace millrace::cli

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/inspect/data_survey.h"
#include "core/inspect/folder_content.h"

namespace millrace {

/// What a path contains. Value.
struct Inspection {
  std::string path;
  std::string kind;                  ///< nameOf(FolderContent): "class folders", "TFRecord"
  std::string description;           ///< FolderContent::description
  std::optional<DataSurvey> survey;  ///< nullopt: no source can read the data
  std::optional<Graph> proposal;     ///< a pipeline for the data, if a source can read it
  std::string proposalNotes;         ///< PipelineProposal::notes
  std::vector<DataBelow> below;      ///< readable data in it, if it cannot be read as a whole
  std::string next;                  ///< the suggested next command

  /// Whether a source and at least one sample can be read.
  bool isReadable() const { return survey && !survey->isBroken(); }
};

}  // namespace millrace

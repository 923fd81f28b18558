// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"

namespace millrace {

struct OpenedProposal {
  PipelineProposal proposal;
  std::shared_ptr<const Source> source;
};
/// The pipeline for a content, and the source that reads it.
Result<OpenedProposal> openProposed(const FolderContent& content);

/// If the container files of a folder are not one data set, for the reason `why`: those that are,
/// if they are more than half of the files; the description names the others. Else nullopt. Opens
/// each file up to three times; `stop` ends it early.
std::optional<FolderContent> filesThatAgree(const FolderContent& together, const Error& why,
                                            const std::atomic<bool>& stop);

/// If the container files of a folder are not one data set, for the reason `why`: each file that
/// can be read alone is one `below`, and the description has the reason. nullopt: no file can, or
/// `together` is no folder of containers. Blocks on file I/O; `stop` ends it early.
std::optional<FolderContent> filesAlone(const FolderContent& together, const Error& why,
                                        const ScanLimits& limits, const std::atomic<bool>& stop);

/// detectContent, then filesThatAgree or filesAlone if the containers that it found are not one
/// data set.
FolderContent detectUsable(const std::filesystem::path& path, const ScanLimits& limits,
                           const std::atomic<bool>& stop);

}  // namespace millrace

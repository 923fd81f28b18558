// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/container_file.h"
#include "core/formats/tar/web_shard.h"

namespace millrace::nodes {

/// The parts of the first samples of a file.
struct SurveyedShard {
  WebSurvey parts;
  int fd = -1;
};

/// Of the first `samples` samples of the first file that has any. Files without any before it are
/// noted.
Result<SurveyedShard> surveyShards(const std::vector<ContainerFile>& files, std::size_t samples,
                                   Junk junk, std::vector<std::string>& notes);

}  // namespace millrace::nodes

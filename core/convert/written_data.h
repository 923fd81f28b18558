// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/convert/sample_maker.h"
#include "core/formats/dataset_writer.h"
#include "core/proposal/pipeline_proposal.h"

namespace millrace {

/// A value that tells samples apart by what they hold. `spec`: how they are written; labels that
/// become names of folders count by these.
std::uint64_t digestOf(const WriteSpec& spec, TargetKind kind, std::span<const TensorView> values);

/// A pipeline that reads what was written at `path`. `readBack` is the writer's.
Result<PipelineProposal> proposeReading(const std::filesystem::path& path, TargetKind kind,
                                        const WriteSpec& spec,
                                        const std::vector<std::string>& readBack);

/// Reads back what was written, through the format's source: all samples are there, and with
/// `deep` every one of them holds the bytes and the label of one that was written (`digests`). The
/// error says what differs. `go` hears how many were read, and ends it by false; then the result is
/// of no use.
Status verifyWritten(const Source& target, TargetKind kind, const WriteSpec& spec,
                     std::vector<std::uint64_t> digests, bool deep,
                     const std::function<bool(std::uint64_t)>& go);

}  // namespace millrace

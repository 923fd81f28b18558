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
#include "core/inspect/pipeline_proposal.h"

namespace millrace {

/// Digest of a sample's content. `spec`: how it is written; labels that become folder names are
/// included as such.
std::uint64_t digestOf(const WriteSpec& spec, const Format& format,
                       std::span<const TensorView> values);

/// A pipeline that reads the data written at `path`. `readBack` comes from the writer.
Result<PipelineProposal> proposeReading(const std::filesystem::path& path, const Format& format,
                                        const WriteSpec& spec,
                                        const std::vector<std::string>& readBack);

/// Reads the written data back through the format's source and checks the number of samples; with
/// `deep`, also that each has the bytes and label of a written one (`digests`). The error says what
/// differs. `go` receives the number of samples read; if it returns false the check ends early with
/// success.
Status verifyWritten(const Source& target, const Format& format, const WriteSpec& spec,
                     std::vector<std::uint64_t> digests, bool deep,
                     const std::function<bool(std::uint64_t)>& go);

}  // namespace millrace

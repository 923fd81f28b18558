// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/web_survey.h"

#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/open_file.h"
#include "core/formats/tar/tar_walk.h"

namespace millrace::nodes {

namespace {

bool beginsAsTar(const ContainerFile& file) {
  std::array<std::byte, TarWalk::kBlock> head{};
  const auto got = readAt(file.file.fd.get(), 0, head.data(), head.size());
  return got && *got == head.size() && isTarHead(head.data());
}

/// Why a file has no sample: what is damaged in an archive comes first.
std::string withoutSample(const ContainerFile& file, const std::vector<std::string>& damage) {
  if (!damage.empty() && beginsAsTar(file))
    return "it has no complete sample: " + join(damage, "; ");
  return "it is not a tar archive of samples: it has no file with a name like key.extension";
}

}  // namespace

Result<SurveyedShard> surveyShards(const std::vector<ContainerFile>& files, std::size_t samples,
                                   Junk junk, std::vector<std::string>& notes) {
  // Where the content of a damaged compressed file ends, and what else opening has noted.
  const std::string opening = notes.empty() ? std::string() : "; " + join(notes, "; ");
  std::string first;
  for (const ContainerFile& file : files) {
    std::vector<std::string> damage;
    auto survey = surveyShard(file.file.fd.get(), file.file.size, samples, junk, &damage);
    if (survey && !survey->empty()) return SurveyedShard{survey.take(), file.file.fd.get()};
    const std::string why = survey ? withoutSample(file, damage) : survey.error().message;
    if (first.empty()) first = why;
    notes.push_back(fmt::format("{}: {}", validUtf8(file.name()), why));
  }
  return Error{fmt::format("`{}`: {}{}", validUtf8(files.front().path.native()), first, opening)};
}

}  // namespace millrace::nodes

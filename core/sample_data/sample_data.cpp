// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_data.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/text/text.h"
#include "core/base/user_folder.h"
#include "core/sample_data/sample_cache.h"
#include "core/sample_data/sample_kinds.h"
#include "core/sample_data/sample_maker.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using samples::SampleKindEntry;

constexpr std::string_view kScheme = "sample:";
/// The last one is in the validation part: without any, `train` would be read as a class.
constexpr std::uint32_t kPreviewSamples = 5;

Error refused(const fs::path& path, std::string_view what, const std::error_code& reason) {
  return {fmt::format("{}: {}: {}", path.string(), what, reason.message())};
}

Result<const SampleKindEntry*> findKind(std::string_view name) {
  std::vector<std::string> names;
  for (const SampleKindEntry& entry : samples::sampleKindEntries()) {
    if (entry.name == name) return &entry;
    names.emplace_back(entry.name);
  }
  return Error{
      fmt::format("there is no sample data `{}`; choose one of {}", name, joinWords(names))};
}

}  // namespace

std::vector<SampleKind> sampleKinds() {
  std::vector<SampleKind> kinds;
  for (const SampleKindEntry& entry : samples::sampleKindEntries())
    kinds.push_back(
        {entry.name, entry.description, entry.defaultCount, entry.samplesEach,
         entry.hasValidation ? samples::trainingPart(entry.defaultCount) : entry.defaultCount});
  return kinds;
}

fs::path sampleCacheFolder() { return userCacheFolder() / "samples"; }

Status makeSampleData(const fs::path& folder, const SampleRequest& request,
                      const SampleProgress& progress) {
  const auto kind = findKind(request.kind);
  if (!kind.ok()) return kind.error();
  std::error_code error;
  const bool isNew = fs::create_directories(folder, error);
  if (error) return refused(folder, "cannot be created", error);
  const bool empty = fs::is_empty(folder, error);
  if (error) return refused(folder, "cannot be read", error);
  if (!empty)
    return Error{fmt::format(
        "{}: sample data needs a new or empty folder, but this one is not empty", folder.string())};
  const std::uint32_t count = request.count == 0 ? kind.value()->defaultCount : request.count;
  const auto made =
      samples::drawInto(folder, *kind.value(), count, request.seed, request.threads, progress);
  if (!made.ok() && isNew) fs::remove(folder, error);
  if (!made.ok()) return made.error();
  return {};
}

Result<fs::path> ensureSampleData(std::string_view name, const SampleProgress& progress) {
  const auto kind = findKind(name);
  if (!kind.ok()) return kind.error();
  return samples::ensureInCache(sampleCacheFolder(), *kind.value(), progress);
}

bool hasSampleData(std::string_view name) {
  const auto kind = findKind(name);
  return kind.ok() && samples::isStamped(sampleCacheFolder(), *kind.value());
}

Result<fs::path> ensureSamplePreview(std::string_view name, const SampleProgress& progress) {
  const auto kind = findKind(name);
  if (!kind.ok()) return kind.error();
  SampleKindEntry few = *kind.value();
  few.defaultCount = kPreviewSamples;
  return samples::ensureInCache(sampleCacheFolder() / "looks", few, progress, 1);
}

std::optional<std::string> sampleNameOf(std::string_view path) {
  if (!path.starts_with(kScheme)) return std::nullopt;
  path.remove_prefix(kScheme.size());
  return std::string(path.substr(0, path.find('/')));
}

Result<fs::path> resolveSamplePath(std::string_view path, const SampleProgress& progress) {
  const auto name = sampleNameOf(path);
  if (!name) return Error{fmt::format("`{}` does not start with `{}`", path, kScheme)};
  const std::string_view rest = path.substr(kScheme.size() + name->size());
  const fs::path below = fs::path(rest).relative_path().lexically_normal();
  if (below.begin() != below.end() && *below.begin() == "..")
    return Error{fmt::format("`{}` leads outside the sample data", path)};
  auto folder = ensureSampleData(*name, progress);
  if (!folder.ok()) return folder.error();
  return below.empty() ? folder.take() : folder.value() / below;
}

}  // namespace millrace

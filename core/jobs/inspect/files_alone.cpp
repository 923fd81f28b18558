// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/inspect/files_alone.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/folder_probe.h"
#include "core/inspect/scan.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

/// The reason without the folder of the files that it names.
std::string reasonIn(const std::filesystem::path& folder, const Error& why) {
  std::string reason = why.message;
  const std::string prefix = validUtf8((folder / "").native());
  for (std::size_t at; (at = reason.find(prefix)) != std::string::npos;)
    reason.erase(at, prefix.size());
  return reason;
}

}  // namespace

Result<OpenedProposal> openProposed(const FolderContent& content) {
  MILLRACE_ASSIGN_OR_RETURN(PipelineProposal proposal, proposePipeline(content, builtinCatalog()));
  MILLRACE_ASSIGN_OR_RETURN(auto source, openSourceOf(proposal.graph, builtinCatalog()));
  return OpenedProposal{std::move(proposal), std::move(source)};
}

std::optional<FolderContent> filesThatAgree(const FolderContent& together, const Error& why,
                                            const std::atomic<bool>& stop) {
  if (together.format == nullptr || together.paths.size() != 1) return std::nullopt;
  const std::filesystem::path folder = together.paths.front();
  const auto seen = probeFolder(folder, kMostBelow);
  if (!seen || !seen->all) return std::nullopt;
  const auto withFiles = [&](const std::vector<std::string>& paths) {
    FolderContent content = together;
    content.params["paths"] = paths;
    return content;
  };
  const auto shown = [](const std::string& file) {
    return "`" + visibleName(std::filesystem::path(file).filename().native()) + "`";
  };
  std::vector<std::string> files;
  std::vector<std::string> unreadable;
  for (const std::string& name : seen->files) {
    if (formatOfFileName(name) != together.format || stop) continue;
    const std::string file = (folder / name).native();
    (openProposed(withFiles({file})) ? files : unreadable).push_back(file);
  }
  // The first file may be the odd one.
  for (std::size_t base = 0; base < std::min<std::size_t>(2, files.size()); ++base) {
    std::vector<std::string> alike;
    std::vector<std::string> odd;
    for (std::size_t i = 0; i < files.size() && !stop; ++i)
      (i == base || openProposed(withFiles({files[base], files[i]})) ? alike : odd)
          .push_back(files[i]);
    if (stop || odd.empty() || 2 * alike.size() <= files.size()) continue;
    FolderContent content = withFiles(alike);
    if (!openProposed(content)) continue;
    content.files = alike.size();
    odd.insert(odd.end(), unreadable.begin(), unreadable.end());
    std::ranges::transform(odd, odd.begin(), shown);
    content.description = fmt::format(
        "{} of {}. {} left out: {}. {}.", countedFiles(alike.size(), true, "file"),
        together.format->title, odd.size() == 1 ? "1 file is" : grouped(odd.size()) + " files are",
        join(odd, ", "), reasonIn(folder, why));
    return content;
  }
  return std::nullopt;
}

std::optional<FolderContent> filesAlone(const FolderContent& together, const Error& why,
                                        const ScanLimits& limits, const std::atomic<bool>& stop) {
  if (together.format == nullptr || together.paths.size() != 1) return std::nullopt;
  const std::filesystem::path& folder = together.paths.front();
  const auto seen = probeFolder(folder, kMostBelow);
  if (!seen) return std::nullopt;
  FolderContent alone;
  std::string unreadable;
  for (const std::string& name : seen->files) {
    if (stop) break;
    FolderContent content = detectContent(folder / name, limits, &stop);
    if (!isReadable(content)) continue;
    const auto opened = openProposed(content);
    if (!opened) {
      unreadable += fmt::format(" Not readable: {}.", reasonIn(folder, opened.error()));
      continue;
    }
    takeCounts(content, *opened->source);
    alone.below.push_back({folder / name, std::string(nameOf(content)), content.description});
  }
  if (alone.below.empty()) return std::nullopt;
  alone.description =
      fmt::format("The {} are not one data set. {}. Each file {} its own pipeline.{}",
                  countedFiles(together.files, together.all, "file"), reasonIn(folder, why),
                  unreadable.empty() ? "has" : "that can be read has", unreadable);
  return alone;
}

FolderContent detectUsable(const std::filesystem::path& path, const ScanLimits& limits,
                           const std::atomic<bool>& stop) {
  FolderContent content = detectContent(path, limits, &stop);
  // Listing loose pictures again, only to open them, would take long.
  if (content.format == nullptr) return content;
  const auto opened = openProposed(content);
  if (opened) return content;
  if (auto alike = filesThatAgree(content, opened.error(), stop)) return std::move(*alike);
  return filesAlone(content, opened.error(), limits, stop).value_or(std::move(content));
}

}  // namespace millrace

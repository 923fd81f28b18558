// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/shard_files.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/data_place.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

constexpr std::size_t kMostNames = 1000000;

std::optional<std::uint32_t> numberOf(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Error tooMany(std::string_view pattern) {
  return Error{
      fmt::format("`{}` expands to more than {} names", validUtf8(pattern), grouped(kMostNames))};
}

/// Expands the text between two braces: a range or a list.
Result<std::vector<std::string>> alternatives(std::string_view inside, std::string_view pattern) {
  const std::size_t dots = inside.find("..");
  if (dots == std::string_view::npos) return split(inside, ',');
  const std::string_view low = inside.substr(0, dots);
  const auto from = numberOf(low);
  const auto to = numberOf(inside.substr(dots + 2));
  if (!from || !to || *from > *to)
    return Error{
        fmt::format("`{{{}}}` is not a range: write it as {{000..015}}", validUtf8(inside))};
  if (*to - *from >= kMostNames) return tooMany(pattern);
  std::vector<std::string> names;
  for (std::uint32_t i = *from; i <= *to; ++i)
    names.push_back(fmt::format("{:0{}}", i, low.front() == '0' ? low.size() : 1));
  return names;
}

}  // namespace

Result<std::vector<std::string>> expandBraces(std::string_view pattern) {
  std::vector<std::string> names{""};
  std::string_view rest = pattern;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    for (std::string& name : names) name += rest.substr(0, open);
    rest.remove_prefix(open);
    if (rest.empty()) break;
    const std::size_t close = rest.find('}');
    const std::string_view inside = rest.substr(1, close == std::string_view::npos ? 0 : close - 1);
    if (close == std::string_view::npos || inside.find('{') != std::string_view::npos)
      return Error{fmt::format("the braces in `{}` do not match", validUtf8(pattern))};
    MILLRACE_ASSIGN_OR_RETURN(const auto choices, alternatives(inside, pattern));
    if (names.size() * choices.size() > kMostNames) return tooMany(pattern);
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& choice : choices) longer.push_back(name + choice);
    names = std::move(longer);
    rest.remove_prefix(close + 1);
  }
  return names;
}

Result<std::vector<std::string>> namesMeant(const std::string& entry,
                                            const std::filesystem::path& base) {
  if (entry.find('{') == std::string::npos) return std::vector{entry};
  if (isRemotePath(entry)) return expandBraces(entry);
  const auto path = resolveDataPath(entry, base);
  std::error_code ignored;
  if (path && std::filesystem::exists(*path, ignored)) return std::vector{entry};
  return expandBraces(entry);
}

namespace {

Status addFolder(const std::filesystem::path& folder,
                 const std::function<bool(std::string_view)>& fits, std::uint32_t entry,
                 std::vector<ShardFile>& files, std::vector<std::string>& notes) {
  MILLRACE_ASSIGN_OR_RETURN(const auto list, listFiles(folder, {}, {.junk = Junk::Keep}));
  const std::size_t before = files.size();
  JunkCount junk;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::filesystem::path file = list.absolute(i);
    if (const std::string path = list.path(i); isJunkPath(path))
      junk.add(path);
    else if (fits(file.filename().native()))
      files.push_back({file, entry});
  }
  if (junk.count() > 0) notes.push_back(junk.note("give a file itself to include it"));
  if (files.size() > before) return {};
  return Error{
      fmt::format("no file in `{}` has the usual name of this format; give the files themselves",
                  validUtf8(folder.native()))};
}

/// A server is asked only about a path that looks like a folder.
bool isFolderOfShards(const std::filesystem::path& path, std::size_t names,
                      const std::function<bool(std::string_view)>& fits) {
  if (isRemotePath(path.native()) && (names > 1 || fits(path.filename().native()))) return false;
  return isFolderAt(path);
}

}  // namespace

Result<std::vector<ShardFile>> shardFiles(const std::vector<std::string>& paths,
                                          const std::filesystem::path& base,
                                          const std::function<bool(std::string_view name)>& fits,
                                          std::vector<std::string>& notes) {
  if (paths.empty()) return resolveDataPath("", base).error();
  std::vector<ShardFile> files;
  for (std::uint32_t entry = 0; entry < paths.size(); ++entry) {
    MILLRACE_ASSIGN_OR_RETURN(const auto names, namesMeant(paths[entry], base));
    for (const std::string& name : names) {
      MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(name, base));
      if (isFolderOfShards(path, names.size(), fits))
        MILLRACE_TRY(addFolder(path, fits, entry, files, notes));
      else
        files.push_back({path, entry});
    }
  }
  return files;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/pair_table.h"

#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text.h"

namespace millrace {

namespace {

/// Common endings of the names of inputs and targets.
constexpr std::array<std::array<const char*, 2>, 6> kUsual = {{{"_LR", "_HR"},
                                                               {"_input", "_target"},
                                                               {"_blur", "_sharp"},
                                                               {"_image", "_mask"},
                                                               {"_img", "_mask"},
                                                               {"", "_mask"}}};

std::string_view withoutExtension(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot <= name ? path : path.substr(0, dot);
}

struct Named {
  std::uint32_t index;
  bool used;
};
using Keys = std::unordered_map<std::string_view, Named>;

struct Counted {
  std::size_t count = 0;
  std::string_view first;

  void add(std::string_view path) {
    if (count++ == 0) first = path;
  }
  void noteIn(std::vector<std::string>& notes, const char* what) const {
    if (count > 0) notes.push_back(fmt::format("{} {}; first: {}", count, what, validUtf8(first)));
  }
};

/// The files of one side. `rival`: files with this suffix belong to the other side.
class Side {
 public:
  Side(const FileList& files, std::string_view suffix, std::string_view rival = {})
      : m_files(files), m_suffix(suffix), m_rival(rival) {}

  std::string_view key(std::uint32_t i) const {
    const std::string_view path = m_files.view(i);
    if (m_rival.size() > m_suffix.size() && !pairKey(path, m_rival).empty()) return {};
    return pairKey(path, m_suffix);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_files.size()); }
  std::string_view path(std::uint32_t i) const { return m_files.view(i); }

 private:
  const FileList& m_files;
  std::string_view m_suffix;
  std::string_view m_rival;
};

Keys keysOf(const Side& targets, std::vector<std::string>& notes) {
  Keys keys;
  Counted doubles;
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    const std::string_view key = targets.key(i);
    if (!key.empty() && !keys.emplace(key, Named{i, false}).second) doubles.add(targets.path(i));
  }
  doubles.noteIn(notes, "targets have the same name as another one and are left out");
  return keys;
}

PairTable matchSides(const Side& inputs, const Side& targets) {
  PairTable table;
  Keys keys = keysOf(targets, table.notes);
  Counted alone;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    const std::string_view key = inputs.key(i);
    if (key.empty()) continue;
    const auto found = keys.find(key);
    if (found == keys.end()) {
      alone.add(inputs.path(i));
      continue;
    }
    found->second.used = true;
    table.pairs.push_back({i, found->second.index});
  }
  alone.noteIn(table.notes, "inputs without a target are left out");
  Counted unused;
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    const std::string_view key = targets.key(i);
    if (!key.empty() && !keys.find(key)->second.used) unused.add(targets.path(i));
  }
  unused.noteIn(table.notes, "targets without an input are left out");
  return table;
}

}  // namespace

std::string_view pairKey(std::string_view path, std::string_view suffix) {
  const std::string_view stem = withoutExtension(path);
  if (suffix.empty()) return stem;
  for (const std::string_view name : {stem, path})
    if (name.size() > suffix.size() && name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  return {};
}

Result<PairTable> PairTable::match(const FileList& inputs, const FileList& targets,
                                   const PairSuffixes& suffixes) {
  PairTable table = matchSides(Side(inputs, suffixes.input), Side(targets, suffixes.target));
  if (!table.pairs.empty()) return table;
  return Error{fmt::format(
      "no file in `{}` has a counterpart in `{}`: the first ones are {} and {}, and names must be "
      "equal "
      "apart from the extension; set input_suffix and target_suffix to the differing ends",
      validUtf8(inputs.root().native()), validUtf8(targets.root().native()),
      validUtf8(inputs.view(0)), validUtf8(targets.view(0)))};
}

Result<PairTable> PairTable::matchWithin(const FileList& files, const PairSuffixes& suffixes) {
  const std::string folder = validUtf8(files.root().native());
  const auto within = [&](std::string_view input, std::string_view target) {
    return matchSides(Side(files, input, target), Side(files, target, input));
  };
  if (suffixes.input != suffixes.target) {
    PairTable table = within(suffixes.input, suffixes.target);
    if (!table.pairs.empty()) return table;
    return Error{
        fmt::format("no pair in `{}`: no two file names differ only by `{}` and `{}` at the end "
                    "(the first file is {}); correct input_suffix and target_suffix, or set target",
                    folder, suffixes.input, suffixes.target, validUtf8(files.view(0)))};
  }
  if (suffixes.input.empty())
    for (const auto& [input, target] : kUsual) {
      PairTable table = within(input, target);
      if (table.pairs.empty()) continue;
      table.notes.push_back(fmt::format(
          "inputs and targets distinguished by the suffixes `{}` and `{}`", input, target));
      return table;
    }
  return Error{
      fmt::format("inputs and targets in `{}` cannot be distinguished; set input_suffix and "
                  "target_suffix to the ends "
                  "of their names, or give the targets' folder as well",
                  folder)};
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/node_parts/manifest_files.h"
#include "core/node_parts/reading_params.h"
#include "core/spec/describe.h"

namespace millrace::nodes::manifest {

enum class Separator : std::uint8_t {
  Auto,
  Comma,
  Semicolon,
  Tab,
  Pipe,
  Space,
  AfterPath,
  FirstSpace
};
enum class Header : std::uint8_t { Auto, Yes, No };
inline constexpr std::string_view kSeparators("?,;\t| \x1e\x1f");
enum class FindBy : std::uint8_t { Auto, Path, Name };
enum class LabelSeparator : std::uint8_t { Auto, Pipe, Semicolon, Comma, Space, List };
inline constexpr std::string_view kListSeparators("?|;, [");
inline constexpr const char* kAnyExtension = "auto";

struct Params {
  TextList paths;
  std::string root;
  FindBy findBy = FindBy::Auto;
  std::string imageColumn{kAnyColumn};
  std::string labelColumn{kAnyColumn};
  TextList labelColumns;
  bool multiLabel = false;
  LabelSeparator labelSeparator = LabelSeparator::Auto;
  std::string targetColumn;
  std::string maskColumn;
  LabelNumbers labels = LabelNumbers::Auto;
  TextList classes;
  Separator separator = Separator::Auto;
  Header header = Header::Auto;
  TextEncoding encoding = TextEncoding::Auto;
  std::string extension = kAnyExtension;
  Pages pages = Pages::First;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// What the parameters say about the manifests; `root`: where paths start, resolved.
ManifestHints hintsOf(const Params& p, const std::filesystem::path& root);

/// The node's forms in other loaders' code.
void addExporters(Describe<Params>& d);

}  // namespace millrace::nodes::manifest

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/colour_csv.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;
/// 255 is reserved for pixels without a class.
constexpr int kMostClasses = 255;

std::optional<std::uint8_t> level(std::string_view text) {
  text = trimmed(text);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 255)
    return std::nullopt;
  return static_cast<std::uint8_t>(value);
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

struct Row {
  std::string name;
  ColourTable::Colour colour;
};

constexpr std::string_view kBetweenCells = ",;\t ";

/// `name,r,g,b`. A name may contain commas: the last three numbers are the colour.
std::optional<Row> nameFirst(std::string_view line) {
  Row row;
  for (std::size_t i = 3; i-- > 0;) {
    line = trimmed(line);
    const std::size_t before = line.find_last_of(kBetweenCells);
    if (before == std::string_view::npos) return std::nullopt;
    const std::optional<std::uint8_t> value = level(line.substr(before + 1));
    if (!value) return std::nullopt;
    row.colour[i] = *value;
    line = trimmed(line.substr(0, before + 1));
    if (line.ends_with(',') || line.ends_with(';')) line.remove_suffix(1);
  }
  row.name = unquoted(line);
  return row;
}

/// `r g b name`, as in CamVid's label_colors.txt.
std::optional<Row> colourFirst(std::string_view line) {
  Row row;
  for (std::uint8_t& part : row.colour) {
    const std::size_t end = line.find_first_of(kBetweenCells);
    if (end == std::string_view::npos) return std::nullopt;
    const std::optional<std::uint8_t> value = level(line.substr(0, end));
    if (!value) return std::nullopt;
    part = *value;
    const std::size_t next = line.find_first_not_of(kBetweenCells, end);
    line = next == std::string_view::npos ? std::string_view{} : line.substr(next);
  }
  row.name = unquoted(line);
  if (row.name.empty()) return std::nullopt;
  return row;
}

/// `name:r,g,b:parts:actions`, as in CVAT's labelmap.txt; `r g b name`; `name,r,g,b`.
std::optional<Row> rowOf(std::string_view line) {
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    const std::string_view rest = line.substr(colon + 1);
    if (auto row = nameFirst("," + std::string(rest.substr(0, rest.find(':'))))) {
      row->name = unquoted(line.substr(0, colon));
      return row;
    }
  }
  if (auto row = colourFirst(line)) return row;
  return nameFirst(line);
}

}  // namespace

Result<ColourClasses> parseColourClasses(std::string_view text) {
  ColourClasses classes;
  std::vector<ColourTable::Colour> colours;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    const std::string_view content = trimmed(line);
    if (content.empty() || content.starts_with('#')) continue;
    std::optional<Row> row = rowOf(content);
    if (!row && colours.empty() && number == 1) continue;
    if (!row)
      return Error{fmt::format(
          "line {} is not `name,r,g,b` or `r g b name` with numbers from 0 to 255", number)};
    classes.names.push_back(std::move(row->name));
    colours.push_back(row->colour);
  }
  if (colours.size() > kMostClasses)
    return Error{
        fmt::format("{} classes, but at most {} are possible", colours.size(), kMostClasses)};
  Result<ColourTable> table = ColourTable::of(colours);
  if (!table) return table.error();
  classes.table = table.take();
  return classes;
}

Result<ColourClasses> readColourClasses(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none))
    return Error{fmt::format("{} is a folder, not a colour table", validUtf8(file.string()))};
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{fmt::format("cannot read {}", validUtf8(file.string()))};
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes)
    return Error{
        fmt::format("{} is not a class table: it is larger than 1 MiB", validUtf8(file.string()))};
  Result<ColourClasses> classes = parseColourClasses(text);
  if (!classes)
    return Error{fmt::format("{}: {}", validUtf8(file.string()), classes.error().message)};
  return classes;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What the masks of a data set hold: indices, or colours with their table.
#include <fmt/format.h>

#include "core/base/text/visible_name.h"
#include "core/formats/folder/mask_values.h"
#include "core/formats/io/open_file.h"
#include "core/inspect/colour_tables.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMasksDecoded = 8;
constexpr std::uint64_t kLargestMask = std::uint64_t{64} << 20U;

void addFile(MaskValues& found, ImageDecoder& decoder, const fs::path& file) {
  const auto opened = openForReading(file);
  if (!opened || opened->size > kLargestMask) return;
  std::vector<std::byte> bytes(opened->size);
  const auto got = readAt(opened->fd.get(), 0, bytes.data(), bytes.size());
  bytes.resize(got ? *got : 0);
  addMask(found, decoder, bytes);
}

MaskValues maskValuesOf(const std::vector<fs::path>& files) {
  MaskValues found;
  ImageDecoder decoder;
  for (const fs::path& file : files) {
    if (found.masks + found.refused == kMasksDecoded) break;
    addFile(found, decoder, file);
  }
  return found;
}

std::string indicesText(const MaskValues& values) {
  if (values.highest() == 0 && values.values.test(255))
    return "The masks examined hold only 0 and 255. 255 usually marks pixels without a class; if "
           "it is one, set `decode.mask` to rgb and `one_hot.colours` to a file with the lines "
           "`background,0,0,0` and `object,255,255,255`.";
  // What the losses have changed does not count the classes.
  return fmt::format("The masks examined hold the {} {}.",
                     values.lossy > 0 ? "values" : "class indices", values.text());
}

std::string coloursText(const MaskValues& values) {
  if (!values.areGreyColours() || values.colours.size() > MaskValues::kMostColours)
    return fmt::format("The masks are colours ({} found).",
                       values.colours.size() > MaskValues::kMostColours
                           ? "more than 256"
                           : std::to_string(values.colours.size()));
  MaskValues grey;
  for (const std::uint32_t colour : values.colours) grey.values.set(colour & 0xFFU);
  return fmt::format(
      "The masks have the grey values {} in each of three channels, which are read as colours: "
      "save them with one channel to read class indices.",
      grey.text());
}

}  // namespace

bool holdClassIndices(const std::vector<fs::path>& files) {
  // A photo has more shades of grey, even a small one.
  constexpr std::size_t kMostIndices = 64;
  MaskValues found;
  ImageDecoder decoder;
  for (const fs::path& file : files) {
    if (found.masks == kMasksDecoded) break;
    addFile(found, decoder, file);
    if (found.refused > 0 || found.lossy > 0 || found.colour > 0) return false;
  }
  return found.masks > 0 && found.values.count() <= kMostIndices;
}

void describeMasks(const std::vector<fs::path>& files, FolderContent& content) {
  const auto add = [&](const std::string& sentence) {
    content.details += (content.details.empty() ? "" : " ") + sentence;
  };
  const MaskValues values = maskValuesOf(files);
  if (values.refused > 0)
    add(fmt::format("{} of the {} masks examined cannot be read as the class numbers 0 to 255: {}.",
                    values.refused, values.refused + values.masks, values.whyRefused));
  if (values.masks == 0) return;
  content.colourMasks = values.areColours();
  if (values.lossy > 0) add(values.lossyText("masks") + "; save masks as PNG.");
  if (values.lossy == 0) content.highestIndex = values.highest();
  if (!content.colourMasks) return add(indicesText(values));
  const bool listed = content.layout == DataLayout::Manifest;
  const auto table =
      findColourTable(listed ? files.front().parent_path() : content.paths.back(), values.colours);
  if (!table) return add(coloursText(values));
  content.colours = table->file;
  content.coloursComplete = table->complete;
  add(fmt::format("The masks are colours; `{}` gives their {} classes.",
                  visibleName(table->file.filename().native()), table->classes));
}

}  // namespace millrace

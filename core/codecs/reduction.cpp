// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/reduction.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {
namespace {

struct ReductionText {
  std::string_view counter;
  std::string_view one;   ///< after "1 picture of 800 samples "
  std::string_view many;  ///< after "37 pictures of 800 samples "
};

// Stored runs contain the counters' names, so they do not change.
constexpr std::array<ReductionText, kReductions> kTexts{{
    {"pictures with several pages: first used", "has several pages: the first one is used",
     "have several pages: the first one is used"},
    {"pictures with several frames: first used",
     "has several frames: only its still picture, usually the first frame, is used",
     "have several frames: only their still pictures, usually the first frames, are used"},
    {"pictures with more than 8 bits: reduced to 8",
     "has more than 8 bits per channel: the values are scaled to 8 bits",
     "have more than 8 bits per channel: the values are scaled to 8 bits"},
    {"pictures with alpha: dropped", "has transparency: alpha is dropped, the colours are kept",
     "have transparency: alpha is dropped, the colours are kept"},
    {"pictures with more channels than colours: dropped",
     "has more channels than its colours: the others are dropped",
     "have more channels than their colours: the others are dropped"},
    {"pictures with a colour profile: not applied",
     "has a colour profile other than sRGB, which is not applied",
     "have a colour profile other than sRGB, which is not applied"},
    {"CMYK pictures with a colour profile: not applied",
     "is CMYK with a colour profile, which is not applied",
     "are CMYK with a colour profile, which is not applied"},
}};

const ReductionText& textOf(Reduction reduction) {
  return kTexts[static_cast<std::size_t>(reduction)];
}

std::string storedKeeps(std::string_view what) {
  return fmt::format(
      "decode.form = stored keeps {} in PNG, TIFF and JPEG 2000, if decode.channels is the number "
      "of channels in the files and normalise is bypassed or has the mean and deviation of those "
      "numbers",
      what);
}

/// The big-endian number at a place that lies in the profile.
std::uint32_t numberAt(std::string_view profile, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : profile.substr(at, 4))
    number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

using Xyz = std::array<double, 3>;

/// The colour of a tag (ICC.1:2010, 7.3 and 10.31); nullopt: the profile does not have it.
std::optional<Xyz> colourOf(std::string_view profile, std::string_view tag) {
  constexpr std::size_t kTags = 128;
  constexpr std::size_t kEntryBytes = 12;
  constexpr std::size_t kColourBytes = 20;
  for (std::size_t at = kTags + 4; at + kEntryBytes <= profile.size(); at += kEntryBytes) {
    if ((at - kTags - 4) / kEntryBytes >= numberAt(profile, kTags)) break;
    if (profile.substr(at, 4) != tag) continue;
    const std::size_t place = numberAt(profile, at + 4);
    if (place > profile.size() || profile.size() - place < kColourBytes) break;
    Xyz colour;
    for (std::size_t i = 0; i < 3; ++i)
      colour[i] = static_cast<std::int32_t>(numberAt(profile, place + 8 + 4 * i)) / 65536.0;
    return colour;
  }
  return std::nullopt;
}

/// Whether red, green and blue are those of sRGB, adapted to D50, where the profile says it.
/// Profiles that were changed often keep the old description.
bool hasSrgbColours(std::string_view profile) {
  constexpr double kApart = 0.02;
  constexpr std::array<std::pair<std::string_view, Xyz>, 3> kColours{
      {{"rXYZ", {0.4361, 0.2225, 0.0139}},
       {"gXYZ", {0.3851, 0.7169, 0.0971}},
       {"bXYZ", {0.1431, 0.0606, 0.7141}}}};
  for (const auto& [tag, wanted] : kColours)
    if (const auto found = colourOf(profile, tag))
      for (std::size_t i = 0; i < 3; ++i)
        if (std::abs((*found)[i] - wanted[i]) > kApart) return false;
  return true;
}

}  // namespace

std::string_view counterOf(Reduction reduction) { return textOf(reduction).counter; }

std::string describe(Reduction reduction, std::uint64_t pictures, std::uint64_t samples) {
  const ReductionText& text = textOf(reduction);
  return fmt::format("{} of {} {}", counted(pictures, "picture"), counted(samples, "sample"),
                     pictures == 1 ? text.one : text.many);
}

std::string remedyOf(Reduction reduction, std::string_view pagesOf) {
  switch (reduction) {
    case Reduction::Pages:
    case Reduction::Frames:
      return pagesOf.empty() ? "save each as a separate file, or read loose files, where the "
                               "source's parameter pages makes each a sample"
                             : fmt::format("{}.pages = each makes each of them a sample", pagesOf);
    case Reduction::CmykProfile: return "decode.cmyk = profile applies it";
    case Reduction::Alpha:
      return fmt::format("decode.background = 255 shows white there, {}", storedKeeps("alpha"));
    case Reduction::Bits:
    case Reduction::Channels: return storedKeeps("them");
    default: return {};
  }
}

bool isSrgbProfile(std::string_view profile) {
  constexpr std::size_t kHead = 128;
  if (profile.size() <= kHead) return true;
  // As bytes in version 2, as UTF-16 with the high byte first in version 4.
  using namespace std::string_view_literals;
  for (const std::string_view name : {"sRGB"sv, "s\0R\0G\0B"sv, "srgb"sv})
    if (profile.find(name, kHead) != std::string_view::npos) return hasSrgbColours(profile);
  return false;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/reduction.h"

#include <array>

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
    if (profile.find(name, kHead) != std::string_view::npos) return true;
  return false;
}

}  // namespace millrace

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// What a picture's file holds and its pixels, three channels of 8 bits, do not.
enum class Reduction : std::uint8_t {
  Pages,        ///< TIFF: the first of several is used
  Frames,       ///< animations: the first is used
  Bits,         ///< more than 8 per sample
  Alpha,        ///< dropped
  Channels,     ///< more than the colours
  Profile,      ///< a colour profile that is not sRGB, which is not applied
  CmykProfile,  ///< the profile of CMYK colours, which is applied only on request
};
constexpr std::size_t kReductions = static_cast<std::size_t>(Reduction::CmykProfile) + 1;

/// A set of them. Value.
class Reductions {
 public:
  void add(Reduction reduction) { m_bits |= bit(reduction); }
  void addIf(bool holds, Reduction reduction) {
    if (holds) add(reduction);
  }
  void remove(Reduction reduction) { m_bits &= static_cast<std::uint8_t>(~bit(reduction)); }
  bool has(Reduction reduction) const { return (m_bits & bit(reduction)) != 0; }
  bool any() const { return m_bits != 0; }

 private:
  static std::uint8_t bit(Reduction reduction) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(reduction));
  }
  std::uint8_t m_bits = 0;
};

/// The counter's name in a run's totals: "pictures with several frames: first used".
std::string_view counterOf(Reduction reduction);

/// "37 pictures of 800 samples have several pages: the first one is used".
std::string describe(Reduction reduction, std::uint64_t pictures, std::uint64_t samples);

/// How the pixels keep it: "decode.form = stored keeps them in PNG, TIFF and JPEG 2000"; empty if
/// they cannot. `pagesOf`: the kind of the source if it has the parameter `pages`, otherwise empty.
std::string remedyOf(Reduction reduction, std::string_view pagesOf);

/// Whether a colour profile (ICC.1) is for sRGB, by its description and its colours. Profiles that
/// are too short to have one are taken for sRGB: nothing can be said about them.
bool isSrgbProfile(std::string_view profile);

}  // namespace millrace

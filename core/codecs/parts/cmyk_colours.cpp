// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/cmyk_colours.h"

#include <algorithm>
#include <vector>

#include <lcms2.h>

#include "core/codecs/pixel_rows.h"

namespace millrace {

namespace {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Profile = std::unique_ptr<void, CloseProfile>;

}  // namespace

struct CmykColours::Parts {
  std::vector<std::byte> profile;
  std::unique_ptr<void, DeleteTransform> transform;
};

CmykColours::CmykColours() : m_parts(std::make_unique<Parts>()) {}
CmykColours::~CmykColours() = default;

Status CmykColours::setProfile(std::span<const std::byte> profile) {
  if (std::ranges::equal(profile, m_parts->profile)) return {};
  m_parts->profile.clear();
  m_parts->transform.reset();
  if (profile.empty()) return {};
  const Profile from(
      cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size())));
  if (!from) return Error{"its colour profile is damaged; set decode.cmyk to plain"};
  if (cmsGetColorSpace(from.get()) != cmsSigCmykData)
    return Error{"its colours are CMYK, but its colour profile is not; set decode.cmyk to plain"};
  const Profile to(cmsCreate_sRGBProfile());
  // The intent that Pillow's ImageCms takes by default.
  if (to)
    m_parts->transform.reset(cmsCreateTransform(from.get(), TYPE_CMYK_8_REV, to.get(), TYPE_RGB_8,
                                                INTENT_PERCEPTUAL, 0));
  if (!m_parts->transform)
    return Error{"its colour profile cannot be applied; set decode.cmyk to plain"};
  m_parts->profile.assign(profile.begin(), profile.end());
  return {};
}

void CmykColours::toRgb(const std::uint8_t* inverted, std::uint8_t* rgb, int width) const {
  if (m_parts->transform)
    cmsDoTransform(m_parts->transform.get(), inverted, rgb, static_cast<cmsUInt32Number>(width));
  else
    invertedCmykToRgb(inverted, rgb, width);
}

}  // namespace millrace

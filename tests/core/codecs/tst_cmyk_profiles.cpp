// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The ICC profiles of CMYK pictures.
#include <string>

#include <lcms2.h>

#include "core/codecs/cmyk_colours.h"
#include "tests/core/codecs/codec_checks.h"

namespace millrace {
using tests::Picture;

namespace {

using Bytes = std::vector<std::byte>;

/// A printer whose black ink alone makes the lightness, and whose other inks cannot be seen.
Bytes profileOfBlackInk() {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 2.1);
  cmsSetDeviceClass(profile, cmsSigOutputClass);
  cmsSetColorSpace(profile, cmsSigCmykData);
  cmsSetPCS(profile, cmsSigLabData);
  cmsPipeline* table = cmsPipelineAlloc(nullptr, 4, 3);
  cmsStage* grid = cmsStageAllocCLut16bit(nullptr, 2, 4, 3, nullptr);
  cmsStageSampleCLut16bit(
      grid,
      [](const cmsUInt16Number* inks, cmsUInt16Number* lab, void*) -> cmsInt32Number {
        lab[0] = cmsUInt16Number((0xffff - inks[3]) * 0xff00U / 0xffffU);
        lab[1] = lab[2] = 0x8000;
        return 1;
      },
      nullptr, 0);
  cmsPipelineInsertStage(table, cmsAT_END, grid);
  cmsWriteTag(profile, cmsSigAToB0Tag, table);
  cmsPipelineFree(table);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  Bytes bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

Bytes profileOfSrgb() {
  cmsHPROFILE profile = cmsCreate_sRGBProfile();
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  Bytes bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

/// The file with the profile in markers of at most `part` bytes.
Bytes withProfile(const Bytes& jpeg, const Bytes& profile, std::size_t part = 60000) {
  Bytes file(jpeg.begin(), jpeg.begin() + 2);
  const std::size_t parts = (profile.size() + part - 1) / part;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t size = std::min(part, profile.size() - i * part);
    const std::string title("ICC_PROFILE\0", 12);
    const std::size_t length = 2 + title.size() + 2 + size;
    for (const std::size_t value : {std::size_t{0xff}, std::size_t{0xe2}, length >> 8U, length})
      file.push_back(std::byte(value & 0xffU));
    for (const char letter : title) file.push_back(std::byte(letter));
    file.push_back(std::byte(i + 1));
    file.push_back(std::byte(parts));
    const auto first = profile.begin() + std::ptrdiff_t(i * part);
    file.insert(file.end(), first, first + std::ptrdiff_t(size));
  }
  file.insert(file.end(), jpeg.begin() + 2, jpeg.end());
  return file;
}

/// Adobe's inverted inks: all cyan, and half of the black.
Bytes cyan() {
  Picture inks(16, 16, 4);
  for (std::size_t i = 0; i < inks.bytes.size(); ++i)
    inks.bytes[i] = i % 4 == 0 ? 0 : (i % 4 == 3 ? 128 : 255);
  return writePlainJpeg(inks, {.quality = 100});
}

std::string messageOf(const Bytes& file) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode({.cmykProfile = true});
  return image ? "" : image.error().message;
}

}  // namespace

class TestCmykProfiles : public QObject {
  Q_OBJECT
 private slots:
  /// By the profile the inks are a grey with half of L*, which is 119 in sRGB.
  void theProfileIsAppliedOnRequest() {
    const Bytes file = withProfile(cyan(), profileOfBlackInk());
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->reduced.has(Reduction::CmykProfile));
    const auto plain = decoder.decode({});
    VERIFY_OK(plain);
    QVERIFY(plain->pixels.row(3)[0] <= 2 && std::abs(plain->pixels.row(3)[1] - 128) <= 2);
    const auto applied = decoder.decode({.cmykProfile = true});
    VERIFY_OK(applied);
    for (int c = 0; c < 3; ++c) QVERIFY(std::abs(applied->pixels.row(3)[c] - 119) <= 3);
    const auto grey = decoder.decode({.form = PixelForm::Grey, .cmykProfile = true});
    VERIFY_OK(grey);
    QVERIFY(std::abs(grey->pixels.row(3)[0] - 119) <= 3);
  }

  void partsOfAProfileArePutTogether() {
    const Bytes profile = profileOfBlackInk();
    const Bytes one = withProfile(cyan(), profile);
    const Bytes many = withProfile(cyan(), profile, 100);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(many));
    const auto image = decoder.decode({.cmykProfile = true});
    VERIFY_OK(image);
    QVERIFY(std::abs(image->pixels.row(3)[0] - 119) <= 3);
  }

  /// The same decoder does not keep the profile of another file.
  void withoutAProfileThePlainRuleHolds() {
    ImageDecoder decoder;
    const Bytes with = withProfile(cyan(), profileOfBlackInk());
    VERIFY_OK(decoder.open(with));
    VERIFY_OK(decoder.decode({.cmykProfile = true}));
    const Bytes without = cyan();
    const auto info = decoder.open(without);
    VERIFY_OK(info);
    QVERIFY(!info->reduced.any());
    const auto image = decoder.decode({.cmykProfile = true});
    VERIFY_OK(image);
    QVERIFY(image->pixels.row(3)[0] <= 2);
  }

  void aProfileOfOtherColoursOrJunkIsAnError() {
    QCOMPARE(messageOf(withProfile(cyan(), profileOfSrgb())),
             std::string("its colours are CMYK, but its colour profile is not; set decode.cmyk to "
                         "plain"));
    const std::string damaged = "its colour profile is damaged; set decode.cmyk to plain";
    QCOMPARE(messageOf(withProfile(cyan(), Bytes(300, std::byte{7}))), damaged);
    Bytes cut = profileOfBlackInk();
    cut.resize(cut.size() / 2);
    QVERIFY(!messageOf(withProfile(cyan(), cut)).empty());
  }
};

}  // namespace millrace

using millrace::TestCmykProfiles;
MILLRACE_TEST_CASE(TestCmykProfiles)
#include "tst_cmyk_profiles.moc"

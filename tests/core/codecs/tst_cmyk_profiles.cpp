// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The ICC profiles of CMYK pictures.
#include <string>

#include <lcms2.h>

#include "core/codecs/cmyk_colours.h"
#include "core/codecs/encode.h"
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"
#include "tests/core/codecs/plain_tiff.h"

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

/// The same inks as cyan(), not inverted.
Picture cyanInks() {
  Picture inks(16, 16, 4);
  for (std::size_t i = 0; i < inks.bytes.size(); ++i)
    inks.bytes[i] = i % 4 == 0 ? 255 : (i % 4 == 3 ? 127 : 0);
  return inks;
}

std::uint32_t numberAt(const Bytes& file, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8U | std::to_integer<std::uint32_t>(file[at + i]);
  return value;
}

void setNumber(Bytes& file, std::size_t at, std::size_t value) {
  for (std::size_t i = 0; i < 4; ++i) file[at + i] = std::byte(value >> 8 * (3 - i) & 0xffU);
}

std::size_t boxAt(const Bytes& file, std::string_view name) {
  const auto* text = reinterpret_cast<const char*>(file.data());
  return std::string_view(text, file.size()).find(name) - 4;
}

/// A JP2 file whose box of colours holds the profile, or the number of CMYK.
Bytes jp2With(const Bytes& profile) {
  Bytes file = writePlainJpeg2000(cyanInks(), {});
  const std::size_t colours = boxAt(file, "colr");
  const std::size_t heads = boxAt(file, "jp2h");
  if (profile.empty()) {
    setNumber(file, colours + 11, 12);
    return file;
  }
  const std::size_t old = numberAt(file, colours);
  Bytes box(8 + 3 + profile.size());
  std::ranges::copy(file.begin() + std::ptrdiff_t(colours),
                    file.begin() + std::ptrdiff_t(colours) + 8, box.begin());
  setNumber(box, 0, box.size());
  box[8] = std::byte{2};
  std::ranges::copy(profile, box.begin() + 11);
  const auto first = file.begin() + std::ptrdiff_t(colours);
  file.erase(first, first + std::ptrdiff_t(old));
  file.insert(file.begin() + std::ptrdiff_t(colours), box.begin(), box.end());
  setNumber(file, heads, numberAt(file, heads) + box.size() - old);
  return file;
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
  void profilesOfOtherColoursAreReported() {
    const Picture drawn = tests::colourful(40, 24, 3, 5);
    const Bytes jpeg = encodeJpeg(drawn.view()).take();
    const auto reports = [](const Bytes& file) {
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      return info && info->reduced.has(Reduction::Profile);
    };
    QVERIFY(!reports(jpeg));
    const Bytes other = profileOfBlackInk();
    QVERIFY(other.size() > 200);
    for (const std::size_t part : {std::size_t{60000}, std::size_t{100}}) {
      QVERIFY(!reports(withProfile(jpeg, profileOfSrgb(), part)));
      QVERIFY(reports(withProfile(jpeg, other, part)));
    }
  }

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

  void theProfileOfTiffAndJpeg2000IsApplied_data() {
    QTest::addColumn<Bytes>("with");
    QTest::addColumn<Bytes>("without");
    QTest::addColumn<Bytes>("wrong");
    const auto tiff = [](const Bytes& profile, int bits, bool planes) {
      return writePlainTiff(cyanInks(), {.bits = bits,
                                         .photometric = PHOTOMETRIC_SEPARATED,
                                         .planes = planes,
                                         .profile = profile});
    };
    const Bytes black = profileOfBlackInk();
    for (const int bits : {8, 16})
      for (const bool planes : {false, true})
        QTest::addRow("TIFF of %d bits%s", bits, planes ? " in planes" : "")
            << tiff(black, bits, planes) << tiff({}, bits, planes)
            << tiff(profileOfSrgb(), bits, planes);
    QTest::newRow("JPEG 2000") << jp2With(black) << jp2With({}) << jp2With(Bytes());
  }

  void theProfileOfTiffAndJpeg2000IsApplied() {
    QFETCH(Bytes, with);
    QFETCH(Bytes, without);
    QFETCH(Bytes, wrong);
    ImageDecoder decoder;
    const auto info = decoder.open(with);
    VERIFY_OK(info);
    QVERIFY(info->reduced.has(Reduction::CmykProfile) && !info->reduced.has(Reduction::Alpha));
    const auto plain = decoder.decode({});
    VERIFY_OK(plain);
    QVERIFY(plain->pixels.row(3)[0] <= 2 && std::abs(plain->pixels.row(3)[1] - 128) <= 2);
    const auto applied = decoder.decode({.region = {2, 3, 9, 5}, .cmykProfile = true});
    VERIFY_OK(applied);
    for (int c = 0; c < 3; ++c) QVERIFY(std::abs(applied->pixels.row(3)[c] - 119) <= 3);
    const auto grey = decoder.decode({.form = PixelForm::Grey, .cmykProfile = true});
    VERIFY_OK(grey);
    QVERIFY(std::abs(grey->pixels.row(3)[0] - 119) <= 3);
    // The same decoder does not keep the profile of another file.
    const auto bare = decoder.open(without);
    VERIFY_OK(bare);
    QVERIFY(!bare->reduced.has(Reduction::CmykProfile));
    const auto byRule = decoder.decode({.cmykProfile = true});
    VERIFY_OK(byRule);
    QVERIFY(byRule->pixels.row(3)[0] <= 2);
    if (wrong != without)
      QVERIFY(messageOf(wrong).find("but its colour profile is not") != std::string::npos);
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

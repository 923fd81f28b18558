// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/picture_scale.h"

#include <cstring>

#include "core/codecs/encode.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::vector<std::byte> png(int width, int height) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * height, 7);
  return encodePng({pixels.data(), width, height, 1, width}, {}).take();
}

/// Pairs in memory; the first one is damaged.
class Pairs final : public Source {
 public:
  Pairs(std::vector<std::byte> image, std::vector<std::byte> target)
      : m_content{std::move(image), std::move(target)} {}

  std::uint32_t size() const override { return 2; }
  std::vector<FieldSpec> fields() const override {
    return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
            {"target", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Target}};
  }
  std::string name(std::uint32_t) const override { return {}; }
  std::unique_ptr<SourceReader> reader() const override { return std::make_unique<Reader>(*this); }

 private:
  struct Reader final : SourceReader {
    explicit Reader(const Pairs& pairs) : pairs(pairs) {}
    Status read(std::uint32_t index, Sample& sample, ReadCounters&) override {
      for (std::size_t f = 0; f < 2; ++f) {
        const std::vector<std::byte>& content = pairs.m_content[f];
        const TensorView to = sample.replaceBytes(f, content.size());
        std::memcpy(to.data, content.data(), content.size());
        if (index == 0) to.data[0] = std::byte{0};
      }
      return {};
    }
    const Pairs& pairs;
  };
  std::vector<std::byte> m_content[2];
};

/// The same pairs as pixels; only widths matter.
class Pixels final : public Source {
 public:
  std::uint32_t size() const override { return 1; }
  std::vector<FieldSpec> fields() const override {
    return {{"image", DType::U8, {8, 10, 3}, Layout::Hwc, Role::Image},
            {"target", DType::F32, {3, 32, 40}, Layout::Chw, Role::Target},
            {"label", DType::I64, {}, Layout::Plain, Role::Label}};
  }
  std::string name(std::uint32_t) const override { return {}; }
  std::unique_ptr<SourceReader> reader() const override { return std::make_unique<Reader>(*this); }

 private:
  struct Reader final : SourceReader {
    explicit Reader(const Pixels& pixels) : pixels(pixels) {}
    Status read(std::uint32_t, Sample& sample, ReadCounters&) override {
      const std::vector<FieldSpec> fields = pixels.fields();
      for (std::size_t f = 0; f < fields.size(); ++f)
        sample.replace(f, fields[f].dtype, fields[f].shape, fields[f].layout);
      return {};
    }
    const Pixels& pixels;
  };
};

}  // namespace

class TestPictureScale : public QObject {
  Q_OBJECT
 private slots:
  void comesFromTheFirstSampleThatCanBeRead() {
    const Pairs pairs(png(10, 8), png(40, 32));
    std::vector<FieldSpec> fields = pairs.fields();
    measurePictureScales(pairs, fields);
    QCOMPARE(fields[0].scale, 1.0);
    QCOMPARE(fields[1].scale, 4.0);
  }

  void aSmallerTargetHasAScaleBelowOne() {
    const Pairs pairs(png(10, 8), png(5, 4));
    std::vector<FieldSpec> fields = pairs.fields();
    measurePictureScales(pairs, fields);
    QCOMPARE(fields[1].scale, 0.5);
  }

  void pixelsTellTheirWidthToo() {
    const Pixels pixels;
    std::vector<FieldSpec> fields = pixels.fields();
    measurePictureScales(pixels, fields);
    QCOMPARE(fields[0].scale, 1.0);
    QCOMPARE(fields[1].scale, 4.0);
    QCOMPARE(fields[2].scale, 1.0);
  }

  void staysOneWhereNoSampleTells() {
    const Pairs pairs({std::byte{1}}, {std::byte{2}});
    std::vector<FieldSpec> fields = pairs.fields();
    measurePictureScales(pairs, fields);
    QCOMPARE(fields[1].scale, 1.0);
  }
};

}  // namespace millrace

using millrace::TestPictureScale;
MILLRACE_TEST_CASE(TestPictureScale)
#include "tst_picture_scale.moc"

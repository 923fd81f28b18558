// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/picture_work.h"

#include <numeric>
#include <set>

#include "core/codecs/encode.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Form = PictureOptions::Form;

/// A picture whose values count up, and a field that holds it.
struct Picture {
  Picture(int width, int height, int channels)
      : pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height * channels)),
        view{pixels.data(), width, height, channels, std::ptrdiff_t{width} * channels} {
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{0});
  }
  std::vector<std::uint8_t> pixels;
  ImageView view;
};

TensorView tensorOf(std::vector<std::uint8_t>& bytes, Layout layout, Shape shape) {
  return {DType::U8, layout, shape, reinterpret_cast<std::byte*>(bytes.data()), bytes.size()};
}

FieldSpec field(DType dtype, Layout layout, Role role) {
  return {"photo", dtype, {Shape::kUnknown, Shape::kUnknown, 3}, layout, role};
}
const FieldSpec kFile = field(DType::Encoded, Layout::Plain, Role::Image);

PictureWork workOf(Form form) {
  PictureOptions options;
  options.form = form;
  return PictureWork(options);
}

bool samePixels(const ImageView& view, const std::vector<std::uint8_t>& wanted) {
  std::vector<std::uint8_t> found;
  for (int y = 0; y < view.height; ++y)
    found.insert(found.end(), view.row(y), view.row(y) + view.width * view.channels);
  return found == wanted;
}

}  // namespace

class TestPictureWork : public QObject {
  Q_OBJECT
 private slots:
  void theWantedSizeKeepsTheRatioOfTheShorterSide() {
    PictureOptions options;
    QCOMPARE(wantedSize(options, {30, 20}), (Size{30, 20}));
    options.shorterSide = 10;
    QCOMPARE(wantedSize(options, {30, 20}), (Size{15, 10}));
    QCOMPARE(wantedSize(options, {20, 30}), (Size{10, 15}));
    QCOMPARE(wantedSize(options, {7, 5}), (Size{14, 10}));
    options.shorterSide = 1;
    QCOMPARE(wantedSize(options, {1000, 1}), (Size{1000, 1}));
    options.size = Size{3, 4};
    QCOMPARE(wantedSize(options, {30, 20}), (Size{3, 4}));
  }

  void planesAndInterleavedPixelsGiveTheSamePicture() {
    Picture picture(3, 2, 3);
    std::vector<std::uint8_t> planes;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = c; i < picture.pixels.size(); i += 3)
        planes.push_back(picture.pixels[i]);
    PictureWork work = workOf(Form::Raw);
    const auto hwc = work.pixels(tensorOf(picture.pixels, Layout::Hwc, {2, 3, 3}),
                                 field(DType::U8, Layout::Hwc, Role::Image));
    VERIFY_OK(hwc);
    QVERIFY(samePixels(hwc->image, picture.pixels));
    QVERIFY(!hwc->wasFile);
    const auto chw = work.pixels(tensorOf(planes, Layout::Chw, {3, 2, 3}),
                                 field(DType::U8, Layout::Chw, Role::Image));
    VERIFY_OK(chw);
    QVERIFY(samePixels(chw->image, picture.pixels));
    QCOMPARE(chw->image.size(), (Size{3, 2}));
  }

  void aFieldThatIsNoPictureIsNamed() {
    std::vector<std::uint8_t> bytes(12);
    PictureWork work = workOf(Form::Keep);
    const TensorView plain = tensorOf(bytes, Layout::Plain, {12});
    const auto size = work.sizeOf(plain, field(DType::U8, Layout::Plain, Role::Features));
    QVERIFY(!size);
    QCOMPARE(size.error().message,
             std::string("photo: the field is not a picture and has no size"));
    TensorView wide = tensorOf(bytes, Layout::Hwc, {1, 1, 3});
    wide.dtype = DType::F32;
    const auto pixels = work.pixels(wide, field(DType::F32, Layout::Hwc, Role::Image));
    QVERIFY(!pixels);
    QCOMPARE(pixels.error().message,
             std::string("photo: pictures of f32 can only be copied unchanged"));
  }

  void aLosslessFormReadsBackAsItWas_data() {
    QTest::addColumn<int>("channels");
    QTest::newRow("grey") << 1;
    QTest::newRow("colour") << 3;
  }
  void aLosslessFormReadsBackAsItWas() {
    QFETCH(int, channels);
    const Picture picture(5, 4, channels);
    PictureWork work = workOf(Form::Png);
    auto file = work.stored({picture.view, Role::Image});
    VERIFY_OK(file);
    QCOMPARE(file->dtype, DType::Encoded);
    QCOMPARE(file->shape, (Shape{static_cast<std::int64_t>(file->bytes.size())}));
    VERIFY_OK(work.check(file->bytes, Role::Image));
    QCOMPARE(*work.sizeOf(file->view(), kFile), (Size{5, 4}));
    const auto back = work.pixels(file->view(), kFile);
    VERIFY_OK(back);
    QVERIFY(back->wasFile && !back->wasJpeg);
    QVERIFY(samePixels(back->image, picture.pixels));
  }

  /// A picture is kept in its kind of file; a mask never becomes a JPEG, which would change
  /// classes.
  void theStoredFormFollowsTheOptionsAndTheField() {
    const Picture picture(16, 16, 3);
    const auto beginOf = [&](Form form, Role role, bool wasJpeg, bool wasFile) {
      const auto made = workOf(form).stored({picture.view, role, wasJpeg, wasFile});
      if (!made) return made.error().message;
      if (made->dtype == DType::U8) return made->shape.text();
      return std::string(made->bytes[0] == std::byte{0xff} ? "jpeg" : "png");
    };
    QCOMPARE(beginOf(Form::Keep, Role::Image, true, true), std::string("jpeg"));
    QCOMPARE(beginOf(Form::Keep, Role::Image, false, true), std::string("png"));
    QCOMPARE(beginOf(Form::Keep, Role::Image, false, false), std::string("16x16x3"));
    QCOMPARE(beginOf(Form::Jpeg, Role::Target, false, true), std::string("jpeg"));
    QCOMPARE(beginOf(Form::Jpeg, Role::Mask, true, true), std::string("png"));
    QCOMPARE(beginOf(Form::Keep, Role::Mask, true, true), std::string("png"));
    QCOMPARE(beginOf(Form::Raw, Role::Mask, true, true), std::string("16x16x3"));
  }

  void rawPixelsAreTightWhateverTheStride() {
    const Picture whole(6, 4, 3);
    const ImageView part{whole.view.row(1) + 3, 2, 2, 3, whole.view.stride};
    const auto made = workOf(Form::Raw).stored({part, Role::Image});
    VERIFY_OK(made);
    QCOMPARE(made->bytes.size(), std::size_t{12});
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(made->bytes.data());
    QVERIFY(samePixels(part, {bytes, bytes + 12}));
  }

  void aMaskIsResizedWithoutNewClasses() {
    std::vector<std::uint8_t> mask(16);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 4 < 2 ? 10 : 200;
    const ImageView view{mask.data(), 4, 4, 1, 4};
    PictureWork work = workOf(Form::Png);
    const auto valuesOf = [&](Role role) {
      const Pixels made = work.resized({view, role}, {7, 7}, Filter::Bilinear);
      std::set<int> values;
      for (int y = 0; y < 7; ++y) values.insert(made.image.row(y), made.image.row(y) + 7);
      return values;
    };
    QCOMPARE(valuesOf(Role::Mask), (std::set<int>{10, 200}));
    QVERIFY(valuesOf(Role::Image).size() > 2);
    const Pixels same = work.resized({view, Role::Image}, {4, 4}, Filter::Bilinear);
    QCOMPARE(same.image.data, view.data);
  }

  void aDamagedFileFailsItsCheckUnlessThatIsOff() {
    const Picture picture(32, 32, 3);
    auto file = encodePng(picture.view).take();
    file.resize(file.size() / 2);
    PictureWork checked = workOf(Form::Keep);
    QVERIFY(!checked.check(file, Role::Image));
    PictureOptions options;
    options.check = false;
    PictureWork trusting(options);
    VERIFY_OK(trusting.check(file, Role::Image));
    file.resize(4);
    QVERIFY2(!trusting.check(file, Role::Image), "not even a header");
  }

  void aCopyHasBytesOfItsOwn() {
    std::vector<std::uint8_t> bytes{1, 2, 3};
    const MadeValue copy = MadeValue::copyOf(tensorOf(bytes, Layout::Hwc, {1, 1, 3}));
    bytes[1] = 9;
    const TensorView view = copy.view();
    QCOMPARE(view.as<std::uint8_t>()[1], std::uint8_t{2});
    QCOMPARE(view.shape, (Shape{1, 1, 3}));
    QCOMPARE(view.layout, Layout::Hwc);
    QCOMPARE(view.bytes, std::size_t{3});
  }
};

}  // namespace millrace

using millrace::TestPictureWork;
MILLRACE_TEST_CASE(TestPictureWork)
#include "tst_picture_work.moc"

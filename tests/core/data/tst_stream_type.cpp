// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/stream_type.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

const FieldSpec kPicture{"image", DType::U8, {480, 640, 3}, Layout::Hwc, Role::Image};
const FieldSpec kPlanes{"mask", DType::F32, {12, 48, 64}, Layout::Chw, Role::Mask, 12, true};
const FieldSpec kLabel{"label", DType::I64, {}, Layout::Plain, Role::Label, 10};
const FieldSpec kFile{"photo", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image};

}  // namespace

class TestStreamType : public QObject {
  Q_OBJECT
 private slots:
  void aPicturesSidesFollowItsLayout() {
    QCOMPARE(kPicture.height(), std::int64_t{480});
    QCOMPARE(kPicture.width(), std::int64_t{640});
    QCOMPARE(kPicture.channels(), std::int64_t{3});
    QCOMPARE(kPlanes.height(), std::int64_t{48});
    QCOMPARE(kPlanes.width(), std::int64_t{64});
    QCOMPARE(kPlanes.channels(), std::int64_t{12});
  }

  void whatIsNoPictureHasNoKnownSides() {
    FieldSpec plain = kPicture;
    plain.layout = Layout::Plain;
    FieldSpec flat = kPicture;
    flat.shape = {480, 640};
    for (const FieldSpec& field : {plain, flat, kLabel, kFile}) {
      QCOMPARE(field.height(), Shape::kUnknown);
      QCOMPARE(field.width(), Shape::kUnknown);
      QCOMPARE(field.channels(), Shape::kUnknown);
    }
  }

  void aPictureShapeIsReadBackByItsLayout() {
    for (const Layout layout : {Layout::Hwc, Layout::Chw}) {
      FieldSpec field = kPicture;
      field.layout = layout;
      field.shape = pictureShape(5, 7, 3, layout);
      QCOMPARE(field.height(), std::int64_t{5});
      QCOMPARE(field.width(), std::int64_t{7});
      QCOMPARE(field.channels(), std::int64_t{3});
    }
    QVERIFY(pictureShape(5, 7, 3, Layout::Plain) == Shape({5, 7}));
  }

  void rowsHaveLengthsOfTheirOwnWhereTheSizeIsNotKnown() {
    QVERIFY(isRagged(kFile));
    QVERIFY(!isRagged(kPicture));
    QVERIFY(!isRagged(kLabel));
    FieldSpec any = kPicture;
    any.shape = {Shape::kUnknown, 640, 3};
    QVERIFY(isRagged(any));
  }

  void viewsOfOneFormAreOneEntry() {
    StreamType stream;
    for (int view = 1; view <= 5; ++view) {
      FieldSpec field = kPicture;
      field.name = "view_" + std::to_string(view);
      field.view = view;
      if (view > 2) field.shape = {96, 96, 3};
      stream.fields.push_back(field);
    }
    stream.fields.push_back(kLabel);
    QCOMPARE(stream.text(),
             std::string("sample, host: view_1 to view_2 u8 480x640x3 hwc; view_3 to "
                         "view_5 u8 96x96x3 hwc; label i64 scalar of 10 classes"));
  }

  void aFieldIsShownInAFewWords() {
    QCOMPARE(kPicture.text(), std::string("image u8 480x640x3 hwc"));
    QCOMPARE(kPlanes.text(), std::string("mask f32 12x48x64 chw one-hot"));
    QCOMPARE(kLabel.text(), std::string("label i64 scalar of 10 classes"));
    QCOMPARE(kFile.text(), std::string("photo encoded"));
  }

  void aStreamIsShownWithItsFields() {
    StreamType stream;
    stream.fields = {kFile, kLabel};
    QCOMPARE(stream.text(),
             std::string("sample, host: photo encoded; label i64 scalar of 10 classes"));
    stream.level = Level::Batch;
    stream.batchSize = 64;
    stream.place = Place::Device;
    stream.fields = {kPicture};
    QCOMPARE(stream.text(), std::string("batch of 64, device: image u8 480x640x3 hwc"));
  }

  void aFieldIsFoundByItsName() {
    StreamType stream;
    stream.fields = {kFile, kLabel};
    QCOMPARE(stream.field("label"), &stream.fields[1]);
    QVERIFY(stream.field("mask") == nullptr);
    QVERIFY(StreamType().field("") == nullptr);
  }

  void onlyPicturesArePictures() {
    for (const Role role : {Role::Image, Role::Target, Role::Mask}) QVERIFY(isPicture(role));
    for (const Role role : {Role::Label, Role::Features}) QVERIFY(!isPicture(role));
  }

  void everyWordIsItsOwn() {
    QCOMPARE(nameOf(Layout::Plain), std::string_view("plain"));
    QCOMPARE(nameOf(Layout::Hwc), std::string_view("hwc"));
    QCOMPARE(nameOf(Layout::Chw), std::string_view("chw"));
    QCOMPARE(nameOf(Role::Target), std::string_view("target"));
    QCOMPARE(nameOf(Role::Features), std::string_view("features"));
    QCOMPARE(nameOf(Level::Sample), std::string_view("sample"));
    QCOMPARE(nameOf(Level::Batch), std::string_view("batch"));
    QCOMPARE(nameOf(Place::Host), std::string_view("host"));
    QCOMPARE(nameOf(Place::Pinned), std::string_view("pinned"));
    QCOMPARE(nameOf(Place::Device), std::string_view("device"));
  }
};

}  // namespace millrace

using millrace::TestStreamType;
MILLRACE_TEST_CASE(TestStreamType)
#include "tst_stream_type.moc"

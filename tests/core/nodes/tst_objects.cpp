// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Boxes and keypoints, moved with their picture. What moves them is compared with the pixels: the
// box of a filled rectangle must be the box around its pixels in the result.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/data/object_fields.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

constexpr int kHeight = 90;
constexpr int kWidth = 120;

FieldSpec objectField(const std::string& name, DType type, Role role, Shape shape) {
  FieldSpec field;
  field.name = name;
  field.dtype = type;
  field.role = role;
  field.shape = shape;
  return field;
}

std::vector<FieldSpec> streamOf(int points = 2) {
  FieldSpec keypoints =
      objectField("keypoints", DType::F32, Role::Keypoints, {Shape::kUnknown, points, 3});
  if (points == 2) keypoints.mirrored = {1, 0};
  return {pictureField("image", Role::Image, 1),
          objectField("boxes", DType::F32, Role::Boxes, {Shape::kUnknown, 4}),
          objectField("label", DType::I64, Role::Label, {Shape::kUnknown}), std::move(keypoints),
          objectField("visible", DType::F32, Role::Objects, {Shape::kUnknown})};
}

using Box4 = std::array<float, 4>;

template <class T>
void put(Sample& sample, std::size_t field, const Shape& shape, DType type,
         const std::vector<T>& values) {
  const TensorView to = sample.replace(field, type, shape, Layout::Plain);
  if (!values.empty()) std::memcpy(to.data, values.data(), values.size() * sizeof(T));
}

/// A sample with these boxes; keypoints 0 and 1 are the upper corners of each box, and labels its
/// number.
void fill(Sample& sample, const std::vector<std::uint8_t>& picture, const std::vector<Box4>& boxes,
          std::uint32_t index = 0) {
  const auto count = static_cast<std::int64_t>(boxes.size());
  sample.reset({0, index, 0}, 5);
  setPicture(sample, 0, picture, kHeight, kWidth, 1);
  std::vector<float> edges;
  std::vector<float> points;
  std::vector<std::int64_t> labels;
  for (const Box4& box : boxes) {
    edges.insert(edges.end(), box.begin(), box.end());
    points.insert(points.end(), {box[0], box[1], 2, box[2], box[1], 1});
    labels.push_back(static_cast<std::int64_t>(labels.size()));
  }
  put(sample, 1, {count, 4}, DType::F32, edges);
  put(sample, 2, {count}, DType::I64, labels);
  put(sample, 3, {count, 2, 3}, DType::F32, points);
  put(sample, 4, {count}, DType::F32, std::vector<float>(boxes.size(), 1.0F));
}

/// A black picture with a white rectangle.
std::vector<std::uint8_t> rectangle(const Box4& box) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(kHeight) * kWidth, 0);
  for (int y = static_cast<int>(box[1]); y < static_cast<int>(box[3]); ++y)
    for (int x = static_cast<int>(box[0]); x < static_cast<int>(box[2]); ++x)
      pixels[static_cast<std::size_t>(y * kWidth + x)] = 255;
  return pixels;
}

/// The box around the light pixels; all 0 if there are none.
Box4 aroundLight(const TensorView& picture) {
  const auto width = static_cast<int>(picture.width());
  const std::vector<std::uint8_t> pixels = tests::bytesOf(picture);
  int left = width;
  int top = static_cast<int>(picture.height());
  int right = 0;
  int bottom = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (pixels[i] < 128) continue;
    const int x = static_cast<int>(i) % width;
    const int y = static_cast<int>(i) / width;
    left = std::min(left, x);
    top = std::min(top, y);
    right = std::max(right, x + 1);
    bottom = std::max(bottom, y + 1);
  }
  if (right == 0) return {};
  return {static_cast<float>(left), static_cast<float>(top), static_cast<float>(right),
          static_cast<float>(bottom)};
}

float areaOf(const Box4& box) { return (box[2] - box[0]) * (box[3] - box[1]); }

bool isNear(const Box4& a, const Box4& b, float pixels) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > pixels) return false;
  return true;
}

struct Step {
  std::string kind;
  Values values;
};

/// Runs the chain on one rectangle with many draws, and compares box and pixels.
void compareWithPixels(const std::vector<Step>& steps, float tolerance) {
  NodeChain chain(streamOf());
  for (const Step& step : steps) chain.add(step.kind, step.values);
  QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
  const Box4 box{30, 20, 75, 64};
  const std::vector<std::uint8_t> picture = rectangle(box);
  int inside = 0;
  for (std::uint32_t index = 0; index < 60; ++index) {
    Sample sample(5);
    fill(sample, picture, {box}, index);
    const Status done = chain.run(sample);
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message.c_str());
    Box4 moved{};
    std::memcpy(moved.data(), sample[1].data, sizeof(moved));
    const Box4 light = aroundLight(sample[0]);
    if (areaOf(light) == 0) {
      QVERIFY(areaOf(moved) <= 4 * tolerance * tolerance + 60 * tolerance);
      continue;
    }
    ++inside;
    QVERIFY2(isNear(moved, light, tolerance), qPrintable(QString("sample %1").arg(index)));
  }
  QVERIFY(inside > 20);
}

Values sized(std::int64_t height, std::int64_t width) {
  return {{"height", height}, {"width", width}};
}

}  // namespace

class TestObjects : public QObject {
  Q_OBJECT
 private slots:
  void boxesMoveWithTheirPixels_data() {
    QTest::addColumn<int>("which");
    const char* names[] = {"flip",
                           "crop and flip",
                           "resize",
                           "letterbox",
                           "padded, cropped, flipped",
                           "random resized crop",
                           "cover",
                           "crop, then pad"};
    for (int i = 0; i < 8; ++i) QTest::newRow(names[i]) << i;
  }
  void boxesMoveWithTheirPixels() {
    QFETCH(int, which);
    const Step flip{"flip", {{"horizontal", 0.5}, {"vertical", 0.5}}};
    const Step pad{"pad",
                   {{"left", std::int64_t{7}},
                    {"top", std::int64_t{3}},
                    {"right", std::int64_t{1}},
                    {"bottom", std::int64_t{9}}}};
    Values letterbox = sized(64, 64);
    letterbox["mode"] = std::string("fit");
    Values cover = sized(70, 50);
    cover["mode"] = std::string("cover");
    switch (which) {
      case 0: return compareWithPixels({flip}, 0);
      case 1: return compareWithPixels({{"random_crop", sized(60, 70)}, flip}, 0);
      case 2: return compareWithPixels({{"resize", sized(45, 200)}}, 1.01F);
      case 3: return compareWithPixels({{"resize", letterbox}, flip}, 1.01F);
      case 4: return compareWithPixels({pad, {"random_crop", sized(60, 60)}, flip}, 0);
      case 5: return compareWithPixels({{"random_resized_crop", sized(80, 80)}, flip}, 3.01F);
      case 6: return compareWithPixels({{"resize", cover}}, 1.01F);
      default: return compareWithPixels({{"random_crop", sized(60, 60)}, pad, flip}, 0);
    }
  }

  void rotatedBoxesContainTheirPixels() {
    NodeChain chain(streamOf());
    chain.add("affine", {{"rotation", 30.0}, {"shift_x", 0.1}, {"shear", 5.0}, {"zoom_max", 1.2}});
    const Box4 box{40, 30, 70, 60};
    const std::vector<std::uint8_t> picture = rectangle(box);
    for (std::uint32_t index = 0; index < 40; ++index) {
      Sample sample(5);
      fill(sample, picture, {box}, index);
      QVERIFY(chain.run(sample).ok());
      Box4 moved{};
      std::memcpy(moved.data(), sample[1].data, sizeof(moved));
      // The box around the corners of the rectangle is the box around its pixels, but for the tips.
      QVERIFY(isNear(moved, aroundLight(sample[0]), 2.0F));
    }
  }

  void oneNodeAfterTheOtherGivesTheSameAsOnePass() {
    NodeChain chain(streamOf());
    chain.add("random_crop", sized(70, 80))
        .add("flip", {{"horizontal", 0.5}})
        .add("resize", sized(33, 44));
    for (std::uint32_t index = 0; index < 20; ++index) {
      const Box4 box{10.5F, 20.25F, 60, 80};
      const std::vector<std::uint8_t> picture = rectangle(box);
      Sample together(5);
      Sample apart(5);
      fill(together, picture, {box}, index);
      fill(apart, picture, {box}, index);
      QVERIFY(chain.run(together, Fuse::Yes).ok());
      QVERIFY(chain.run(apart, Fuse::No).ok());
      for (std::size_t field : {1, 3, 4}) {
        const std::vector<float> a = floatsOf(together[field]);
        const std::vector<float> b = floatsOf(apart[field]);
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) < 1e-3F);
      }
    }
  }

  void keypointsChangeSidesAndVanishOutside() {
    NodeChain mirrored(streamOf());
    mirrored.add("flip", {{"horizontal", 1.0}});
    const std::vector<std::uint8_t> picture = rectangle({});
    Sample sample(5);
    fill(sample, picture, {{10, 20, 50, 60}});
    QVERIFY(mirrored.run(sample).ok());
    // The left one (10, 20, visible) is now the right one, at 110, and the other way round.
    QCOMPARE(floatsOf(sample[3]), (std::vector<float>{70, 20, 1, 110, 20, 2}));

    NodeChain cut(streamOf());
    cut.add("crop", {{"x", std::int64_t{30}},
                     {"y", std::int64_t{0}},
                     {"width", std::int64_t{60}},
                     {"height", std::int64_t{90}}});
    fill(sample, picture, {{10, 20, 50, 60}});
    QVERIFY(cut.run(sample).ok());
    QCOMPARE(floatsOf(sample[3]), (std::vector<float>{0, 0, 0, 20, 20, 1}));
    QCOMPARE(floatsOf(sample[1]), (std::vector<float>{0, 20, 20, 60}));
    QCOMPARE(floatsOf(sample[4]), (std::vector<float>{0.5F}));
  }

  void boxesStayWhereTheImageStays() {
    std::vector<FieldSpec> fields = streamOf();
    fields.push_back(pictureField("mask", Role::Mask, 1));
    NodeChain chain(fields);
    chain.add("flip", {{"horizontal", 1.0}, {"fields", TextList{"mask"}}});
    const std::vector<std::uint8_t> picture = rectangle({});
    Sample sample(6);
    fill(sample, picture, {{10, 20, 50, 60}});
    sample.reset({}, 6);
    setPicture(sample, 0, picture, kHeight, kWidth, 1);
    setPicture(sample, 5, picture, kHeight, kWidth, 1);
    put(sample, 1, {1, 4}, DType::F32, std::vector<float>{10, 20, 50, 60});
    put(sample, 3, {1, 2, 3}, DType::F32, std::vector<float>(6, 0));
    put(sample, 4, {1}, DType::F32, std::vector<float>{1});
    QVERIFY(chain.run(sample).ok());
    QCOMPARE(floatsOf(sample[1]), (std::vector<float>{10, 20, 50, 60}));
  }

  void filterDropsWhatIsLeftOfAnObject() {
    NodeChain chain(streamOf());
    chain.add("crop", {{"x", std::int64_t{30}},
                       {"y", std::int64_t{0}},
                       {"width", std::int64_t{60}},
                       {"height", std::int64_t{90}}});
    chain.add("filter_boxes", {{"min_size", 2.0}, {"min_visible", 0.3}});
    QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
    const std::vector<std::uint8_t> picture = rectangle({});
    Sample sample(5);
    // Outside; a quarter is left; one pixel is left; whole.
    fill(sample, picture, {{0, 0, 20, 20}, {0, 0, 40, 40}, {29, 0, 31, 40}, {40, 10, 50, 20}});
    QVERIFY(chain.run(sample).ok());
    QCOMPARE(floatsOf(sample[1]), (std::vector<float>{10, 10, 20, 20}));
    QCOMPARE(sample[2].shape, (Shape{1}));
    QCOMPARE(*sample[2].as<std::int64_t>(), std::int64_t{3});
    QCOMPARE(sample[3].shape, (Shape{1, 2, 3}));
    QCOMPARE(floatsOf(sample[4]), (std::vector<float>{1}));

    // Everything, and pictures without any object.
    fill(sample, picture, {{0, 0, 20, 20}});
    QVERIFY(chain.run(sample).ok());
    QCOMPARE(sample[1].shape, (Shape{0, 4}));
    fill(sample, picture, {});
    QVERIFY(chain.run(sample).ok());
    QCOMPARE(sample[1].shape, (Shape{0, 4}));
    QCOMPARE(sample[3].shape, (Shape{0, 2, 3}));
  }

  void boxesAreMadeOfTheNumbersOfRecords_data() {
    QTest::addColumn<QString>("form");
    QTest::addColumn<bool>("relative");
    QTest::addColumn<std::vector<float>>("numbers");
    QTest::newRow("edges") << "edges" << false << std::vector<float>{12, 9, 24, 45};
    QTest::newRow("corner") << "corner" << false << std::vector<float>{12, 9, 12, 36};
    QTest::newRow("centre") << "centre" << false << std::vector<float>{18, 27, 12, 36};
    QTest::newRow("fractions") << "edges" << true << std::vector<float>{0.1F, 0.1F, 0.2F, 0.5F};
  }
  void boxesAreMadeOfTheNumbersOfRecords() {
    QFETCH(QString, form);
    QFETCH(bool, relative);
    QFETCH(std::vector<float>, numbers);
    const Values values{
        {"form", form.toStdString()}, {"relative", relative}, {"with", TextList{"label", "score"}}};
    const auto list = [](const char* name, DType type, Role role) {
      return objectField(name, type, role, {Shape::kUnknown});
    };
    // The four fields are apart, and others between them.
    NodeChain chain(
        {list("ymin", DType::F32, Role::Features), pictureField("image", Role::Image, 1),
         list("xmax", DType::F32, Role::Features), list("label", DType::I64, Role::Label),
         list("xmin", DType::F32, Role::Features), list("ymax", DType::F32, Role::Features),
         list("score", DType::F32, Role::Features)});
    chain.add("to_boxes", values).add("flip", {{"horizontal", 1.0}});
    QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
    std::vector<std::string> names;
    for (const FieldSpec& field : chain.out().fields) names.push_back(field.name);
    QCOMPARE(names, (std::vector<std::string>{"image", "label", "boxes", "score"}));
    QCOMPARE(chain.out().fields[3].role, Role::Objects);
    const std::vector<std::uint8_t> picture = rectangle({});
    Sample sample(7);
    sample.reset({}, 7);
    setPicture(sample, 1, picture, kHeight, kWidth, 1);
    put(sample, 4, {1}, DType::F32, std::vector<float>{numbers[0]});
    put(sample, 0, {1}, DType::F32, std::vector<float>{numbers[1]});
    put(sample, 2, {1}, DType::F32, std::vector<float>{numbers[2]});
    put(sample, 5, {1}, DType::F32, std::vector<float>{numbers[3]});
    put(sample, 3, {1}, DType::I64, std::vector<std::int64_t>{5});
    put(sample, 6, {1}, DType::F32, std::vector<float>{0.5F});
    VERIFY_OK(chain.run(sample));
    QCOMPARE(sample[2].shape, (Shape{1, 4}));
    const Box4 expected{96, 9, 108, 45};
    Box4 made{};
    std::memcpy(made.data(), sample[2].data, sizeof(made));
    QVERIFY(isNear(made, expected, 1e-4F));
    QCOMPARE(*sample[1].as<std::int64_t>(), std::int64_t{5});
    QCOMPARE(floatsOf(sample[3]), (std::vector<float>{0.5F}));
  }

  void numbersThatAreNoBoxesFail() {
    const auto list = objectField("bbox", DType::F32, Role::Features, {Shape::kUnknown});
    NodeChain chain({pictureField("image", Role::Image, 1), list});
    chain.add("to_boxes", {{"from", TextList{"bbox"}}});
    QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
    const std::vector<std::uint8_t> picture = rectangle({});
    Sample sample(2);
    sample.reset({}, 2);
    setPicture(sample, 0, picture, kHeight, kWidth, 1);
    put(sample, 1, {8}, DType::F32, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
    VERIFY_OK(chain.run(sample));
    QCOMPARE(sample[1].shape, (Shape{2, 4}));
    put(sample, 1, {5}, DType::F32, std::vector<float>(5, 1));
    QVERIFY(!chain.run(sample).ok());
    NodeChain wrong({pictureField("image", Role::Image, 1), list});
    wrong.add("to_boxes", {{"from", TextList{"bbox", "image"}}});
    QVERIFY(wrong.problems().anyError());
  }

  void paddingGivesEveryPictureTheSameNumber() {
    NodeChain chain(streamOf());
    chain.add("pad_objects", {{"count", std::int64_t{2}}});
    QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
    QCOMPARE(chain.out().fields[1].shape, (Shape{2, 4}));
    QCOMPARE(chain.out().fields[3].shape, (Shape{2, 2, 3}));
    const std::vector<std::uint8_t> picture = rectangle({});
    Sample sample(5);
    fill(sample, picture, {{1, 2, 3, 4}});
    QVERIFY(chain.run(sample).ok());
    QCOMPARE(floatsOf(sample[1]), (std::vector<float>{1, 2, 3, 4, 0, 0, 0, 0}));
    QCOMPARE(sample[2].as<std::int64_t>()[0], std::int64_t{0});
    QCOMPARE(sample[2].as<std::int64_t>()[1], std::int64_t{-1});
    fill(sample, picture, {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 9, 10, 10}});
    QVERIFY(chain.run(sample).ok());
    QCOMPARE(floatsOf(sample[1]), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  }

  void iouCropsContainAnObject() {
    NodeChain chain(streamOf());
    chain.add("random_iou_crop").add("filter_boxes");
    QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
    const std::vector<Box4> boxes{{5, 5, 30, 30}, {70, 40, 110, 80}};
    const std::vector<std::uint8_t> picture = rectangle({});
    int cropped = 0;
    for (std::uint32_t index = 0; index < 100; ++index) {
      Sample sample(5);
      fill(sample, picture, boxes, index);
      QVERIFY(chain.run(sample).ok());
      QVERIFY(sample[1].shape[0] >= 1);
      const bool isWhole = sample[0].width() == kWidth && sample[0].height() == kHeight;
      if (isWhole) continue;
      ++cropped;
      const std::vector<float> edges = floatsOf(sample[1]);
      for (std::size_t i = 0; i < edges.size(); i += 4) {
        QVERIFY(edges[i] >= 0 && edges[i + 2] <= static_cast<float>(sample[0].width()));
        QVERIFY(edges[i + 1] >= 0 && edges[i + 3] <= static_cast<float>(sample[0].height()));
        QVERIFY(edges[i + 2] > edges[i] && edges[i + 3] > edges[i + 1]);
      }
    }
    QVERIFY(cropped > 50);
    // Nothing to hold on to: the picture stays whole.
    Sample empty(5);
    fill(empty, picture, {});
    QVERIFY(chain.run(empty).ok());
    QCOMPARE(empty[0].width(), std::int64_t{kWidth});
  }

  void filterSaysWhatItNeeds() {
    NodeChain none({pictureField("image", Role::Image, 3)});
    none.add("filter_boxes");
    QVERIFY(none.problemText().find("no boxes") != std::string::npos);
    std::vector<FieldSpec> fields = streamOf();
    fields.pop_back();
    NodeChain unknown(fields);
    unknown.add("filter_boxes", {{"min_visible", 0.5}});
    QVERIFY(unknown.problemText().find("add `visible`") != std::string::npos);
  }
};

MILLRACE_TEST_CASE(TestObjects)

}  // namespace millrace

#include "tst_objects.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Four pictures joined to one. What moves the objects is compared with the pixels: each picture has
// a filled rectangle of another colour, and a box must be where that colour is.
#include <cstring>
#include <set>

#include "core/nodes/builtin.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

constexpr int kSide = 24;
constexpr std::size_t kRows = 5;

FieldSpec field(const char* name, DType type, Role role, Shape shape) {
  FieldSpec spec;
  spec.name = name;
  spec.dtype = type;
  spec.role = role;
  spec.shape = shape;
  return spec;
}

FieldSpec picture(const char* name, Role role, Layout layout) {
  FieldSpec spec = field(name, DType::U8, role, pictureShape(kSide, kSide, 1, layout));
  spec.layout = layout;
  return spec;
}

/// The colour of the rectangle of a picture.
std::uint8_t colourOf(std::size_t row) { return static_cast<std::uint8_t>(50 + 10 * row); }

/// A batch of pictures with a rectangle each; keypoints are its upper corners, its label is the
/// row.
struct Scene {
  StreamType type;
  Batch batch;
  std::vector<std::vector<std::byte>> memory;

  explicit Scene(Layout layout = Layout::Hwc) {
    constexpr std::int64_t kAny = Shape::kUnknown;
    type.level = Level::Batch;
    type.batchSize = kRows;
    type.fields = {picture("image", Role::Image, layout),
                   picture("mask", Role::Mask, Layout::Hwc),
                   field("boxes", DType::F32, Role::Boxes, {kAny, 4}),
                   field("label", DType::I64, Role::Label, {kAny}),
                   field("keypoints", DType::F32, Role::Keypoints, {kAny, 2, 3}),
                   field("visible", DType::F32, Role::Objects, {kAny})};
    batch.rows = kRows;
    batch.keys.resize(kRows);
    for (const FieldSpec& spec : type.fields) {
      batch.fields.emplace_back().spec = spec;
      batch.fields.back().ragged = isRagged(spec);
    }
    for (std::size_t r = 0; r < kRows; ++r) fillRow(r);
  }

 private:
  void fillRow(std::size_t r) {
    const int left = 2 + 2 * static_cast<int>(r);
    const int top = 9 - static_cast<int>(r);
    const int right = left + 9;
    const int bottom = top + 12;
    std::vector<std::uint8_t> pixels(kSide * kSide, 0);
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x)
        pixels[static_cast<std::size_t>(y * kSide + x)] = colourOf(r);
    const auto l = static_cast<float>(left);
    const auto t = static_cast<float>(top);
    const auto e = static_cast<float>(right);
    put(0, type.fields[0].shape, pixels);
    put(1, type.fields[1].shape, pixels);
    put(2, {1, 4}, std::vector<float>{l, t, e, static_cast<float>(bottom)});
    put(3, {1}, std::vector<std::int64_t>{static_cast<std::int64_t>(r)});
    put(4, {1, 2, 3}, std::vector<float>{l, t, 2, e, t, 1});
    put(5, {1}, std::vector<float>{1});
  }
  template <class T>
  void put(std::size_t f, const Shape& shape, const std::vector<T>& values) {
    std::vector<std::byte>& bytes = memory.emplace_back(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    batch.fields[f].rows.push_back(
        {type.fields[f].dtype, type.fields[f].layout, shape, bytes.data(), bytes.size()});
  }
};

void process(BatchMap& map, const Batch& in, Batch& out, const BatchContext& context) {
  VERIFY_OK(map.process(in, out, context));
}

Batch joined(Scene& scene, const Values& values, std::uint32_t epoch = 0, bool noRandom = false) {
  const NodeSpec& spec = *builtinCatalog().find("mosaic");
  const Values complete = valuesOf("mosaic", values);
  BuildContext build;
  build.in = scene.type;
  build.out = scene.type;
  Batch out;
  out.rows = scene.batch.rows;
  for (const FieldSpec& each : scene.type.fields) {
    BatchField& made = out.fields.emplace_back();
    made.spec = each;
    made.ragged = isRagged(each);
    made.rows.resize(out.rows);
  }
  scene.batch.epoch = epoch;
  process(*spec.batchMap(complete, build).take(), scene.batch, out, {7, 77, noRandom});
  return out;
}

const Values kKeepAll{{"min_size", 0.0}, {"min_visible", 0.0}};

std::size_t objectsOf(const Batch& out, std::size_t row) {
  return static_cast<std::size_t>(out.fields[2].rows[row].shape[0]);
}

/// Pixels of a row of this colour inside a box with whole edges.
int pixelsIn(const TensorView& row, const float* box, std::uint8_t colour) {
  int count = 0;
  for (int y = static_cast<int>(box[1]); y < static_cast<int>(box[3]); ++y)
    for (int x = static_cast<int>(box[0]); x < static_cast<int>(box[2]); ++x)
      count += static_cast<std::uint8_t>(row.data[y * kSide + x]) == colour ? 1 : 0;
  return count;
}

int lightPixels(const TensorView& row) {
  int count = 0;
  for (std::size_t i = 0; i < row.bytes; ++i) count += row.data[i] != std::byte{0} ? 1 : 0;
  return count;
}

}  // namespace

class TestMosaic : public QObject {
  Q_OBJECT
 private slots:
  void boxesAreWhereTheirObjectsAre_data() {
    QTest::addColumn<bool>("planar");
    QTest::newRow("hwc") << false;
    QTest::newRow("chw") << true;
  }
  void boxesAreWhereTheirObjectsAre() {
    QFETCH(bool, planar);
    Scene scene(planar ? Layout::Chw : Layout::Hwc);
    std::size_t several = 0;
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
      const Batch out = joined(scene, kKeepAll, epoch);
      for (std::size_t r = 0; r < kRows; ++r) {
        const TensorView& image = out.fields[0].rows[r];
        QVERIFY(std::memcmp(image.data, out.fields[1].rows[r].data, image.bytes) == 0);
        float covered = 0;
        for (std::size_t i = 0; i < objectsOf(out, r); ++i) {
          const float* box = out.fields[2].rows[r].as<const float>() + 4 * i;
          const auto row =
              static_cast<std::size_t>(out.fields[3].rows[r].as<const std::int64_t>()[i]);
          const float area = (box[2] - box[0]) * (box[3] - box[1]);
          QCOMPARE(pixelsIn(image, box, colourOf(row)), static_cast<int>(area));
          QCOMPARE(out.fields[5].rows[r].as<const float>()[i], area / (9 * 12));
          covered += area;
        }
        QCOMPARE(lightPixels(image), static_cast<int>(covered));
        several += objectsOf(out, r) > 1 ? 1 : 0;
      }
    }
    QVERIFY(several > 50);
  }

  void keypointsMoveWithTheirObjectOrAreNotInThePicture() {
    Scene scene;
    std::set<bool> seen;
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
      const Batch out = joined(scene, kKeepAll, epoch);
      for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t i = 0; i < objectsOf(out, r); ++i) {
          const float* box = out.fields[2].rows[r].as<const float>() + 4 * i;
          const float* points = out.fields[4].rows[r].as<const float>() + 6 * i;
          const bool inside = points[2] > 0;
          seen.insert(inside);
          QVERIFY(inside ? points[0] == box[0] && points[1] == box[1]
                         : points[0] == 0 && points[1] == 0);
        }
    }
    QCOMPARE(seen.size(), std::size_t{2});
  }

  void boxesOfWhichTooLittleIsLeftAreDropped() {
    Scene scene;
    std::size_t all = 0;
    std::size_t large = 0;
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
      const Batch every = joined(scene, kKeepAll, epoch);
      const Batch some = joined(scene, {{"min_size", 4.0}, {"min_visible", 0.5}}, epoch);
      for (std::size_t r = 0; r < kRows; ++r) {
        all += objectsOf(every, r);
        large += objectsOf(some, r);
        for (std::size_t i = 0; i < objectsOf(some, r); ++i)
          QVERIFY(some.fields[5].rows[r].as<const float>()[i] >= 0.5F);
      }
    }
    QVERIFY(large > 0 && large < all);
  }

  void everyPictureHasItsShareAndTheFirstIsTheSample() {
    Scene scene;
    const Batch out = joined(scene, {{"min_share", 0.5}});
    for (std::size_t r = 0; r < kRows; ++r)
      for (int y = 0; y < kSide / 2; ++y)
        QVERIFY(
            std::memcmp(out.fields[0].rows[r].data + y * kSide,
                        scene.batch.fields[0].rows[r].data + (y + kSide / 2) * kSide + kSide / 2,
                        kSide / 2) == 0);
  }

  void withoutADrawNothingChanges() {
    Scene scene;
    for (const bool noRandom : {false, true}) {
      const Batch out = joined(scene, {{"probability", noRandom ? 1.0 : 0.0}}, 0, noRandom);
      for (std::size_t f = 0; f < out.fields.size(); ++f)
        for (std::size_t r = 0; r < kRows; ++r) {
          const TensorView& was = scene.batch.fields[f].rows[r];
          const TensorView& is = out.fields[f].rows[r];
          QVERIFY(is.shape == was.shape && std::memcmp(is.data, was.data, was.bytes) == 0);
        }
    }
  }

  void whatItCannotJoinIsAnError_data() {
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("said");
    QTest::newRow("size") << 0 << "differ in size";
    QTest::newRow("label") << 1 << "`label` belongs to a whole picture";
    QTest::newRow("pictures") << 2 << "there are no pictures here";
  }
  void whatItCannotJoinIsAnError() {
    QFETCH(int, change);
    QFETCH(QString, said);
    StreamType in = Scene().type;
    if (change == 0) in.fields[1].shape = {kSide, kSide + 1, 1};
    if (change == 1) in.fields.erase(in.fields.begin() + 2, in.fields.end());
    if (change == 1) in.fields.push_back(field("label", DType::I64, Role::Label, {}));
    if (change == 2) in.fields.erase(in.fields.begin(), in.fields.begin() + 2);
    Problems problems;
    inferNode("mosaic", {}, in, problems);
    QCOMPARE(problems.all().size(), std::size_t{1});
    QVERIFY(QString::fromStdString(problems.all().front().message).contains(said));
  }
};

}  // namespace millrace

using millrace::TestMosaic;
MILLRACE_TEST_CASE(TestMosaic)
#include "tst_mosaic.moc"

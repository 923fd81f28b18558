// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Padding to the largest sample of a batch, compared with arrays written by hand.
#include <cstring>

#include "core/kernels/numbers.h"
#include "core/nodes/builtin.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

constexpr std::int64_t kAny = Shape::kUnknown;

/// A ragged field whose rows are in vectors.
struct Rows {
  FieldSpec spec;
  std::vector<Shape> shapes;
  std::vector<std::vector<double>> numbers;
};

/// A batch of such fields; the bytes of each row are in `memory`.
struct RaggedBatch {
  StreamType type;
  Batch batch;
  std::vector<std::vector<std::byte>> memory;

  explicit RaggedBatch(const std::vector<Rows>& fields) {
    type.level = Level::Batch;
    batch.rows = fields.front().shapes.size();
    type.batchSize = static_cast<std::int64_t>(batch.rows);
    batch.keys.resize(batch.rows);
    for (const Rows& rows : fields) {
      type.fields.push_back(rows.spec);
      BatchField& field = batch.fields.emplace_back();
      field.spec = rows.spec;
      field.ragged = isRagged(rows.spec);
      for (std::size_t r = 0; r < batch.rows; ++r) {
        const std::vector<double>& values = rows.numbers[r];
        std::vector<std::byte>& bytes = memory.emplace_back();
        bytes.resize(values.size() * sizeOf(rows.spec.dtype));
        fromDoubles(values.data(), values.size(), rows.spec.dtype, bytes.data());
        field.rowBytes = field.ragged ? 0 : bytes.size();
        field.rows.push_back(
            {rows.spec.dtype, rows.spec.layout, rows.shapes[r], bytes.data(), bytes.size()});
      }
    }
  }
};

struct Padded {
  StreamType type;
  Problems problems;
  Batch batch;
};

void process(BatchMap& map, const Batch& in, Batch& out) { VERIFY_OK(map.process(in, out, {})); }

Padded padded(const RaggedBatch& in, const Values& values) {
  Padded result;
  const NodeSpec& spec = *builtinCatalog().find("pad_batch");
  const Values complete = valuesOf("pad_batch", values);
  InferContext context("pad_batch", result.problems);
  result.type = spec.infer(complete, in.type, context);
  if (result.problems.anyError()) return result;
  BuildContext build;
  build.in = in.type;
  build.out = result.type;
  const auto map = spec.batchMap(complete, build).take();
  result.batch.rows = in.batch.rows;
  for (const FieldSpec& field : result.type.fields) {
    BatchField& made = result.batch.fields.emplace_back();
    made.spec = field;
    made.ragged = isRagged(field);
    made.rows.resize(in.batch.rows);
  }
  process(*map, in.batch, result.batch);
  return result;
}

/// The rows of a dense field as one array of numbers.
std::vector<double> arrayOf(const BatchField& field, std::size_t rows) {
  const auto count = static_cast<std::size_t>(field.shapeOf(rows).elements());
  std::vector<double> numbers(count);
  toDoubles(field.spec.dtype, field.rows.front().data, count, numbers.data());
  return numbers;
}

Rows sequences(DType dtype = DType::I64) {
  FieldSpec spec;
  spec.name = "tokens";
  spec.dtype = dtype;
  spec.shape = {kAny};
  return {spec, {{2}, {0}, {3}}, {{7, 8}, {}, {4, 5, 6}}};
}

using Numbers = std::vector<double>;

}  // namespace

class TestPadBatch : public QObject {
  Q_OBJECT
 private slots:
  void sequencesBecomeOneArrayWithAMask() {
    const Padded out = padded(RaggedBatch({sequences()}), {{"value", -100.0}});
    QCOMPARE(out.problems.all().size(), std::size_t{0});
    QCOMPARE(out.type.fields.size(), std::size_t{2});
    QVERIFY(out.type.fields[0].padded && out.type.fields[1].padded);
    QCOMPARE(out.batch.fields[0].shapeOf(3), (Shape{3, 3}));
    QCOMPARE(arrayOf(out.batch.fields[0], 3), (Numbers{7, 8, -100, -100, -100, -100, 4, 5, 6}));
    QCOMPARE(arrayOf(out.batch.fields[1], 3), (Numbers{1, 1, 0, 0, 0, 0, 1, 1, 1}));
  }

  void emptySequencesStayEmpty() {
    Rows none = sequences();
    none.shapes = {{0}, {0}, {0}};
    none.numbers = {{}, {}, {}};
    const Padded out = padded(RaggedBatch({none}), {});
    QCOMPARE(out.batch.fields[0].shapeOf(3), (Shape{3, 0}));
    QCOMPARE(out.batch.fields[1].shapeOf(3), (Shape{3, 0}));
  }

  void everyTypeCanBePadded_data() {
    QTest::addColumn<int>("type");
    for (const DType type : {DType::U8, DType::I8, DType::U16, DType::I16, DType::I32, DType::I64,
                             DType::F16, DType::BF16, DType::F32, DType::F64})
      QTest::newRow(std::string(nameOf(type)).c_str()) << static_cast<int>(type);
  }
  void everyTypeCanBePadded() {
    QFETCH(int, type);
    const Padded out = padded(RaggedBatch({sequences(static_cast<DType>(type))}),
                              {{"value", 3.0}, {"mask", std::string()}});
    QCOMPARE(out.batch.fields.size(), std::size_t{1});
    QCOMPARE(arrayOf(out.batch.fields[0], 3), (Numbers{7, 8, 3, 3, 3, 3, 4, 5, 6}));
  }

  void picturesArePaddedBelowAndOnTheRightInBothLayouts() {
    FieldSpec rows = pictureField("image", Role::Image, 2);
    FieldSpec planes = pictureField("target", Role::Target, 2);
    planes.layout = Layout::Chw;
    planes.shape = {2, kAny, kAny};
    const RaggedBatch in({{rows, {{1, 2, 2}, {2, 1, 2}}, {{1, 2, 3, 4}, {5, 6, 7, 8}}},
                          {planes, {{2, 1, 2}, {2, 2, 1}}, {{1, 3, 2, 4}, {5, 7, 6, 8}}}});
    const Padded out = padded(in, {});
    QCOMPARE(out.batch.fields[0].shapeOf(2), (Shape{2, 2, 2, 2}));
    QCOMPARE(arrayOf(out.batch.fields[0], 2),
             (Numbers{1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0, 7, 8, 0, 0}));
    QCOMPARE(arrayOf(out.batch.fields[1], 2),
             (Numbers{1, 3, 0, 0, 2, 4, 0, 0, 5, 0, 7, 0, 6, 0, 8, 0}));
    QCOMPARE(out.batch.fields[2].shapeOf(2), (Shape{2, 2, 2}));
    QCOMPARE(arrayOf(out.batch.fields[2], 2), (Numbers{1, 1, 0, 0, 1, 0, 1, 0}));
  }

  void sizesAreMultiples() {
    const Padded out = padded(RaggedBatch({sequences()}), {{"multiple", std::int64_t{4}}});
    QCOMPARE(out.batch.fields[0].shapeOf(3), (Shape{3, 4}));
    QCOMPARE(arrayOf(out.batch.fields[0], 3), (Numbers{7, 8, 0, 0, 0, 0, 0, 0, 4, 5, 6, 0}));
  }

  void otherFieldsStay() {
    FieldSpec label;
    label.name = "label";
    label.dtype = DType::I64;
    label.role = Role::Label;
    FieldSpec more = sequences().spec;
    more.name = "more";
    const RaggedBatch in({{label, {{}, {}, {}}, {{4}, {5}, {6}}},
                          sequences(),
                          {more, {{1}, {3}, {0}}, {{9}, {1, 2, 3}, {}}}});
    const Padded out = padded(in, {{"fields", TextList{"tokens"}}, {"mask", std::string("seen")}});
    QCOMPARE(arrayOf(out.batch.fields[0], 3), (Numbers{4, 5, 6}));
    QVERIFY(out.batch.fields[2].ragged && !out.type.fields[2].padded);
    QCOMPARE(out.batch.fields[2].rows[1].shape, (Shape{3}));
    QVERIFY(std::memcmp(out.batch.fields[2].rows[1].data, in.batch.fields[2].rows[1].data,
                        out.batch.fields[2].rows[1].bytes) == 0);
    QCOMPARE(out.type.fields[3].name, std::string("seen"));
  }

  void objectsArePaddedOnlyIfTheyAreNamed() {
    FieldSpec boxes = sequences(DType::F32).spec;
    boxes.name = "boxes";
    boxes.role = Role::Boxes;
    boxes.shape = {kAny, 4};
    const RaggedBatch in(
        {sequences(),
         {boxes, {{1, 4}, {0, 4}, {2, 4}}, {{1, 2, 3, 4}, {}, {5, 6, 7, 8, 5, 6, 7, 8}}}});
    const Padded usual = padded(in, {});
    QVERIFY(usual.type.fields[0].padded && !usual.type.fields[1].padded);
    const Padded named = padded(in, {{"fields", TextList{"boxes"}}, {"value", -1.0}});
    QVERIFY(!named.type.fields[0].padded && named.type.fields[1].padded);
    QCOMPARE(named.batch.fields[1].shapeOf(3), (Shape{3, 2, 4}));
    QCOMPARE(arrayOf(named.batch.fields[2], 3), (Numbers{1, 0, 0, 0, 1, 1}));
  }

  void whatCannotBePaddedIsAnError() {
    FieldSpec fixed = sequences().spec;
    fixed.shape = {2};
    const RaggedBatch in({{fixed, {{2}}, {{1, 2}}}});
    QVERIFY(hasError(padded(in, {}), "no field has samples of different sizes"));
    QVERIFY(hasError(padded(in, {{"fields", TextList{"tokens"}}}), "have one size"));
    const RaggedBatch any({sequences()});
    QVERIFY(hasError(padded(any, {{"fields", TextList{"token"}}}), "there is no field `token`"));
    QVERIFY(hasError(padded(any, {{"mask", std::string("tokens")}}), "a field `tokens` already"));
  }

 private:
  static bool hasError(const Padded& out, const char* message) {
    return std::ranges::any_of(out.problems.all(), [&](const Problem& problem) {
      return problem.severity == Severity::Error &&
             problem.message.find(message) != std::string::npos;
    });
  }
};

}  // namespace millrace

using millrace::TestPadBatch;
MILLRACE_TEST_CASE(TestPadBatch)
#include "tst_pad_batch.moc"

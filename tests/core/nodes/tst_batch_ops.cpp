// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// MixUp and CutMix, compared with simple loops over copies of the batch.
#include <cmath>
#include <cstring>

#include "core/nodes/builtin.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

constexpr std::size_t kRows = 4;
constexpr int kSide = 8;

FieldSpec oneHotLabel(DType dtype = DType::F32) {
  FieldSpec field;
  field.name = "label";
  field.dtype = dtype;
  field.role = Role::Label;
  field.classes = static_cast<std::int64_t>(kRows);
  field.oneHot = true;
  field.shape = {static_cast<std::int64_t>(kRows)};
  return field;
}

FieldSpec floatPicture(const char* name, Role role, int side) {
  FieldSpec field = pictureField(name, role, 3, side, side);
  field.dtype = DType::F32;
  field.layout = Layout::Chw;
  field.shape = {3, side, side};
  return field;
}

/// A batch in vectors. Row r is filled with distinct values, its label is class r.
struct TestBatch {
  Batch batch;
  std::vector<std::vector<std::vector<float>>> memory;  // field, row

  explicit TestBatch(const std::vector<FieldSpec>& fields) {
    batch.rows = kRows;
    batch.epoch = 1;
    batch.keys.resize(kRows);
    memory.resize(fields.size());
    for (std::size_t f = 0; f < fields.size(); ++f) {
      BatchField field;
      field.spec = fields[f];
      const auto count = static_cast<std::size_t>(fields[f].shape.elements());
      for (std::size_t r = 0; r < kRows; ++r) {
        std::vector<float> row(count);
        for (std::size_t i = 0; i < count; ++i)
          row[i] = fields[f].oneHot ? (i == r ? 1.0F : 0.0F) : static_cast<float>(1000 * r + i);
        memory[f].push_back(std::move(row));
      }
      for (std::vector<float>& row : memory[f])
        field.rows.push_back({DType::F32, fields[f].layout, fields[f].shape,
                              reinterpret_cast<std::byte*>(row.data()), count * sizeof(float)});
      batch.fields.push_back(std::move(field));
    }
  }
};

struct Inferred {
  StreamType out;
  Problems problems;
};

Inferred inferred(const char* kind, const StreamType& in) {
  Inferred result;
  const NodeSpec* spec = builtinCatalog().find(kind);
  InferContext context(kind, result.problems);
  result.out = spec->infer(spec->defaults(), in, context);
  return result;
}

StreamType batchOf(std::vector<FieldSpec> fields) {
  StreamType type;
  type.level = Level::Batch;
  type.batchSize = kRows;
  type.fields = std::move(fields);
  return type;
}

void process(const char* kind, const StreamType& in, Batch& batch, std::uint32_t index,
             bool noRandom = false, const Values& more = {}) {
  const NodeSpec* spec = builtinCatalog().find(kind);
  Values values = spec->defaults();
  for (const auto& [name, value] : more) values[name] = value;
  BuildContext context;
  context.in = in;
  batch.indexInEpoch = index;
  const auto op = spec->batchOp(values, context).take();
  VERIFY_OK(op->process(batch, {5, 77, noRandom}));
}

std::size_t previous(std::size_t row) { return (row + kRows - 1) % kRows; }

}  // namespace

class TestBatchOps : public QObject {
  Q_OBJECT
 private slots:
  void mixupBlendsEachRowWithTheOneBefore() {
    const StreamType in = batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel()});
    const TestBatch before(in.fields);
    for (std::uint32_t index = 0; index < 10; ++index) {
      TestBatch after(in.fields);
      process("mixup", in, after.batch, index);
      const float share = after.memory[1][0][0];
      QVERIFY(share >= 0 && share <= 1);
      for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t f = 0; f < 2; ++f)
          for (std::size_t i = 0; i < before.memory[f][r].size(); ++i) {
            const double exact = double(share) * before.memory[f][r][i] +
                                 (1 - double(share)) * before.memory[f][previous(r)][i];
            QVERIFY(std::abs(after.memory[f][r][i] - exact) <= 1e-3);
          }
    }
  }

  void theShareIsDrawnForEachBatch() {
    const StreamType in = batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel()});
    double sum = 0;
    double squares = 0;
    for (std::uint32_t index = 0; index < 400; ++index) {
      TestBatch batch(in.fields);
      process("mixup", in, batch.batch, index, false, {{"alpha", 1.0}});
      const double share = batch.memory[1][0][0];
      sum += share;
      squares += share * share;
    }
    // Beta(1, 1) is uniform: mean 1/2, second moment 1/3; five standard deviations of 400 draws.
    QVERIFY(std::abs(sum / 400 - 0.5) < 0.075);
    QVERIFY(std::abs(squares / 400 - 1.0 / 3) < 0.075);
  }

  void cutmixPutsABoxOfTheRowBeforeAndMixesLabelsByItsArea() {
    const StreamType in = batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel()});
    const TestBatch before(in.fields);
    bool sawABox = false;
    for (std::uint32_t index = 0; index < 20; ++index) {
      TestBatch after(in.fields);
      process("cutmix", in, after.batch, index);
      for (std::size_t r = 0; r < kRows; ++r) {
        int changed = 0;
        for (std::size_t i = 0; i < before.memory[0][r].size(); ++i) {
          const float value = after.memory[0][r][i];
          const bool own = value == before.memory[0][r][i];
          QVERIFY(own || value == before.memory[0][previous(r)][i]);
          changed += own ? 0 : 1;
        }
        const double kept = 1.0 - changed / double(3 * kSide * kSide);
        QVERIFY(std::abs(after.memory[1][r][r] - kept) < 1e-6);
        QVERIFY(std::abs(after.memory[1][r][previous(r)] - (1 - kept)) < 1e-6);
        sawABox = sawABox || changed > 0;
      }
    }
    QVERIFY(sawABox);
  }

  void cutmixCutsPairsAtTheSamePlace() {
    const StreamType in = batchOf({floatPicture("image", Role::Image, kSide),
                                   floatPicture("target", Role::Target, 2 * kSide), oneHotLabel()});
    QVERIFY(!inferred("cutmix", in).problems.anyError());
    const TestBatch before(in.fields);
    TestBatch after(in.fields);
    process("cutmix", in, after.batch, 3);
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t y = 0; y < 2 * kSide; ++y)
        for (std::size_t x = 0; x < 2 * kSide; ++x) {
          const std::size_t small = y / 2 * kSide + x / 2;
          const std::size_t large = y * 2 * kSide + x;
          const bool cut = after.memory[0][r][small] != before.memory[0][r][small];
          QCOMPARE(after.memory[1][r][large] != before.memory[1][r][large], cut);
        }
  }

  void aSingleRowStaysAsItIs() {
    const StreamType in = batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel()});
    const TestBatch before(in.fields);
    for (const char* kind : {"mixup", "cutmix"}) {
      TestBatch after(in.fields);
      after.batch.rows = 1;
      process(kind, in, after.batch, 0);
      QCOMPARE(after.memory[0], before.memory[0]);
    }
  }

  void probabilityZeroAndItsCentreChangeNothing() {
    const StreamType in = batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel()});
    const TestBatch before(in.fields);
    for (const char* kind : {"mixup", "cutmix"}) {
      TestBatch off(in.fields);
      process(kind, in, off.batch, 0, false, {{"probability", 0.0}});
      QCOMPARE(off.memory[0], before.memory[0]);
      TestBatch centred(in.fields);
      process(kind, in, centred.batch, 0, true, {{"probability", 0.5}});
      QCOMPARE(centred.memory[0], before.memory[0]);
    }
  }

  void labelsThatAreNotOneHotAreRefusedWithTheRemedy() {
    const FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label, std::int64_t(kRows)};
    // A vector with a 1 for each class of a sample can be mixed as well.
    FieldSpec several = oneHotLabel();
    several.oneHot = false;
    for (const char* kind : {"mixup", "cutmix"}) {
      const Inferred mixed =
          inferred(kind, batchOf({floatPicture("image", Role::Image, kSide), several}));
      QVERIFY(!mixed.problems.anyError());
      const Inferred result =
          inferred(kind, batchOf({floatPicture("image", Role::Image, kSide), label}));
      QVERIFY(result.problems.anyError());
      QVERIFY(result.problems.all().front().remedy.find("one_hot") != std::string::npos);
      const Inferred bytes = inferred(
          kind, batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel(DType::U8)}));
      QVERIFY(bytes.problems.anyError());
    }
  }

  void samplesAreRefusedWithTheRemedy() {
    StreamType in = batchOf({floatPicture("image", Role::Image, kSide), oneHotLabel()});
    QVERIFY(!inferred("mixup", in).problems.anyError());
    QCOMPARE(inferred("mixup", in).out.randomFrom, std::string("mixup"));
    in.level = Level::Sample;
    const Inferred result = inferred("mixup", in);
    QVERIFY(result.problems.all().front().remedy.find("after the batch") != std::string::npos);
  }
};

MILLRACE_TEST_CASE(TestBatchOps)

}  // namespace millrace

#include "tst_batch_ops.moc"

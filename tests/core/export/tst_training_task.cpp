// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/training_task.h"

#include "core/data/shape.h"
#include "tests/core/export/export_subject.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::chainJson;
using tests::contains;
using tests::Setup;
using tests::subjectOf;
using Kind = TrainingTask::Kind;

const FieldSpec kPicture{"image", DType::F32, {3, 48, 48}, Layout::Chw, Role::Image};

FieldSpec features(const char* name, const Shape& shape) {
  return {name, DType::F32, shape, Layout::Plain, Role::Features};
}

StreamType batchesOf(std::vector<FieldSpec> fields) {
  StreamType stream;
  stream.level = Level::Batch;
  stream.fields = std::move(fields);
  return stream;
}

std::string refusalOf(std::vector<FieldSpec> fields) {
  const Result<TrainingTask> task = trainingTask(batchesOf(std::move(fields)));
  return task ? std::string() : task.error().message;
}

/// What PyTorch's target writes for a chain, with a training loop; or why it does not.
std::string trainingOf(const std::vector<std::string>& nodes) {
  Setup setup;
  setup.withTraining = true;
  const auto subject = subjectOf(chainJson(nodes), setup);
  if (!subject->pipeline) return subject->problems;
  const Result<Exported> exported = findExporter("pytorch")->write(subject->subject);
  return exported ? exported->text : exported.error().message;
}

const std::string kPictures =
    R"({"kind": "synthetic", "params": {"content": "image", "channels": 1, "classes": 7}})";
const std::string kBatch = R"({"kind": "batch"})";
const std::string kDrain = R"({"kind": "drain"})";

}  // namespace

class TestTrainingTask : public QObject {
  Q_OBJECT
 private slots:
  void aLabelOfAPictureIsAClass() {
    const FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label, 10};
    const Result<TrainingTask> task = trainingTask(batchesOf({kPicture, label}));
    VERIFY_OK(task);
    QVERIFY(task->kind == Kind::Classes && task->readsPictures() && task->outputsKnown);
    QCOMPARE(task->outputs, 10);
  }

  void withoutTheDataTheNumberOfClassesIsAGuess() {
    const FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label};
    const Result<TrainingTask> task = trainingTask(batchesOf({kPicture, label}));
    VERIFY_OK(task);
    QVERIFY(!task->outputsKnown);
  }

  void oneHotRowsAreClassesAndARealLabelIsAValue() {
    const FieldSpec row{"label", DType::F32, {5}, Layout::Plain, Role::Label, 0, true};
    const Result<TrainingTask> rows = trainingTask(batchesOf({kPicture, row}));
    VERIFY_OK(rows);
    QVERIFY(rows->kind == Kind::Classes && rows->outputs == 5);
    const FieldSpec age{"label", DType::F32, {}, Layout::Plain, Role::Label};
    const Result<TrainingTask> ages = trainingTask(batchesOf({kPicture, age}));
    VERIFY_OK(ages);
    QVERIFY(ages->kind == Kind::Numbers && ages->outputs == 1);
  }

  void aTargetPictureIsLearntBeforeALabel() {
    const FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label, 10};
    const FieldSpec target{"target", DType::F32, {3, 192, 192}, Layout::Chw, Role::Target};
    const Result<TrainingTask> task = trainingTask(batchesOf({kPicture, label, target}));
    VERIFY_OK(task);
    QVERIFY(task->kind == Kind::Pictures);
    QCOMPARE(task->enlarges, 4);
    QCOMPARE(task->shrinks, 1);
  }

  void aSmallerMaskShrinksThePicture() {
    const FieldSpec mask{"mask", DType::U8, {24, 24, 1}, Layout::Hwc, Role::Mask, 4};
    const Result<TrainingTask> task = trainingTask(batchesOf({kPicture, mask}));
    VERIFY_OK(task);
    QVERIFY(task->kind == Kind::Masks && task->outputs == 4);
    QCOMPARE(task->enlarges, 1);
    QCOMPARE(task->shrinks, 2);
  }

  void theLastArrayOfARecordIsLearntFromTheOthers() {
    const Result<TrainingTask> task = trainingTask(
        batchesOf({features("board", {8, 8}), features("flags", {10}), features("score", {})}));
    VERIFY_OK(task);
    QVERIFY(task->kind == Kind::Numbers && !task->readsPictures());
    QCOMPARE(task->target.name, std::string("score"));
    QCOMPARE(task->inputSize(), 74);
  }

  void thereIsNoNetworkForBoxes() {
    const FieldSpec boxes{"boxes", DType::F32, {Shape::kUnknown, 4}, Layout::Plain, Role::Boxes};
    QVERIFY(contains(refusalOf({kPicture, boxes}), "no network for boxes"));
  }

  void whatCannotBeLearntIsRefusedWithTheRemedy() {
    QVERIFY(contains(refusalOf({kPicture}), "nothing to learn"));
    QVERIFY(contains(refusalOf({kPicture}), "add a label"));
    const FieldSpec file{"image", DType::Encoded, {}, Layout::Plain, Role::Image};
    const FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label, 10};
    QVERIFY(contains(refusalOf({file, label}), "image holds bytes"));
    const FieldSpec ragged = features("text", {Shape::kUnknown});
    QVERIFY(contains(refusalOf({ragged, label}), "the size of text is unknown"));
    QVERIFY(contains(refusalOf({label}), "nothing to learn it from"));
  }

  void aPipelineWithoutATargetNamesItsLastNode() {
    const std::string why = trainingOf(
        {R"({"kind": "synthetic", "params": {"content": "image", "classes": 0}})", kBatch, kDrain});
    QVERIFY2(why.starts_with("n2: there is nothing to learn"), why.c_str());
  }

  void aGreyPictureOfBytesIsScaledAndHasItsOwnFirstLayer() {
    const std::string code = trainingOf({kPictures, kBatch, kDrain});
    QVERIFY2(contains(code, "nn.Conv2d(1, 64, 7, 2, 3, bias=False)"), code.c_str());
    QVERIFY2(contains(code, "(batch[\"image\"].float() / 255).permute(0, 3, 1, 2)"), code.c_str());
    QVERIFY2(contains(code, "NUM_CLASSES = 7\n"), code.c_str());
  }

  void ranksOfDifferentLengthAreRefusedForTraining() {
    const std::string why =
        trainingOf({kPictures, R"({"kind": "shard", "params": {"world": 2, "uneven": "allow"}})",
                    kBatch, kDrain});
    QVERIFY2(contains(why, "set n1.uneven=pad"), why.c_str());
  }

  void torchrunSetsTheRankOfALongFileToo() {
    const std::string code = trainingOf(
        {kPictures, R"({"kind": "shard", "params": {"rank": 1, "world": 2}})", kBatch, kDrain});
    QVERIFY2(contains(code, "RANK = int(os.environ.get(\"RANK\", 1))"), code.c_str());
    QVERIFY2(contains(code, "os.environ.get(\"WORLD_SIZE\", 2)"), code.c_str());
  }
};

}  // namespace millrace

using millrace::TestTrainingTask;
MILLRACE_TEST_CASE(TestTrainingTask)
#include "tst_training_task.moc"

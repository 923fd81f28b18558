// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Normalise, precision and one-hot.
#include <cmath>
#include <cstring>
#include <fstream>

#include <QTemporaryDir>

#include "core/kernels/half.h"
#include "core/node_parts/colour_csv.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using Pixels = std::vector<std::uint8_t>;

FieldSpec labelField(std::int64_t classes) {
  FieldSpec field;
  field.name = "label";
  field.dtype = DType::I64;
  field.role = Role::Label;
  field.classes = classes;
  return field;
}

Status runMask(NodeChain& chain, Sample& sample, const Pixels& mask, int height, int width,
               int channels) {
  setPicture(sample, 0, mask, height, width, channels);
  return chain.run(sample);
}

std::string camvidLike(const QTemporaryDir& folder) {
  const std::string file = folder.filePath("classes.csv").toStdString();
  std::ofstream(file) << "name,r,g,b\nsky,128,128,128\n\"road, wet\",128,64,128\r\ncar,64,0,128\n";
  return file;
}

}  // namespace

class TestTensor : public QObject {
  Q_OBJECT
 private slots:
  void normaliseIsTheTextbooksFormula() {
    const Pixels picture = noise(7, 9, 3, 1);
    NodeChain chain({pictureField("image", Role::Image)});
    chain.add("normalise");
    QCOMPARE(chain.problemText(), std::string());
    QVERIFY(chain.out().fields[0].dtype == DType::F32);
    Sample sample(1);
    setPicture(sample, 0, picture, 7, 9, 3);
    VERIFY_OK(chain.run(sample));
    const std::vector<float> values = floatsOf(sample[0]);
    const double mean[] = {0.485, 0.456, 0.406};
    const double deviation[] = {0.229, 0.224, 0.225};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double exact = (picture[i] / 255.0 - mean[i % 3]) / deviation[i % 3];
      // Three roundings to f32 of numbers below 4.
      QVERIFY(std::abs(values[i] - exact) < 2e-6);
    }
  }

  void precisionGivesTypeAndLayout() {
    const Pixels picture = noise(5, 6, 3, 2);
    const auto run = [&](const char* dtype, const char* layout, Sample& sample) {
      NodeChain chain({pictureField("image", Role::Image)});
      chain.add("precision", {{"dtype", std::string(dtype)}, {"layout", std::string(layout)}});
      setPicture(sample, 0, picture, 5, 6, 3);
      [&] { VERIFY_OK(chain.run(sample)); }();
      QVERIFY(sample[0].dtype == chain.out().fields[0].dtype);
      QVERIFY(sample[0].layout == chain.out().fields[0].layout);
    };
    Sample f32(1), f16(1), bf16(1), u8(1);
    run("f32", "nhwc", f32);
    run("f16", "nchw", f16);
    run("bf16", "keep", bf16);
    run("u8", "nchw", u8);
    const std::vector<float> values = floatsOf(f32[0]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t planar = i % 3 * 30 + i / 3;
      QCOMPARE(values[i], static_cast<float>(picture[i]) / 255.0F);
      QCOMPARE(f16[0].as<std::uint16_t>()[planar], f16FromF32(values[i]));
      QCOMPARE(bf16[0].as<std::uint16_t>()[i], bf16FromF32(values[i]));
      QCOMPARE(u8[0].as<std::uint8_t>()[planar], picture[i]);
    }
  }

  void whatCannotBeIsAProblemWithItsParameter() {
    const auto field = [](NodeChain& chain) { return chain.problems().all().at(0).field; };
    NodeChain back({pictureField("image", Role::Image)});
    back.add("normalise").add("precision", {{"dtype", std::string("u8")}});
    QCOMPARE(field(back), std::string("dtype"));
    NodeChain lists({pictureField("image", Role::Image, 1)});
    lists.add("normalise");
    QCOMPARE(field(lists), std::string("mean"));
    NodeChain zero({pictureField("image", Role::Image)});
    zero.add("normalise", {{"deviation", RealList{0}}});
    QCOMPARE(field(zero), std::string("deviation"));
    NodeChain mask({pictureField("mask", Role::Mask, 1)});
    mask.add("precision", {{"fields", TextList{"mask"}}});
    QCOMPARE(field(mask), std::string("dtype"));
    NodeChain none({pictureField("mask", Role::Mask, 1)});
    none.add("normalise");
    QVERIFY(none.problems().anyError());
  }

  void aMeanOfBytesIsNoticed() {
    NodeChain bytes({pictureField("image", Role::Image)});
    bytes.add("normalise", {{"mean", RealList{123.7, 116.3, 103.5}}});
    QVERIFY(!bytes.problems().anyError());
    QCOMPARE(bytes.problems().all().size(), std::size_t{1});
    QCOMPARE(bytes.problems().all()[0].field, std::string("mean"));
    QVERIFY(bytes.problems().all()[0].message.find("123.7 is above it") != std::string::npos);
    NodeChain white({pictureField("image", Role::Image)});
    white.add("normalise", {{"mean", RealList{1}}, {"deviation", RealList{1}}});
    QCOMPARE(white.problemText(), std::string());
  }

  void labelsBecomeRowsWithOneOne() {
    NodeChain chain({labelField(4)});
    chain.add("one_hot");
    QCOMPARE(chain.problemText(), std::string());
    QVERIFY(chain.out().fields[0].oneHot);
    QVERIFY(chain.out().fields[0].shape == Shape({4}));
    std::int64_t label = 2;
    Sample sample(1);
    const TensorView view{DType::I64, Layout::Plain, {}, reinterpret_cast<std::byte*>(&label), 8};
    sample.borrow(0, view);
    VERIFY_OK(chain.run(sample));
    QCOMPARE(floatsOf(sample[0]), (std::vector<float>{0, 0, 1, 0}));
    label = 4;
    sample.borrow(0, view);
    const Status wrong = chain.run(sample);
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().message.find("4 is not a class; there are 4") != std::string::npos);
  }

  void aListOfClassesBecomesARowWithAOneForEach() {
    FieldSpec field = labelField(0);
    field.shape = {Shape::kUnknown};
    NodeChain chain({field});
    chain.add("one_hot", {{"classes", std::int64_t{4}}});
    QCOMPARE(chain.problemText(), std::string());
    QVERIFY(chain.out().fields[0].shape == Shape({4}));
    Sample sample(1);
    const auto run = [&](std::vector<std::int64_t> labels) {
      sample.borrow(0, {DType::I64,
                        Layout::Plain,
                        {static_cast<std::int64_t>(labels.size())},
                        reinterpret_cast<std::byte*>(labels.data()),
                        8 * labels.size()});
      return chain.run(sample);
    };
    VERIFY_OK(run({3, 1}));
    QCOMPARE(floatsOf(sample[0]), (std::vector<float>{0, 1, 0, 1}));
    VERIFY_OK(run({}));
    QCOMPARE(floatsOf(sample[0]), (std::vector<float>{0, 0, 0, 0}));
    QVERIFY(run({1, 4}).error().message.find("4 is not a class") != std::string::npos);
  }

  void numbersOfOneLengthAreNotAListOfClasses() {
    FieldSpec field = labelField(0);
    field.shape = {5};
    NodeChain chain({field});
    chain.add("one_hot", {{"classes", std::int64_t{5}}});
    QVERIFY(chain.problemText().find("is not a class number") != std::string::npos);
  }

  void unknownNumbersOfClassesAreAProblem() {
    NodeChain chain({labelField(0)});
    chain.add("one_hot");
    QCOMPARE(chain.problems().all().front().field, std::string("classes"));
    NodeChain set({labelField(0)});
    set.add("one_hot", {{"classes", std::int64_t{3}}});
    QCOMPARE(set.problemText(), std::string());
  }

  void indexMasksBecomePlanes() {
    NodeChain chain({pictureField("mask", Role::Mask, 1)});
    chain.add("one_hot", {{"classes", std::int64_t{3}},
                          {"layout", std::string("nchw")},
                          {"dtype", std::string("u8")}});
    Sample sample(1);
    const Pixels mask{0, 1, 2, 2};
    VERIFY_OK(runMask(chain, sample, mask, 2, 2, 1));
    QVERIFY(sample[0].shape == Shape({3, 2, 2}));
    QCOMPARE(bytesOf(sample[0]), (Pixels{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1}));
  }

  void indicesOfNoClassAreCountedAndNamed() {
    const Pixels mask{0, 1, 255, 7, 7, 2};
    const Values base{{"classes", std::int64_t{3}}, {"dtype", std::string("u8")}};
    NodeChain strict({pictureField("mask", Role::Mask, 1)});
    Values values = base;
    values["ignore_index"] = std::int64_t{255};
    strict.add("one_hot", values);
    Sample sample(1);
    const Status wrong = runMask(strict, sample, mask, 2, 3, 1);
    QVERIFY(!wrong.ok());
    QVERIFY2(wrong.error().message.find(
                 "2 pixels are not one of the 3 classes, the first one is 7 at (0, 1)") !=
                 std::string::npos,
             wrong.error().message.c_str());
    values["unknown"] = std::string("ignore");
    NodeChain lenient({pictureField("mask", Role::Mask, 1)});
    lenient.add("one_hot", values);
    VERIFY_OK(runMask(lenient, sample, mask, 2, 3, 1));
    QCOMPARE(bytesOf(sample[0]), (Pixels{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  }

  void theIgnoredIndexAloneIsFine() {
    NodeChain chain({pictureField("mask", Role::Mask, 1)});
    chain.add("one_hot", {{"classes", std::int64_t{3}}, {"ignore_index", std::int64_t{255}}});
    Sample sample(1);
    VERIFY_OK(runMask(chain, sample, {0, 1, 255, 2}, 2, 2, 1));
    NodeChain clash({pictureField("mask", Role::Mask, 1)});
    clash.add("one_hot", {{"classes", std::int64_t{3}}, {"ignore_index", std::int64_t{2}}});
    QCOMPARE(clash.problems().all().front().field, std::string("ignore_index"));
  }

  void colourMasksGoThroughTheTable() {
    const QTemporaryDir folder;
    const Values base{{"colours", camvidLike(folder)}, {"dtype", std::string("u8")}};
    const Pixels mask{128, 64, 128, 64, 0, 128, 128, 128, 128};
    NodeChain chain({pictureField("mask", Role::Mask, 3)});
    chain.add("one_hot", base);
    QCOMPARE(chain.problemText(), std::string());
    QVERIFY(chain.out().fields[0].classes == 3);
    Sample sample(1);
    VERIFY_OK(runMask(chain, sample, mask, 1, 3, 3));
    QCOMPARE(bytesOf(sample[0]), (Pixels{0, 1, 0, 0, 0, 1, 1, 0, 0}));

    Values values = base;
    values["masks"] = std::string("index");
    NodeChain index({pictureField("mask", Role::Mask, 3)});
    index.add("one_hot", values);
    QVERIFY(index.out().fields[0].dtype == DType::U8 && !index.out().fields[0].oneHot);
    VERIFY_OK(runMask(index, sample, mask, 1, 3, 3));
    QCOMPARE(bytesOf(sample[0]), (Pixels{1, 2, 0}));

    const Pixels foreign{128, 64, 128, 1, 2, 3, 1, 2, 3};
    const Status wrong = runMask(index, sample, foreign, 1, 3, 3);
    QVERIFY(!wrong.ok());
    QVERIFY2(
        wrong.error().message.find(
            "2 pixels of a colour that is not a class, the first one is #010203 at (1, 0); add "
            "it to the colour table, set mask_fill to a class if it is padding, or set unknown to "
            "ignore") != std::string::npos,
        wrong.error().message.c_str());
    const auto hintFor = [&](const Pixels& pixel) {
      const Status refused = runMask(chain, sample, pixel, 1, 1, 3);
      return refused ? std::string() : refused.error().message;
    };
    QVERIFY2(hintFor({131, 60, 128})
                 .ends_with("save it as PNG in the exact colours, or set unknown to ignore"),
             hintFor({131, 60, 128}).c_str());
    QVERIFY(hintFor({131, 60, 128}).find("almost the colour of `") != std::string::npos);
    QVERIFY2(hintFor({2, 2, 2}).find("it looks like a class number") != std::string::npos,
             hintFor({2, 2, 2}).c_str());
  }

  void colourTablesWithMistakesAreNamed() {
    const QTemporaryDir folder;
    QVERIFY(readColourClasses(folder.path().toStdString())
                .error()
                .message.ends_with(" is a folder, not a colour table"));
    QVERIFY(!parseColourClasses("").ok());
    const auto bad = parseColourClasses("name,r,g,b\nsky,1,2,3\nroad,1,2\n");
    QVERIFY(bad.error().message.find("line 3") != std::string::npos);
    QVERIFY(!parseColourClasses("sky,1,2,300\nroad,1,2,3").ok() ||
            parseColourClasses("sky,1,2,300\nroad,1,2,3")->names.size() == 1);
    QVERIFY(!parseColourClasses("a,1,2,3\nb,1,2,3").ok());
    const auto good = parseColourClasses("a,1,2,3\n\n\"b, c\", 4, 5, 6\r\n");
    VERIFY_OK(good);
    QCOMPARE(good->names.at(1), std::string("b, c"));
    NodeChain chain({pictureField("mask", Role::Mask, 3)});
    chain.add("one_hot", {{"colours", std::string("/no/such/table.csv")}});
    QCOMPARE(chain.problems().all().front().field, std::string("colours"));
  }
};

MILLRACE_TEST_CASE(TestTensor)

}  // namespace millrace

#include "tst_tensor.moc"

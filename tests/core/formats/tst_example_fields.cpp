// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/example_fields.h"
#include "core/formats/tfrecord/example_survey.h"

#include "tests/support/record_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesFeature;
using tests::example;
using tests::floatFeature;
using tests::intFeature;
using Texts = std::vector<std::string>;

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Texts textsOf(const std::vector<ExampleField>& fields) {
  Texts texts;
  for (const ExampleField& field : fields) texts.push_back(textOf(field));
  return texts;
}

Texts guessed(const Texts& records) {
  ExampleSurvey survey;
  for (const std::string& record : records)
    if (!survey.add(bytesOf(record))) return {"no example"};
  return textsOf(survey.guess());
}

/// Why the fields cannot be read from the record; empty if they can.
std::string problemWith(const Texts& keys, const std::string& record) {
  const auto fields = parseExampleKeys(keys);
  if (!fields) return fields.error().message;
  ExampleParser parser(*fields);
  Sample sample(fields->size());
  const Status done = parser.parse(bytesOf(record), sample);
  return done ? "" : done.error().message;
}

const std::string kJpeg = "\xff\xd8\xff\xe0 and so on";

}  // namespace

class TestExampleFields : public QObject {
  Q_OBJECT
 private slots:
  /// As in protobuf, the last of a map's entries with the same key counts.
  void aKeyThatIsThereTwiceHasItsLastValue() {
    const std::string record = example(intFeature("label", {3}) + bytesFeature("image", {kJpeg}) +
                                       intFeature("label", {4}));
    QCOMPARE(guessed({record, record}), (Texts{"image=image:encoded", "label=label:i64:scalar"}));
    const auto fields = parseExampleKeys({"label"});
    VERIFY_OK(fields);
    ExampleParser parser(*fields);
    Sample sample(1);
    VERIFY_OK(parser.parse(bytesOf(record), sample));
    QCOMPARE(*sample[0].as<std::int64_t>(), std::int64_t{4});
  }

  void parsesTheFieldsAskedFor() {
    const std::string record =
        example(bytesFeature("image/encoded", {kJpeg}) + intFeature("label", {-7}) +
                floatFeature("box", {0.5F, 1, -2, 4}) + bytesFeature("d", {"\1\2\3\4\5\6"}) +
                intFeature("empty", {}));
    const auto fields = parseExampleKeys({"image=image/encoded", "label", "box=box:f32:2x2",
                                          "board=d:u16:?", "image_2=d:u8:1x2x3:image"});
    VERIFY_OK(fields);
    ExampleParser parser(*fields);
    Sample sample(fields->size());
    VERIFY_OK(parser.parse(bytesOf(record), sample));
    QCOMPARE(std::string(sample[0].as<char>(), sample[0].bytes), kJpeg);
    QCOMPARE(*sample[1].as<std::int64_t>(), std::int64_t{-7});
    QCOMPARE(sample[1].shape.rank(), std::size_t{0});
    QCOMPARE(sample[2].shape, (Shape{2, 2}));
    QCOMPARE(sample[2].as<float>()[2], -2.0F);
    QCOMPARE(sample[3].shape, Shape{3});
    QCOMPARE(sample[3].as<std::uint16_t>()[1], std::uint16_t{0x0403});
    QCOMPARE(sample[4].layout, Layout::Hwc);
    QCOMPARE(fields->at(4).spec.role, Role::Image);
  }

  void readsNumbersThatAreNotPacked() {
    const std::string list = "\x08\x05\x08\x81\x01";
    const std::string record = example(tests::protoField(
        1, tests::protoField(1, "n") + tests::protoField(2, tests::protoField(3, list))));
    const auto fields = parseExampleKeys({"n=n:i64:2"});
    ExampleParser parser(*fields);
    Sample sample(1);
    VERIFY_OK(parser.parse(bytesOf(record), sample));
    QCOMPARE(sample[0].as<std::int64_t>()[0], std::int64_t{5});
    QCOMPARE(sample[0].as<std::int64_t>()[1], std::int64_t{129});
  }

  void saysWhatDoesNotFit() {
    const std::string record = example(intFeature("a", {1, 2}) + bytesFeature("b", {"xyz"}));
    QCOMPARE(problemWith({"label=absent"}, record), std::string("the record has no key `absent`"));
    QCOMPARE(problemWith({"label=a"}, record),
             std::string("key `a` has 2 elements, which do not match scalar"));
    QCOMPARE(problemWith({"x=a:f32:2"}, record), std::string("key `a` contains int64, not f32"));
    QCOMPARE(problemWith({"x=b:u16:?"}, record),
             std::string("key `b` has 1 elements, which do not match ?"));
    QVERIFY(problemWith({"X=a"}, record).find("lower-case letters") != std::string::npos);
    QVERIFY(problemWith({"x=a:2x2"}, record).find("element type") != std::string::npos);
    QVERIFY(problemWith({"x=a:i64", "x=b:u8"}, record).find("two fields") != std::string::npos);
  }

  /// Every truncation of an example gives an error or a shorter example, never more.
  void survivesEveryCut() {
    const std::string record = example(bytesFeature("b", {"xyz", ""}) + intFeature("a", {1, 300}));
    for (std::size_t cut = 0; cut < record.size(); ++cut) {
      const std::string part = record.substr(0, cut);
      QVERIFY(!problemWith({"x=a:i64:2"}, part).empty());
      ExampleSurvey survey;
      QVERIFY(!survey.add(bytesOf(part)));
    }
    ExampleSurvey survey;
    QVERIFY(!survey.add(bytesOf("not an example")));
  }

  void recordsThatDifferAreTheExceptionAndNotTheRule() {
    const auto with = [](const std::string& picture, const std::string& label) {
      return example(bytesFeature("image", {picture}) + label);
    };
    const std::string usual = with(kJpeg, intFeature("label", {1}));
    const Texts wanted{"image=image:encoded", "label=label:i64:scalar"};
    const std::vector<std::pair<std::string, std::string>> odd = {
        {with(kJpeg, floatFeature("label", {1})),
         "has another type than int64 for the key `label`"},
        {with(kJpeg, intFeature("label", {1, 2})), "has several values for the key `label`"},
        {with(kJpeg, intFeature("label", {})), "has no value for the key `label`"}};
    for (const auto& [record, note] : odd) {
      QCOMPARE(guessed({record, usual, usual}), wanted);
      ExampleSurvey survey;
      for (const std::string& one : {usual, record, usual}) QVERIFY(survey.add(bytesOf(one)));
      QCOMPARE(survey.missing(survey.guess()),
               (Texts{"1 of the 3 records examined " + note + " and will fail"}));
    }
    QCOMPARE(guessed({with("no picture", intFeature("label", {1})), usual, usual}), wanted);
    ExampleSurvey survey;
    for (const std::string& one : {usual, with(kJpeg, ""), with(kJpeg, "")})
      QVERIFY(survey.add(bytesOf(one)));
    QCOMPARE(survey.leftOut(survey.guess()), (Texts{"label (int64, in 1 of the 3 records)"}));
  }

  void guessesPicturesAndLabels() {
    const std::string one =
        example(bytesFeature("image/encoded", {kJpeg}) + intFeature("image/class/label", {3}) +
                intFeature("image/height", {3}) + floatFeature("image/object/bbox/xmin", {1, 2}) +
                bytesFeature("image/class/text", {"cat"}));
    const std::string other = example(
        bytesFeature("image/encoded", {kJpeg + "!"}) + intFeature("image/class/label", {4}) +
        intFeature("image/height", {3}) + floatFeature("image/object/bbox/xmin", {1}) +
        bytesFeature("image/class/text", {"zebra"}));
    QCOMPARE(guessed({one, other}),
             (Texts{"image=image/encoded:encoded", "label=image/class/label:i64:scalar"}));
    ExampleSurvey survey;
    QVERIFY(survey.add(bytesOf(one)) && survey.add(bytesOf(other)));
    QCOMPARE(survey.leftOut(survey.guess()),
             (Texts{"image/class/text (3 to 5 bytes)", "image/height (int64)",
                    "image/object/bbox/xmin (float, 1 to 2 values a record)"}));
  }

  void aKeyThatFewRecordsLackIsAFieldAndSaidToBeMissing() {
    const auto record = [&](const std::vector<std::int64_t>& labels) {
      return example(bytesFeature("image", {kJpeg}) + intFeature("label", labels));
    };
    ExampleSurvey survey;
    for (const auto& labels : {std::vector<std::int64_t>{1}, {}, {2}})
      QVERIFY(survey.add(bytesOf(record(labels))));
    QVERIFY(!survey.add({}));
    const auto fields = survey.guess();
    QCOMPARE(textsOf(fields), (Texts{"image=image:encoded", "label=label:i64:scalar"}));
    QCOMPARE(survey.missing(fields),
             (Texts{"1 of the 3 records examined has no value for the key `label` and will fail"}));
  }

  /// Files of two programs: the label must be that of the records with the picture.
  void keysOfTheMostFrequentPictureAreTaken() {
    const std::string one =
        example(bytesFeature("image/encoded", {kJpeg}) + intFeature("label", {3}));
    const std::string other = example(bytesFeature("img", {kJpeg}) + intFeature("class", {4}));
    QCOMPARE(guessed({one, other, one, other}),
             (Texts{"image=image/encoded:encoded", "label=label:i64:scalar"}));
    QCOMPARE(guessed({one, other, other}), (Texts{"image=img:encoded", "label=class:i64:scalar"}));
    ExampleSurvey survey;
    for (const std::string& record : {one, other, other}) QVERIFY(survey.add(bytesOf(record)));
    QCOMPARE(survey.missing(survey.guess()),
             (Texts{"1 of the 3 records examined has no value for the key `img` and will fail",
                    "1 of the 3 records examined has no value for the key `class` and will fail"}));
  }

  void severalPicturesInOneKeyAreNotCutToTheFirst() {
    const std::string two = example(bytesFeature("image", {kJpeg, kJpeg}));
    const std::string one = example(bytesFeature("image", {kJpeg}));
    QCOMPARE(problemWith({"image"}, two),
             std::string("key `image` has 2 values, but 1 is expected"));
    QCOMPARE(problemWith({"image"}, one), std::string());
    QCOMPARE(problemWith({"image"}, ""),
             std::string("the record has no key `image`: it is not a tf.train.Example, or an empty "
                         "one"));
    ExampleSurvey survey;
    for (const std::string& record : {one, two, one}) QVERIFY(survey.add(bytesOf(record)));
    QCOMPARE(survey.missing(survey.guess()),
             (Texts{"1 of the 3 records examined has several values for the key `image` and will "
                    "fail"}));
  }

  void sequenceExamplesAreKnown() {
    const auto list = [](const std::string& name) {
      return tests::protoField(2, tests::protoField(1, tests::protoField(1, name)));
    };
    ExampleSurvey survey;
    QVERIFY(!survey.add(bytesOf(example("") + list("frames"))));
    QCOMPARE(survey.sequences(), 1U);
    QCOMPARE(survey.sequenceText(), std::string("the lists `frames`"));
    QVERIFY(!survey.add(bytesOf(example(intFeature("id", {1})) + list("t"))));
    QCOMPARE(survey.sequenceText(), std::string("`id` and the lists `frames`, `t`"));
    QVERIFY(!isSequenceExample(bytesOf(example(intFeature("label", {1})))));
    QVERIFY(!isSequenceExample(bytesOf(std::string("no message"))));
  }

  void guessesArraysOfOneSize() {
    const std::string one = example(bytesFeature("d", {std::string(194, 'x')}) +
                                    intFeature("s", {3}) + floatFeature("w", {1, 2}));
    QCOMPARE(guessed({one, one}), (Texts{"d=d:u8:194", "s=s:i64:scalar", "w=w:f32:2"}));
  }

  void whatAKeyNeedsToBeTypedComesFromTheData() {
    ExampleSurvey survey;
    QVERIFY(survey.add(bytesOf(example(intFeature("s", {1, 2, 3})))));
    auto fields = parseExampleKeys({"score=s"}).take();
    QVERIFY(!fields[0].typed);
    VERIFY_OK(survey.complete(fields));
    QCOMPARE(textOf(fields[0]), std::string("score=s:i64:3"));
    auto wrong = parseExampleKeys({"score=t"}).take();
    const Status status = survey.complete(wrong);
    QVERIFY(!status.ok() && status.error().message.find("they have `s`") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestExampleFields;
MILLRACE_TEST_CASE(TestExampleFields)
#include "tst_example_fields.moc"

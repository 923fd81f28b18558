// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/field_places.h"

#include <cstring>

#include "tests/support/test_case.h"

namespace millrace {

using namespace nodes;

namespace {

FieldSpec bytesField(const std::string& name) {
  return {name, DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Features};
}

StreamType streamOf(std::initializer_list<const char*> names) {
  StreamType stream;
  for (const char* name : names) stream.fields.push_back(bytesField(name));
  return stream;
}

std::vector<std::string> namesOf(const StreamType& stream) {
  std::vector<std::string> names;
  for (const FieldSpec& field : stream.fields) names.push_back(field.name);
  return names;
}

std::vector<FieldSpec> madeOf(std::initializer_list<const char*> names) {
  return streamOf(names).fields;
}

/// A sample whose fields hold their own letters, with room for some more.
Sample lettered(std::size_t fields, std::size_t room) {
  Sample sample(room);
  sample.reset({}, room);
  for (std::size_t i = 0; i < fields; ++i)
    *sample.replaceBytes(i, 1).data = static_cast<std::byte>('a' + i);
  return sample;
}

/// The letters of the fields, `-` for a field without a value.
std::string lettersOf(const Sample& sample, std::size_t fields) {
  std::string letters;
  for (std::size_t i = 0; i < fields; ++i)
    letters += sample[i].bytes == 0 ? '-' : static_cast<char>(*sample[i].data);
  return letters;
}

}  // namespace

class TestFieldPlaces : public QObject {
  Q_OBJECT
 private slots:
  void aFieldIsFoundByItsWholeName() {
    const StreamType in = streamOf({"a", "ab", "b"});
    QCOMPARE(fieldIndex(in, "ab"), std::optional<std::size_t>{1});
    QVERIFY(!fieldIndex(in, "A"));
    QVERIFY(!fieldIndex(in, ""));
  }

  void theNewFieldsTakeThePlaceOfTheOldOne() {
    Problems problems;
    InferContext context("parse", problems);
    const StreamType in = streamOf({"a", "b", "c"});
    const auto result = [&](std::size_t at, std::initializer_list<const char*> made) {
      return namesOf(spliced(in, at, madeOf(made), "keys", context));
    };
    using Names = std::vector<std::string>;
    QCOMPARE(result(1, {"x", "y"}), (Names{"a", "x", "y", "c"}));
    QCOMPARE(result(0, {"x"}), (Names{"x", "b", "c"}));
    QCOMPARE(result(2, {}), (Names{"a", "b"}));
    QCOMPARE(result(1, {"x", "b"}), (Names{"a", "x", "b", "c"}));
    QVERIFY(problems.all().empty());
  }

  void twoFieldsOfOneNameAreAProblemOfTheParameter() {
    for (const auto& made : {madeOf({"x", "c"}), madeOf({"x", "x"}), madeOf({"a"})}) {
      Problems problems;
      InferContext context("parse", problems);
      const StreamType in = streamOf({"a", "b", "c"});
      QVERIFY(spliced(in, 1, made, "keys", context) == in);
      QCOMPARE(problems.all().size(), std::size_t{1});
      QCOMPARE(problems.all()[0].field, std::string("keys"));
      QVERIFY(problems.all()[0].message.starts_with("there would be two fields named `"));
    }
  }

  /// For every place and number of new fields: the values before and after the place stay, in the
  /// places that spliced() gives them, and the old value can still be read.
  void valuesMoveAsTheirFieldsDo() {
    constexpr std::size_t kFields = 4;
    const std::string letters = "abcd";
    for (std::size_t at = 0; at < kFields; ++at)
      for (std::size_t made = 0; made < 4; ++made) {
        const std::size_t after = kFields + made - 1;
        Sample sample = lettered(kFields, std::max(kFields, after));
        openPlaces(sample, at, kFields, made);
        const std::string moved = lettersOf(sample, after);
        QCOMPARE(moved.substr(0, at), letters.substr(0, at));
        QCOMPARE(moved.substr(at + made), letters.substr(at + 1));
        if (made > 0) QCOMPARE(moved[at], letters[at]);
      }
  }

  void clearedPlacesHaveNoValue() {
    Sample sample = lettered(4, 4);
    clearPlaces(sample, 2);
    QCOMPARE(lettersOf(sample, 4), std::string("ab--"));
    clearPlaces(sample, 4);
    QCOMPARE(lettersOf(sample, 4), std::string("ab--"));
  }
};

}  // namespace millrace

using millrace::TestFieldPlaces;
MILLRACE_TEST_CASE(TestFieldPlaces)
#include "tst_field_places.moc"

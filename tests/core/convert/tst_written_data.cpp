// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/written_data.h"

#include <cstring>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Samples of a text and a label, in memory; a sample without text cannot be read.
class Texts final : public Source {
 public:
  struct Item {
    std::string text;
    std::int64_t label = 0;
  };
  explicit Texts(std::vector<Item> items, std::vector<std::string> classes = {})
      : m_items(std::move(items)), m_classes(std::move(classes)) {}
  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_items.size()); }
  std::vector<FieldSpec> fields() const override {
    return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
            {"label", DType::I64, {}, Layout::Plain, Role::Label}};
  }
  std::string name(std::uint32_t index) const override { return "n" + std::to_string(index); }
  std::vector<std::string> classes() const override { return m_classes; }
  std::unique_ptr<SourceReader> reader() const override {
    class Reader final : public SourceReader {
     public:
      explicit Reader(const Texts& texts) : m_texts(texts) {}
      Status read(std::uint32_t index, Sample& sample, ReadCounters&) override {
        const Item& item = m_texts.m_items[index];
        if (item.text.empty()) return Error{"no text"};
        std::memcpy(sample.replaceBytes(0, item.text.size()).data, item.text.data(),
                    item.text.size());
        *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = item.label;
        return {};
      }

     private:
      const Texts& m_texts;
    };
    return std::make_unique<Reader>(*this);
  }

 private:
  const std::vector<Item> m_items;
  const std::vector<std::string> m_classes;
};

WriteSpec specOf(const Source& source) {
  WriteSpec spec;
  spec.fields = source.fields();
  spec.classes = {"cat", "dog"};
  return spec;
}

/// The digests of a source's samples, as a writer of `format` would keep them.
std::vector<std::uint64_t> digestsOf(const Texts& source, const Format& format) {
  std::vector<std::uint64_t> digests;
  Sample sample;
  ReadCounters counters;
  const auto reader = source.reader();
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    sample.reset({0, i, 0}, 2);
    static_cast<void>(reader->read(i, sample, counters));
    digests.push_back(digestOf(specOf(source), format, std::vector{sample[0], sample[1]}));
  }
  return digests;
}

/// What the check says of `found` where `written` was written; "" for nothing.
std::string verdictOf(const Texts& written, const Texts& found, std::string_view format,
                      bool deep = true) {
  const Format& kind = *formatNamed(format);
  const Status checked = verifyWritten(found, kind, specOf(written), digestsOf(written, kind), deep,
                                       [](std::uint64_t) { return true; });
  return checked ? "" : checked.error().message;
}

const Texts kWritten({{"a", 0}, {"b", 1}, {"b", 1}, {"c", 0}});

}  // namespace

class TestWrittenData : public QObject {
  Q_OBJECT
 private slots:
  void samplesMayComeBackInAnyOrder() {
    const Texts found({{"c", 0}, {"b", 1}, {"a", 0}, {"b", 1}});
    QCOMPARE(verdictOf(kWritten, found, "tfrecord"), std::string());
  }

  void aMissingSampleIsFoundWithoutReadingOne() {
    const Texts found({{"", 0}, {"", 0}, {"", 0}});
    QCOMPARE(verdictOf(kWritten, found, "tfrecord", false),
             std::string("4 samples were written, but 3 were read back"));
  }

  void aChangedByteOrLabelOrARepeatedSampleIsNamed() {
    const std::string differs = "it differs from what was written";
    const auto verdict = [&](std::vector<Texts::Item> items) {
      return verdictOf(kWritten, Texts(std::move(items)), "tfrecord");
    };
    QCOMPARE(verdict({{"a", 0}, {"b", 1}, {"B", 1}, {"c", 0}}), "reading back `n2`: " + differs);
    QCOMPARE(verdict({{"a", 1}, {"b", 1}, {"b", 1}, {"c", 0}}), "reading back `n0`: " + differs);
    // Two of four samples are alike; a third one like them is one too many.
    QCOMPARE(verdict({{"a", 0}, {"b", 1}, {"b", 1}, {"b", 1}}), "reading back `n3`: " + differs);
    QCOMPARE(verdict({{"a", 0}, {"b", 1}, {"b", 1}, {"", 0}}),
             std::string("reading back `n3`: it is broken: no text"));
  }

  /// Folders are sorted by name, so that the classes have other numbers when they are read.
  void classesThatAreFoldersAreComparedByName() {
    const Texts found({{"a", 1}, {"b", 0}, {"b", 0}, {"c", 1}}, {"dog", "cat"});
    QCOMPARE(verdictOf(kWritten, found, "folder"), std::string());
    const Texts swapped({{"a", 0}, {"b", 1}, {"b", 1}, {"c", 0}}, {"dog", "cat"});
    QVERIFY(!verdictOf(kWritten, swapped, "folder").empty());
  }

  void aFieldThatIsLostIsNamed() {
    const Format& format = *formatNamed("tfrecord");
    WriteSpec spec = specOf(kWritten);
    // Another name alone is no loss: some formats store no names of fields.
    spec.fields[1] = {"score", DType::F32, {}, Layout::Plain, Role::Features};
    const Status checked = verifyWritten(kWritten, format, spec, digestsOf(kWritten, format), true,
                                         [](std::uint64_t) { return true; });
    QVERIFY(!checked);
    QCOMPARE(checked.error().message,
             std::string("the written data has no `score` when it is read back"));
  }

  void theCheckStopsWhenItIsAskedTo() {
    const Format& format = *formatNamed("tfrecord");
    const Texts found({{"a", 0}, {"b", 1}, {"wrong", 1}, {"c", 0}});
    std::vector<std::uint64_t> asked;
    VERIFY_OK(verifyWritten(found, format, specOf(found), digestsOf(kWritten, format), true,
                            [&](std::uint64_t read) {
                              asked.push_back(read);
                              return read < 2;
                            }));
    QCOMPARE(asked, (std::vector<std::uint64_t>{0, 1, 2}));
  }
};

}  // namespace millrace

using millrace::TestWrittenData;
MILLRACE_TEST_CASE(TestWrittenData)
#include "tst_written_data.moc"

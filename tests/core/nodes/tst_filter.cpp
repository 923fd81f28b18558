// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/encode.h"
#include "core/spec/order_warnings.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::makeOrder;
using Texts = std::vector<std::string>;

Values where(const std::string& formula) { return {{"where", formula}}; }

/// Grey pictures in folders of classes: `cat/9x5.png` is 9 pixels wide and 5 high.
class Pictures : public tests::TemporaryFolder {
 public:
  Pictures() {
    for (const char* name : {"cat/20x10", "cat/64x48", "dog/64x64", "dog/8x100", "wolf/30x30"}) {
      int width = 0;
      int height = 0;
      const std::string path(name);
      QCOMPARE(std::sscanf(path.c_str() + path.find('/') + 1, "%dx%d", &width, &height), 2);
      const std::vector<std::uint8_t> grey(std::size_t(width) * std::size_t(height), 7);
      const auto png = encodePng({grey.data(), width, height, 1, width});
      write(path + ".png", std::string(reinterpret_cast<const char*>(png->data()), png->size()));
    }
    write("wolf/broken.png", "\x89PNG\r\n\x1a\n");
    m_source = tests::openSource("image_folder", {{"paths", TextList{path().native()}}}).take();
  }
  const Source& source() const { return *m_source; }

  /// The names of the kept samples.
  Texts kept(const Values& values, Values after = {}) const {
    std::vector<SampleIndex> order(m_source->size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {i, 0};
    const OrderContext context{42, 0, 7, false, m_source.get()};
    makeOrder("filter", values)->apply(order, context);
    if (!after.empty()) makeOrder("take", after)->apply(order, context);
    Texts names;
    for (const SampleIndex& entry : order) names.push_back(m_source->name(entry.index));
    return names;
  }

 private:
  std::shared_ptr<const Source> m_source;
};

std::string errorOf(const std::string& formula) {
  StreamType in;
  in.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
               {"score", DType::F32, {}, Layout::Plain, Role::Features}};
  std::string message;
  Problems problems;
  tests::inferNode("filter", where(formula), in, problems);
  for (const Problem& problem : problems.all()) message += problem.message;
  return message;
}

}  // namespace

class TestFilter : public QObject {
  Q_OBJECT
 private slots:
  void withoutConditionsEverythingStays() {
    const Pictures pictures;
    QCOMPARE(pictures.kept({}).size(), std::size_t{6});
  }

  void picturesBySize() {
    const Pictures pictures;
    const std::string broken = "wolf/broken.png";  // Cannot be read: its failure is the run's.
    QCOMPARE(pictures.kept(where("width >= 64 && height >= 48")),
             (Texts{"cat/64x48.png", "dog/64x64.png", broken}));
    QCOMPARE(pictures.kept(where("height > width")), (Texts{"dog/8x100.png", broken}));
    QCOMPARE(pictures.kept(where("channels == 3")), (Texts{broken}));
  }

  void byClassNameAndLabel() {
    const Pictures pictures;
    QCOMPARE(pictures.kept({{"classes", TextList{"c*", "wolf"}}}),
             (Texts{"cat/20x10.png", "cat/64x48.png", "wolf/30x30.png", "wolf/broken.png"}));
    QCOMPARE(pictures.kept({{"names", TextList{"*64*"}}}),
             (Texts{"cat/64x48.png", "dog/64x64.png"}));
    QCOMPARE(pictures.kept(where("label == 1 || index == 0")),
             (Texts{"cat/20x10.png", "dog/64x64.png", "dog/8x100.png"}));
    // All conditions hold.
    QCOMPARE(pictures.kept({{"classes", TextList{"dog"}}, {"where", std::string("width > 9")}}),
             (Texts{"dog/64x64.png"}));
  }

  void bytesAreThoseOfTheFile() {
    const Pictures pictures;
    const auto bytes = std::filesystem::file_size(pictures.path() / "dog/64x64.png");
    // 8 bytes of each sample are its label.
    QCOMPARE(pictures.kept({{"where", "bytes == " + std::to_string(bytes + 8)},
                            {"names", TextList{"dog/*"}}}),
             (Texts{"dog/64x64.png"}));
  }

  void laterNodesSeeWhatIsKept() {
    const Pictures pictures;
    QCOMPARE(pictures.kept({{"classes", TextList{"dog", "wolf"}}},
                           {{"skip", std::int64_t{1}}, {"count", std::int64_t{2}}}),
             (Texts{"dog/8x100.png", "wolf/30x30.png"}));
  }

  void numbersOfRecordsAreVariables() {
    const auto source = tests::openSource("synthetic", {{"count", std::int64_t{40}},
                                                        {"length", std::int64_t{1}},
                                                        {"element", std::string("f32")}});
    VERIFY_OK(source);
    const std::string field = (*source)->fields().front().name;
    std::vector<SampleIndex> order(40);
    for (std::uint32_t i = 0; i < 40; ++i) order[i] = {i, 0};
    const auto reader = (*source)->reader();
    Sample sample;
    ReadCounters counters;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 40; ++i) {
      sample.reset({0, i, 0}, (*source)->fields().size());
      VERIFY_OK(reader->read(i, sample, counters));
      if (*sample[0].as<const float>() > 0.25F) expected.push_back(i);
    }
    QVERIFY(!expected.empty() && expected.size() < 40);
    makeOrder("filter", where(field + " > 0.25"))->apply(order, {42, 0, 7, false, source->get()});
    std::vector<std::uint32_t> kept;
    for (const SampleIndex& entry : order) kept.push_back(entry.index);
    QCOMPARE(kept, expected);
  }

  void wrongFormulasAreRefused() {
    QCOMPARE(errorOf("width > 3 && score < 0.5"), std::string());
    QVERIFY2(errorOf("widht > 3").find("widht") != std::string::npos, errorOf("widht > 3").c_str());
    QVERIFY(!errorOf("image > 3").empty());  // Not a number.
    QVERIFY(!errorOf("width >").empty());
  }

  void byAListOfNamesOrPaths() {
    const Pictures pictures;
    const auto list = [&](const std::string& text) {
      pictures.write("list.txt", text);
      return Values{{"list", (pictures.path() / "list.txt").native()}};
    };
    const std::string whole = (pictures.path() / "dog/64x64.png").native();
    const Values some = list("cat/20x10.png\r\n" + whole + "\n\nnot/there.png\n");
    QCOMPARE(pictures.kept(some), (Texts{"cat/20x10.png", "dog/64x64.png"}));
    const auto filter = makeOrder("filter", some);
    const auto warnings = dynamic_cast<const OrderWarnings&>(*filter).warnings(pictures.source());
    QCOMPARE(warnings.size(), std::size_t{1});
    QCOMPARE(warnings.front().message,
             "1 of 3 lines in `" + (pictures.path() / "list.txt").native() + "` is no sample");
    QVERIFY(makeOrder("filter", list("\n")) == nullptr);
    QVERIFY(makeOrder("filter", {{"list", pictures.path().native()}}) == nullptr);
  }

  void patternsWithoutAClassAreNamed() {
    const Pictures pictures;
    const auto filter = makeOrder("filter", {{"classes", TextList{"dog", "cta"}}});
    const auto warnings = dynamic_cast<const OrderWarnings&>(*filter).warnings(pictures.source());
    QCOMPARE(warnings.size(), std::size_t{1});
    QCOMPARE(warnings.front().message, std::string("no class is named `cta`"));
  }
};

}  // namespace millrace

using millrace::TestFilter;
MILLRACE_TEST_CASE(TestFilter)
#include "tst_filter.moc"

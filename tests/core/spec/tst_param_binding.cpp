// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/param_binding.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

enum class Small : std::uint8_t { One = 1, Two = 2, Nine = 9 };
enum class Large : std::uint32_t { Low = 1, High = 0xfedcba98 };

/// A member of every type; the bytes around the enumerators show writes that are too wide.
struct BoundParams {
  bool flag = true;
  std::int64_t count = 7;
  double share = 0.25;
  std::string name = "a";
  std::string file = "b";
  RealList levels{1, 2};
  TextList words{"x"};
  TextList files;
  std::uint8_t before = 0xaa;
  Small small = Small::Two;
  std::uint8_t after = 0xbb;
  Large large = Large::High;
  PlaceRequest place = PlaceRequest::Cpu;
  TextList fields;
};

ParamBinding<BoundParams> bound() {
  ParamBinding<BoundParams> all;
  all.boolean("flag", &BoundParams::flag);
  all.integer("count", &BoundParams::count);
  all.real("share", &BoundParams::share);
  all.text("name", &BoundParams::name);
  all.path("file", &BoundParams::file);
  all.reals("levels", &BoundParams::levels);
  all.texts("words", &BoundParams::words);
  all.paths("files", &BoundParams::files);
  all.choice<Small>(
      "small", &BoundParams::small,
      {{Small::One, "one", "First."}, {Small::Two, "two", ""}, {Small::Nine, "nine", ""}});
  all.choice<Large>("large", &BoundParams::large,
                    {{Large::Low, "low", ""}, {Large::High, "high", ""}});
  all.place(&BoundParams::place);
  all.fields(&BoundParams::fields);
  return all;
}

Values defaultsBoundIn(const ParamBinding<BoundParams>& all) {
  Values values;
  for (const ParamSpec& spec : all.specs()) values[spec.name] = spec.defaultValue;
  return values;
}

}  // namespace

class TestParamBinding : public QObject {
  Q_OBJECT
 private slots:
  void theInitialisersOfTheStructAreTheDefaults() {
    Values wanted;
    wanted["flag"] = true;
    wanted["count"] = std::int64_t{7};
    wanted["share"] = 0.25;
    wanted["name"] = std::string("a");
    wanted["file"] = std::string("b");
    wanted["levels"] = RealList{1, 2};
    wanted["words"] = TextList{"x"};
    wanted["files"] = TextList{};
    wanted["small"] = std::string("two");
    wanted["large"] = std::string("high");
    wanted["place"] = std::string("cpu");
    wanted["fields"] = TextList{};
    QVERIFY(defaultsBoundIn(bound()) == wanted);
  }

  void defaultsReadBackAreTheStruct() {
    const auto all = bound();
    const BoundParams params = all.reader()(defaultsBoundIn(all));
    QCOMPARE(params.flag, true);
    QCOMPARE(params.count, std::int64_t{7});
    QCOMPARE(params.share, 0.25);
    QCOMPARE(params.levels, (RealList{1, 2}));
    QVERIFY(params.small == Small::Two);
    QVERIFY(params.large == Large::High);
    QVERIFY(params.place == PlaceRequest::Cpu);
  }

  void everyValueReachesItsMemberAlone() {
    const auto all = bound();
    Values values = defaultsBoundIn(all);
    values["flag"] = false;
    values["count"] = std::int64_t{-1};
    values["share"] = 1.5;
    values["name"] = std::string("name");
    values["file"] = std::string("file");
    values["levels"] = RealList{};
    values["words"] = TextList{"y", "z"};
    values["files"] = TextList{"f"};
    values["small"] = std::string("nine");
    values["large"] = std::string("low");
    values["place"] = std::string("gpu");
    values["fields"] = TextList{"image"};
    const BoundParams params = all.reader()(values);
    QCOMPARE(params.flag, false);
    QCOMPARE(params.count, std::int64_t{-1});
    QCOMPARE(params.share, 1.5);
    QCOMPARE(params.name, std::string("name"));
    QCOMPARE(params.file, std::string("file"));
    QVERIFY(params.levels.empty());
    QCOMPARE(params.words, (TextList{"y", "z"}));
    QCOMPARE(params.files, TextList{"f"});
    QVERIFY(params.small == Small::Nine);
    QCOMPARE(params.before, std::uint8_t{0xaa});
    QCOMPARE(params.after, std::uint8_t{0xbb});
    QVERIFY(params.large == Large::Low);
    QVERIFY(params.place == PlaceRequest::Gpu);
    QCOMPARE(params.fields, TextList{"image"});
  }

  /// The check has reported it; reading must not crash before that report is shown.
  void aChoiceThatIsNotOneKeepsItsDefault() {
    const auto all = bound();
    Values values = defaultsBoundIn(all);
    values["small"] = std::string("three");
    QVERIFY(all.reader()(values).small == Small::Two);
  }

  void aReaderOutlivesWhatItWasMadeFrom() {
    auto all = std::make_unique<ParamBinding<BoundParams>>(bound());
    Values values = defaultsBoundIn(*all);
    values["count"] = std::int64_t{3};
    const auto reader = all->reader();
    all.reset();
    QCOMPARE(reader(values).count, std::int64_t{3});
  }

  void refinementsGoToTheParameterThatWasDescribedLast() {
    ParamBinding<BoundParams> all;
    all.integer("count", &BoundParams::count)
        .label("Count")
        .help("How many.")
        .unit("threads")
        .range(1, 64)
        .live()
        .speedOnly();
    all.path("file", &BoundParams::file).data().optional().folder().usedWith("small", {"one"});
    const ParamSpec& count = all.specs()[0];
    QCOMPARE(count.label, std::string("Count"));
    QCOMPARE(count.help, std::string("How many."));
    QCOMPARE(count.allowed(), std::string("1 to 64 threads"));
    QVERIFY(count.live && count.speedOnly && !count.isData && !count.optional && !count.usedWith);
    const ParamSpec& file = all.specs()[1];
    QCOMPARE(file.label, std::string("file"));  // The name, until a label is given.
    QVERIFY(file.isData && file.optional && !file.live && !file.minimum);
    QVERIFY(file.names == DiskName::Folder);
    QCOMPARE(file.usedWith->param, std::string("small"));
    QCOMPARE(file.usedWith->choices, std::vector<std::string>{"one"});
  }

  void pathsNameFilesOrFoldersAndOtherTextsDoNot() {
    const auto all = bound();
    for (const ParamSpec& spec : all.specs()) {
      const bool path = spec.type == ParamType::Path || spec.type == ParamType::PathList;
      QVERIFY((spec.names == DiskName::FileOrFolder) == path);
      QVERIFY(path || spec.names == DiskName::Nothing);
    }
  }

  void aChoiceHasAHelpForEachOfItsValues() {
    const auto all = bound();
    for (const ParamSpec& spec : all.specs()) {
      QCOMPARE(spec.choices.size(), spec.choiceHelps.size());
      QCOMPARE(spec.choices.empty(), spec.type != ParamType::Choice);
    }
    QCOMPARE(all.specs()[8].choiceHelps, (std::vector<std::string>{"First.", "", ""}));
  }
};

}  // namespace millrace

using millrace::TestParamBinding;
MILLRACE_TEST_CASE(TestParamBinding)
#include "tst_param_binding.moc"

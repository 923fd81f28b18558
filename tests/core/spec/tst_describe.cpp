// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/describe.h"

#include "core/spec/catalog.h"
#include "core/spec/catalog_text.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

enum class Taste : std::uint8_t { Sweet, Sour };

struct Params {
  std::int64_t count = 3;
  double share = 0.25;
  bool quick = false;
  std::string note = "none";
  std::string file;
  RealList weights{1, 2};
  TextList names{"a"};
  TextList folders;
  Taste taste = Taste::Sour;
  TextList fields;
  PlaceRequest place = PlaceRequest::Auto;
};

Describe<Params> described(NodeRole role = NodeRole::Sample, Category category = Category::Tensor) {
  Describe<Params> d("stir", category, role);
  d.label("Stir").help("Stirs the pot. Twice.").example(R"({"count": 4})").tags({"kitchen"});
  d.integer("count", &Params::count).range(1, 9).unit("turns").live().help("How often.");
  d.real("share", &Params::share).atMost(1).speedOnly();
  d.boolean("quick", &Params::quick).label("Quick");
  d.text("note", &Params::note).usedWith("quick");
  d.path("file", &Params::file).file().optional();
  d.reals("weights", &Params::weights).atLeast(0);
  d.texts("names", &Params::names);
  d.paths("folders", &Params::folders).folder().data();
  d.choice<Taste>("taste", &Params::taste,
                  {{Taste::Sweet, "sweet", "Like sugar"}, {Taste::Sour, "sour", "Like a|lemon."}});
  d.fields(&Params::fields);
  d.place(&Params::place);
  d.infer([](const Params& p, const StreamType& in, InferContext&) {
    StreamType out = in;
    out.batchSize = p.count;
    return out;
  });
  return d;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestDescribe : public QObject {
  Q_OBJECT
 private slots:
  void defaultsAreTheMembersInitialisers() {
    const Values values = described().take().defaults();
    QVERIFY(values.at("count") == Value{std::int64_t{3}});
    QVERIFY(values.at("share") == Value{0.25});
    QVERIFY(values.at("quick") == Value{false});
    QVERIFY(values.at("note") == Value{std::string("none")});
    QVERIFY(values.at("weights") == (Value{RealList{1, 2}}));
    QVERIFY(values.at("names") == Value{TextList{"a"}});
    QVERIFY(values.at("taste") == Value{std::string("sour")});
    QVERIFY(values.at("place") == Value{std::string("auto")});
    QCOMPARE(values.size(), std::size_t{11});
  }

  void valuesReachTheirMembers() {
    Describe<Params> d = described();
    const auto reader = d.reader();
    Values values = d.take().defaults();
    values["count"] = std::int64_t{7};
    values["share"] = 0.5;
    values["quick"] = true;
    values["note"] = std::string("salt");
    values["file"] = std::string("/a");
    values["weights"] = RealList{};
    values["names"] = TextList{"x", "y"};
    values["folders"] = TextList{"/b"};
    values["taste"] = std::string("sweet");
    values["fields"] = TextList{"image"};
    values["place"] = std::string("gpu");
    const Params params = reader(values);
    QCOMPARE(params.count, std::int64_t{7});
    QCOMPARE(params.share, 0.5);
    QVERIFY(params.quick);
    QCOMPARE(params.note, std::string("salt"));
    QCOMPARE(params.file, std::string("/a"));
    QVERIFY(params.weights.empty());
    QCOMPARE(params.names, (TextList{"x", "y"}));
    QCOMPARE(params.folders, TextList{"/b"});
    QVERIFY(params.taste == Taste::Sweet);
    QCOMPARE(params.fields, TextList{"image"});
    QVERIFY(params.place == PlaceRequest::Gpu);
  }

  void parametersAreAsDescribed() {
    const NodeSpec spec = described().take();
    const ParamSpec& count = *spec.param("count");
    QCOMPARE(*count.minimum, 1.0);
    QCOMPARE(*count.maximum, 9.0);
    QCOMPARE(count.allowed(), std::string("1 to 9 turns"));
    QCOMPARE(count.label, std::string("count"));
    QVERIFY(count.live && !count.speedOnly && !count.isData && !count.optional);
    QVERIFY(spec.param("share")->speedOnly && !spec.param("share")->minimum);
    QCOMPARE(spec.param("quick")->label, std::string("Quick"));
    QCOMPARE(spec.param("note")->usedWith->param, std::string("quick"));
    QVERIFY(spec.param("file")->names == DiskName::File && spec.param("file")->optional);
    QVERIFY(spec.param("folders")->names == DiskName::Folder && spec.param("folders")->isData);
    QVERIFY(spec.param("note")->names == DiskName::Nothing);
    QCOMPARE(spec.param("taste")->choices, (std::vector<std::string>{"sweet", "sour"}));
    QVERIFY(spec.param("fields")->optional);
    QVERIFY(spec.param("absent") == nullptr);
  }

  void hooksSeeTheParams() {
    const NodeSpec spec = described().take();
    Values values = spec.defaults();
    values["count"] = std::int64_t{5};
    Problems problems;
    InferContext context("stir", problems);
    QCOMPARE(spec.infer(values, {}, context).batchSize, std::int64_t{5});
    QVERIFY2(!spec.sample && !spec.source && !spec.workers, "hooks that were not given are empty");
  }

  void severalTargetsShareAText() {
    Describe<Params> d = described();
    d.exporters({"dali", "tfdata"},
                [](const Params& p, const ExportContext&, std::string_view target) {
                  return ExportText().step(std::string(target) + std::to_string(p.count));
                });
    const NodeSpec spec = d.take();
    QCOMPARE(spec.exporters.size(), std::size_t{2});
    QCOMPARE(spec.exporters.at("dali")(spec.defaults(), {}).steps.at(0).code, std::string("dali3"));
    QCOMPARE(spec.exporters.at("tfdata")(spec.defaults(), {}).steps.at(0).code,
             std::string("tfdata3"));
  }

  void sourcesBatchesConsumersAndDecodersCannotBeBypassed() {
    for (const NodeRole role : {NodeRole::Source, NodeRole::Batch, NodeRole::Consumer})
      QVERIFY(!described(role).take().canBypass);
    QVERIFY(!described(NodeRole::Image, Category::Decode).take().canBypass);
    for (const NodeRole role : {NodeRole::Order, NodeRole::Sample, NodeRole::Workers})
      QVERIFY(described(role).take().canBypass);
  }

  void theSideIsAskedForByTheParameterPlace() {
    const NodeSpec spec = described().take();
    Values values = spec.defaults();
    QVERIFY(spec.placeRequest(values) == PlaceRequest::Auto);
    values["place"] = std::string("cpu");
    QVERIFY(spec.placeRequest(values) == PlaceRequest::Cpu);
    values["place"] = std::string("gpu");
    QVERIFY(spec.placeRequest(values) == PlaceRequest::Gpu);
    values.erase("place");
    QVERIFY(spec.placeRequest(values) == PlaceRequest::Auto);
    NodeSpec without;
    QVERIFY(without.placeRequest({{"place", std::string("gpu")}}) == PlaceRequest::Auto);
  }

  void aCatalogFindsItsKindsInTheirOrder() {
    Catalog catalog;
    NodeSpec first = described().take();
    first.kind = "zest";
    catalog.add(first);
    catalog.add(described().take());
    QCOMPARE(catalog.kinds(), (std::vector<std::string>{"zest", "stir"}));
    QCOMPARE(catalog.find("stir"), &catalog.all()[1]);
    QVERIFY(catalog.find("boil") == nullptr);
  }

  void helpShowsEveryParameter() {
    const std::string text = nodeHelpText(described().take());
    for (const char* part :
         {"stir: Stir (tensor)\n\nStirs the pot. Twice.\n",
          "  count (integer, turns); default: 3; 1 to 9 turns\n      How often.\n      Can be "
          "changed during a run.\n",
          "  share (real); default: 0.25; at most 1\n",
          "  note (text); default: none\n      Only used if quick is on.\n",
          "  file (path); default: not set\n",
          "  folders (list of paths); default: required\n      Set by --data.\n",
          "  taste (choice); default: sour\n      sweet: Like sugar\n",
          "Example\n  {\"kind\": \"stir\", \"params\": {\"count\": 4}}\n"})
      QVERIFY2(contains(text, part), (part + std::string(" is not in\n") + text).c_str());
    QVERIFY(!contains(text, "bypassed"));
    QVERIFY(contains(nodeHelpText(described(NodeRole::Source).take()), "Cannot be bypassed."));
  }

  void linesOfHelpHaveAtMost80Columns() {
    NodeSpec spec = described().take();
    // 78 characters in 156 bytes: a second word of one letter fits, a third does not.
    std::string wide;
    for (int i = 0; i < 78; ++i) wide += "\xc3\xa4";
    spec.help = wide + " b c";
    QVERIFY(contains(nodeHelpText(spec), "\n" + wide + " b\nc\n"));
  }

  void thePageOfKindsIsMarkdown() {
    Catalog catalog;
    catalog.add(described().take());
    NodeSpec source = described(NodeRole::Source, Category::Source).take();
    source.kind = "tap";
    source.params.clear();
    catalog.add(source);
    const std::string page = catalogMarkdown(catalog);
    QVERIFY(page.find("## Source\n\n### Stir (`tap`)") <
            page.find("## Tensor\n\n### Stir (`stir`)"));
    for (const char* part :
         {"| `count` | integer, turns | `3` | 1 to 9 turns | How often. Can be changed "
          "during a run. |",
          "| `folders` | list of paths | required |  |  Set by `--data`. |",
          "`sweet`: Like sugar. `sour`: Like a\\|lemon.", "Only used if `quick` is on.",
          "Cannot be bypassed.",
          "```json\n{\"kind\": \"stir\", \"params\": {\"count\": 4}}\n```\n"})
      QVERIFY2(contains(page, part), (part + std::string(" is not in\n") + page).c_str());
    QVERIFY(!contains(page, "## Colour"));
  }

  void theOverviewHasALineForEachKind() {
    Catalog catalog;
    catalog.add(described().take());
    NodeSpec source = described(NodeRole::Source, Category::Source).take();
    source.kind = "long_tap";
    catalog.add(source);
    QCOMPARE(catalogOverviewText(catalog), std::string("Source\n  long_tap  Stirs the pot\n\n"
                                                       "Tensor\n  stir      Stirs the pot\n"));
  }
};

}  // namespace millrace

using millrace::TestDescribe;
MILLRACE_TEST_CASE(TestDescribe)
#include "tst_describe.moc"

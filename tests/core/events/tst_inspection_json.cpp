// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/inspection_json.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

Inspection pictures() {
  Inspection found;
  found.path = "/data/\xfe";
  found.kind = "class folders";
  found.description = "2 class folders, 8 pictures.";
  found.next = "millrace run classification --data pets";
  DataSurvey survey;
  survey.samples = 8;
  survey.samplesRead = 4;
  survey.bytesRead = 4002;
  survey.bytes = 8000;
  survey.bytesEstimated = true;
  survey.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
                   {"pixels", DType::U8, {4, Shape::kUnknown, 3}, Layout::Hwc, Role::Target},
                   {"label", DType::I64, {}, Layout::Plain, Role::Label}};
  survey.classes = {"cats", "n\xf1"};
  survey.perClass = {3, 5};
  PictureSurvey seen;
  seen.seen = 4;
  seen.byLongerSide = {1, 0, 2, 0, 0, 0, 1};
  seen.least = {30, 40};
  seen.most = {3000, 2000};
  seen.formats["JPEG"] = 4;
  survey.pictures["image"] = seen;
  survey.broken = 1;
  survey.brokenSamples = {{"cats/\xff.jpg", "is cut off"}};
  survey.brokenReasons = {{"is cut off", 1}};
  survey.warnings = {"pictures of dogs are small"};
  found.survey = survey;
  Graph graph;
  GraphNode node;
  node.id = "source";
  node.kind = "image_folder";
  graph.nodes.push_back(node);
  found.proposal = graph;
  return found;
}

}  // namespace

class TestInspectionJson : public QObject {
  Q_OBJECT
 private slots:
  void anInspectionComesBackAsItWasWritten() {
    const Inspection found = pictures();
    const auto back = parseInspection(inspectionJson(found));
    QVERIFY(back.has_value() && back->isReadable());
    QCOMPARE(back->path, found.path);
    QCOMPARE(back->kind, found.kind);
    QCOMPARE(back->description, found.description);
    QCOMPARE(back->next, found.next);
    QCOMPARE(back->proposal.value().nodes.front().kind, std::string("image_folder"));
    const DataSurvey& a = *found.survey;
    const DataSurvey& b = *back->survey;
    QCOMPARE(b.samples, a.samples);
    QCOMPARE(b.samplesRead, a.samplesRead);
    QCOMPARE(b.bytesRead, a.bytesRead);
    QCOMPARE(b.bytes, a.bytes);
    QCOMPARE(b.bytesEstimated, a.bytesEstimated);
    QVERIFY(b.classes == a.classes);
    QVERIFY(b.perClass == a.perClass);
    QCOMPARE(b.broken, a.broken);
    QVERIFY(b.brokenSamples == a.brokenSamples);
    QVERIFY(b.brokenReasons == a.brokenReasons);
    QVERIFY(b.warnings == a.warnings);
    QCOMPARE(b.fields.size(), a.fields.size());
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
      QCOMPARE(b.fields[i].text(), a.fields[i].text());
      QVERIFY(b.fields[i].role == a.fields[i].role && b.fields[i].layout == a.fields[i].layout);
    }
    const PictureSurvey& seen = b.pictures.at("image");
    QVERIFY(seen.byLongerSide == a.pictures.at("image").byLongerSide);
    QVERIFY(seen.least == Size({30, 40}) && seen.most == Size({3000, 2000}));
    QCOMPARE(seen.formats.at("JPEG"), std::uint64_t{4});
  }

  void unknownLabelsStayUnknown() {
    Inspection found = pictures();
    found.survey->perClass.clear();
    const auto back = parseInspection(inspectionJson(found));
    QCOMPARE(back->survey->classes.size(), std::size_t{2});
    QVERIFY(back->survey->perClass.empty());
  }

  void dataThatCannotBeReadHasNoSurvey() {
    Inspection found;
    found.path = "/data";
    found.kind = "unknown";
    const auto back = parseInspection(inspectionJson(found));
    QVERIFY(back.has_value());
    QVERIFY(!back->isReadable() && !back->proposal);
    QCOMPARE(back->kind, std::string("unknown"));
  }

  void hostileTextIsBounded() {
    QVERIFY(!parseInspection("").has_value());
    QVERIFY(!parseInspection("[1]").has_value());
    const auto back = parseInspection(
        R"({"readable": true, "samples": 99999999999, "bytes_per_sample": 1e300, "classes": [1],
            "fields": [{"shape": [1,2,3,4,5,6,7,8,9], "type": "u128"}], "pictures": {"a": []},
            "broken": 3, "proposal": {"nodes": 1}})");
    QVERIFY(back.has_value() && back->survey.has_value());
    QCOMPARE(back->survey->samples, UINT32_MAX);
    QCOMPARE(back->survey->fields.front().shape.rank(), Shape::kMaxRank);
    QVERIFY(!back->proposal.has_value());
  }

  void binsHaveTheNamesOfTheirEdges() {
    QCOMPARE(longerSideName(0), std::string("below 64"));
    QCOMPARE(longerSideName(1), std::string("64 to 127"));
    QCOMPARE(longerSideName(6), std::string("2048 or more"));
  }
};

}  // namespace millrace

using millrace::TestInspectionJson;
MILLRACE_TEST_CASE(TestInspectionJson)
#include "tst_inspection_json.moc"

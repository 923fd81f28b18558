// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/sample_comparison.h"

#include <random>

#include "core/inspect/report/data_report.h"
#include "tests/core/inspect/listed_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::ListedSource;

SampleRecord picture(std::uint64_t content, std::uint64_t look, std::int32_t label = -1) {
  SampleRecord record;
  record.examined = 1;
  record.content = content;
  record.look = look;
  record.hasLook = 1;
  record.width = 400;
  record.height = 300;
  record.label = label;
  record.colour = {100, 110, 120};
  return record;
}

ExaminedSet setOf(const std::string& name, std::vector<SampleRecord> records) {
  auto source = std::make_shared<ListedSource>();
  source->entries.resize(records.size());
  ExaminedSet set;
  set.name = name;
  set.source = std::move(source);
  set.classes = {"cat", "dog"};
  set.examined = static_cast<std::uint32_t>(records.size());
  for (const SampleRecord& record : records) set.records.append(record);
  return set;
}

template <class... Sets>
std::vector<ExaminedSet> together(Sets... sets) {
  std::vector<ExaminedSet> all;
  (all.push_back(std::move(sets)), ...);
  return all;
}

/// "train/s2=train/s0 val/s0=train/s0".
std::string text(const std::vector<ExaminedSet>& sets, Finding finding) {
  std::string all;
  const FoundSamples samples = findSamples(sets);
  samples[finding].forEach([&](const FoundSample& found) {
    const ReportedSample sample = reported(sets, found);
    all += (all.empty() ? "" : " ") + sample.set + "/" + sample.name;
    if (!sample.like.empty()) all += "=" + sample.likeSet + "/" + sample.like;
  });
  return all;
}

}  // namespace

class TestSampleComparison : public QObject {
  Q_OBJECT
 private slots:
  void copiesAreFoundWithinASetAndBetweenSets() {
    const std::vector<ExaminedSet> sets =
        together(setOf("train", {picture(1, 10), picture(2, 0xff00), picture(1, 10)}),
                 setOf("val", {picture(1, 10), picture(3, 0xff00ff00), picture(3, 0xff00ff00)}));
    QCOMPARE(text(sets, Finding::Duplicate), std::string("train/s2=train/s0 val/s2=val/s1"));
    QCOMPARE(text(sets, Finding::Shared), std::string("val/s0=train/s0"));
    QCOMPARE(text(sets, Finding::NearDuplicate), std::string());
    QCOMPARE(text(sets, Finding::Conflict), std::string());
  }

  void copiesInTwoClassesAreAConflictOfBoth() {
    const std::vector<ExaminedSet> sets =
        together(setOf("train", {picture(1, 10, 0), picture(1, 10, 1), picture(1, 10, 0)}));
    QCOMPARE(text(sets, Finding::Conflict),
             std::string("train/s0=train/s1 train/s1=train/s0 train/s2=train/s1"));
  }

  void picturesThatLookAlikeAreFoundOnce() {
    const std::vector<ExaminedSet> sets = together(
        setOf("train", {picture(1, 0b0000), picture(2, 0b0111), picture(3, 0b1111'0000'1111)}),
        setOf("val", {picture(4, 0b0001)}));
    QCOMPARE(text(sets, Finding::NearDuplicate), std::string("train/s1=train/s0"));
    QCOMPARE(text(sets, Finding::NearShared), std::string("val/s0=train/s0"));
  }

  void equalHashesOfOtherColoursOrProportionsAreNotAlike() {
    SampleRecord red = picture(2, 5);
    red.colour[0] = 200;
    SampleRecord wide = picture(3, 5);
    wide.width = 900;
    const std::vector<ExaminedSet> sets = together(setOf("x", {picture(1, 5), red, wide}));
    QCOMPARE(text(sets, Finding::NearDuplicate), std::string());
  }

  void flatPicturesAreNotAlike() {
    SampleRecord flat = picture(1, 0);
    flat.hasLook = 0;
    SampleRecord other = flat;
    other.content = 2;
    QCOMPARE(text(together(setOf("x", {flat, other})), Finding::NearDuplicate), std::string());
  }

  void brokenSamplesAreNotCopies() {
    SampleRecord broken = picture(1, 0);
    broken.add(Finding::Broken);
    const std::vector<ExaminedSet> sets = together(setOf("x", {broken, broken}));
    QCOMPARE(text(sets, Finding::Duplicate), std::string());
    QCOMPARE(text(sets, Finding::Broken), std::string("x/s0 x/s1"));
  }

  void manyEqualHashesTakeLinearTime() {
    std::vector<SampleRecord> records;
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      records.push_back(picture(i + 1, 0));
      records.back().colour[0] = static_cast<std::uint8_t>(i % 256);
    }
    const std::vector<ExaminedSet> sets = together(setOf("x", std::move(records)));
    const FoundSamples found = findSamples(sets);
    QVERIFY(found.allNear);
    QVERIFY(found[Finding::NearDuplicate].size() > 99'000);
  }

  void moreSamplesThanAreKeptInMemoryAreComparedToo() {
    // 60 000 pictures, of which each third is a copy of another class and each fifth looks alike.
    constexpr std::uint64_t kCount = 60'000;
    std::mt19937_64 random(9);
    std::vector<SampleRecord> records;
    std::size_t copies = 0;
    std::size_t alike = 0;
    for (std::uint64_t i = 0; i < kCount; ++i) {
      records.push_back(picture(i + 1, random(), 0));
      if (i % 3 == 2) {
        records.back() = records[i - 1];
        records.back().label = 1;
        ++copies;
      } else if (i % 5 == 4) {
        records.back().look = records[i - 4].look ^ 0b101;
        ++alike;
      }
    }
    const std::vector<ExaminedSet> sets = together(setOf("x", std::move(records)));
    QVERIFY(sets[0].records.size() * sizeof(SampleRecord) > 3 * SpilledBytes::kInMemory);
    const FoundSamples found = findSamples(sets);
    QVERIFY(found.allNear);
    QCOMPARE(found[Finding::Duplicate].size(), copies);
    QCOMPARE(found[Finding::Conflict].size(), 2 * copies);
    QCOMPARE(found[Finding::NearDuplicate].size(), alike);
    std::uint32_t before = 0;
    found[Finding::Duplicate].forEach([&](const FoundSample& one) {
      QVERIFY(one.sample.index > before && one.like->index == one.sample.index - 1);
      before = one.sample.index;
    });
  }

  void aSearchThatLeavesSamplesOutSaysSo() {
    std::vector<SampleRecord> records;
    for (std::uint64_t i = 0; i < 100; ++i) {
      records.push_back(picture(i + 1, 0));
      records.back().colour[0] = static_cast<std::uint8_t>(i % 10 * 25);
      records.back().colour[1] = static_cast<std::uint8_t>(i / 10 * 25);
    }
    QVERIFY(!findSamples(together(setOf("x", records))).allNear);
    records.resize(20);
    QVERIFY(findSamples(together(setOf("x", records))).allNear);
  }

  void aReportCountsAndNamesFindings() {
    SampleRecord small = picture(2, 0xff00, 0);
    small.add(Finding::Tiny);
    std::vector<ExaminedSet> sets =
        together(setOf("train", {picture(1, 10, 0), picture(1, 10, 0), small}));
    sets[0].reasons[2] = "16x16";
    const FoundSamples found = findSamples(sets);
    const DataReport report = makeDataReport(sets, found, 1);
    QCOMPARE(report.findings.size(), std::size_t{2});
    QVERIFY(report.findings[0].finding == Finding::Tiny);
    QCOMPARE(report.findings[0].samples.front().reason, std::string("16x16"));
    QCOMPARE(report.findings[1].count, std::uint64_t{1});
    const SetReport& set = report.sets.front();
    QVERIFY(set.perClass == std::vector<std::uint64_t>({3, 0}));
    QVERIFY(set.width.least == 400 && set.height.most == 300 && set.pictures == 3);
    QCOMPARE(set.proportions.at("4:3"), std::uint64_t{3});
    QVERIFY2(report.notes.front().find("`dog`") != std::string::npos, report.notes.front().c_str());
  }

  void meanAndDeviationAreThoseOfPicturesOfEqualWeight() {
    ExaminedSet set = setOf("x", {picture(1, 1), picture(2, 2)});
    set.sums.pictures = 2;
    set.sums.channels = 1;
    set.sums.mean[0] = 0.2 + 0.6;
    set.sums.meanSquare[0] = 0.2 * 0.2 + 0.6 * 0.6;
    const std::vector<ExaminedSet> sets = together(std::move(set));
    const SetReport report = makeDataReport(sets, findSamples(sets), 1).sets.front();
    QVERIFY(std::abs(report.mean.at(0) - 0.4) < 1e-12);
    QVERIFY(std::abs(report.deviation.at(0) - 0.2) < 1e-12);
  }

  void proportionsHaveTheNameOfTheNearest() {
    QVERIFY(kProportionNames[proportionsOf(500, 500)] == "1:1");
    QVERIFY(kProportionNames[proportionsOf(640, 480)] == "4:3");
    QVERIFY(kProportionNames[proportionsOf(480, 640)] == "3:4");
    QVERIFY(kProportionNames[proportionsOf(1920, 1080)] == "16:9");
    QVERIFY(kProportionNames[proportionsOf(10, 1)] == "2:1 and wider");
  }

  void aReportWithoutFindingsSaysWhatWasLookedFor() {
    DataReport report;
    SetReport& set = report.sets.emplace_back();
    QVERIFY(withoutFindingsText(report).find("There are no pictures") != std::string::npos);
    set.pictures = 1;
    QVERIFY(withoutFindingsText(report).find("nearly uniform or tiny") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestSampleComparison;
MILLRACE_TEST_CASE(TestSampleComparison)
#include "tst_sample_comparison.moc"

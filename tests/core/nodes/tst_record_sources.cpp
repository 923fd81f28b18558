// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Sources that read containers of records, and the parsers of their records.
#include <algorithm>
#include <cstring>

#include "core/measure/data_facts.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/real_data.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesFeature;
using tests::example;
using tests::fieldsOf;
using tests::intFeature;
using tests::kJpeg;
using tests::Opened;
using tests::openSource;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using tests::tfRecord;
using tests::warns;
using Texts = std::vector<std::string>;

std::string labelled(std::int64_t label) {
  return tfRecord(
      example(bytesFeature("image/encoded", {kJpeg}) + intFeature("image/class/label", {label})));
}

}  // namespace

class TestRecordSources : public QObject {
  Q_OBJECT
 private slots:
  void tfrecordMakesFieldsOfExamples() {
    const TemporaryFolder folder;
    folder.write("train-00000-of-00002", labelled(1) + labelled(2));
    folder.write("train-00001-of-00002", labelled(3));
    const auto source = openSource(
        "tfrecord", {{"paths", TextList{"train-{00000..00001}-of-00002"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 3U);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    QCOMPARE(sampleText(**source, 1), "train-00000-of-00002#1: " + kJpeg + "|2");
    QCOMPARE(sampleText(**source, 2), "train-00001-of-00002#0: " + kJpeg + "|3");
    QCOMPARE((*source)->file(2), (folder.path() / "train-00001-of-00002").native());
    QVERIFY((*source)->warnings().empty());
  }

  void tfrecordTakesAFolderOfThem() {
    const TemporaryFolder folder;
    folder.write("b/2.tfrecord", tfRecord("two"));
    folder.write("1.tfrecord", tfRecord("one"));
    folder.write("README.md", "not a record");
    const auto source = openSource("tfrecord", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), Texts{"record encoded"});
    QCOMPARE(sampleText(**source, 0), std::string("1.tfrecord#0: one"));
    QCOMPARE(sampleText(**source, 1), std::string("2.tfrecord#0: two"));
    folder.makeFolder("empty");
    folder.write("other/x.txt");
    QVERIFY(says(openSource("tfrecord", {{"paths", TextList{folder.path() / "other"}}}),
                 "give the files themselves"));
  }

  void theBytesOfAFileOfManyRecordsCountOnce() {
    const TemporaryFolder folder;
    const std::string first = tfRecord("one") + tfRecord("two") + tfRecord("three");
    folder.write("1.tfrecord", first);
    folder.write("2.tfrecord", tfRecord("four"));
    auto source = openSource("tfrecord", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    FingerprintJob job(source.take());
    const Facts facts = job.take();
    QCOMPARE(facts.size(), std::size_t{1});
    const std::string end = "-4-" + std::to_string(first.size() + tfRecord("four").size());
    QVERIFY2(facts[0].second.ends_with(end), facts[0].second.c_str());
  }

  void tfrecordTakesTheKeysThatItIsTold() {
    const TemporaryFolder folder;
    folder.write("a.tfrecord", labelled(5));
    const Values values{{"paths", TextList{"a.tfrecord"}},
                        {"keys", TextList{"class=image/class/label:label"}}};
    const auto source = openSource("tfrecord", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), Texts{"class i64 scalar"});
    QCOMPARE(sampleText(**source, 0), std::string("a.tfrecord#0: 5"));
    const Values wrong{{"paths", TextList{"a.tfrecord"}}, {"keys", TextList{"label=missing"}}};
    QVERIFY(says(openSource("tfrecord", wrong, folder.path()), "`image/class/label`"));
    const Values bytes{{"paths", TextList{"a.tfrecord"}}, {"content", std::string("bytes")}};
    QCOMPARE(fieldsOf(**openSource("tfrecord", bytes, folder.path())), Texts{"record encoded"});
  }

  void tfrecordNamesDamage() {
    const TemporaryFolder folder;
    folder.write("a.tfrecord", labelled(1) + "XXX" + labelled(2));
    const auto source = openSource("tfrecord", {{"paths", TextList{"a.tfrecord"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2U);
    QCOMPARE((*source)->warnings().size(), std::size_t{1});
    QVERIFY((*source)->warnings()[0].starts_with("a.tfrecord: no record header at byte "));
    folder.write("b.tfrecord", "neither this");
    QVERIFY(says(openSource("tfrecord", {{"paths", TextList{"b.tfrecord"}}}, folder.path()),
                 "no TFRecord record in"));
    QVERIFY(says(openSource("tfrecord", {{"paths", TextList{"c.tfrecord"}}}, folder.path()),
                 "no such file"));
    folder.write("text.tfrecord", tfRecord("no example"));
    const Values wanted{{"paths", TextList{"text.tfrecord"}}, {"content", std::string("examples")}};
    QVERIFY(says(openSource("tfrecord", wanted, folder.path()), "is a tf.train.Example"));
  }

  void oneSequenceAmongExamplesFailsAlone() {
    const TemporaryFolder folder;
    const std::string list = tests::protoField(2, tests::protoField(1, tests::protoField(1, "t")));
    folder.write("a.tfrecord", labelled(1) + tfRecord(list) + labelled(2) + labelled(3));
    const auto source = openSource("tfrecord", {{"paths", TextList{"a.tfrecord"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 4U);
    QCOMPARE((*source)->warnings().front(),
             std::string("1 of the 4 records examined is not a tf.train.Example and will fail; "
                         "first: a.tfrecord#1; it is a tf.train.SequenceExample, which is not "
                         "read"));
    folder.write("b.tfrecord", tfRecord(list) + tfRecord(list) + labelled(2));
    QVERIFY(says(openSource("tfrecord", {{"paths", TextList{"b.tfrecord"}}}, folder.path()),
                 "2 of 3 records examined are tf.train.SequenceExample"));
  }

  void webdatasetNamesTheDamageOfAShardWithoutSamples() {
    const TemporaryFolder folder;
    const Values values{{"paths", TextList{"s.tar"}}};
    folder.write("s.tar", tests::tarMember("a.jpg", std::string(900, 'x')).substr(0, 700));
    QVERIFY(says(openSource("webdataset", values, folder.path()),
                 "it has no complete sample: ends within a.jpg at byte 0: 188 of its 900 bytes"));
    folder.write("s.tar", tests::tarMember("plain", "x") + tests::tarEnd());
    QVERIFY(says(openSource("webdataset", values, folder.path()),
                 "it is not a tar archive of samples: it has no file with a name like"));
    folder.write("s.tar", tests::tarMember("a.jpg", kJpeg) + tests::tarEnd());
    folder.write("t.tar", "");
    const Values both{{"paths", TextList{"s.tar", "t.tar"}}};
    const auto source = openSource("webdataset", both, folder.path());
    VERIFY_OK(source);
    const Texts warnings = (*source)->warnings();
    QVERIFY(std::ranges::find(warnings, "`t.tar` is empty") != warnings.end());
  }

  void webdatasetTakesAPictureOfAnotherNameAsTheImage() {
    const TemporaryFolder folder;
    std::string shard;
    for (const char* key : {"a", "b"})
      for (const char* part : {".left.jpg", ".right.jpg", ".seg.png"})
        shard += tests::tarMember(std::string(key) + part, kJpeg);
    folder.write("s.tar", shard + tests::tarEnd());
    const Values values{{"paths", TextList{"s.tar"}}};
    const auto source = openSource("webdataset", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "mask encoded"}));
    QVERIFY((*source)->fields().front().role == Role::Image);
  }

  void webdatasetMakesSamplesOfParts() {
    const TemporaryFolder folder;
    folder.write("s-0.tar",
                 tests::tarMember("a/000.jpg", kJpeg) + tests::tarMember("a/000.cls", "7\n") +
                     tests::tarMember("a/000.json", "{}") + tests::tarMember("a/001.jpg", "J") +
                     tests::tarMember("a/001.cls", "x") + tests::tarEnd());
    folder.write("s-1.tar", tests::tarMember("b.jpg", "K") + tests::tarEnd());
    const Values values{{"paths", TextList{"s-{0..1}.tar"}}};
    const auto source = openSource("webdataset", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    QCOMPARE((*source)->size(), 3U);
    QCOMPARE(sampleText(**source, 0), "s-0.tar#a/000: " + kJpeg + "|7");
    QCOMPARE(sampleText(**source, 1),
             std::string("s-0.tar#a/001: error: part cls: `x` is not a number"));
    QCOMPARE(sampleText(**source, 2), std::string("s-1.tar#b: error: it has no part cls"));
    QCOMPARE((*source)->warnings(),
             (Texts{"unused parts: json (2 bytes); select them with `parts`",
                    "s-1.tar: 1 of 1 samples has no part cls and will fail; first: b"}));
    const Values asked{{"paths", TextList{"s-0.tar"}}, {"parts", TextList{"meta=json"}}};
    QCOMPARE(sampleText(**openSource("webdataset", asked, folder.path()), 0),
             std::string("s-0.tar#a/000: {}"));
    const Values wrong{{"paths", TextList{"s-0.tar"}}, {"parts", TextList{"mask=seg.png"}}};
    QVERIFY(says(openSource("webdataset", wrong, folder.path()), "the first ones have cls"));
    folder.write("no.tar", "not a tar");
    QVERIFY(says(openSource("webdataset", {{"paths", TextList{"no.tar"}}}, folder.path()),
                 "is not a tar archive of samples"));
  }

  void webdatasetFindsTheClassInJson_data() {
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<QString>("numbers");
    QTest::newRow("names") << "class" << "\"owl\"" << "\"cat\"" << "1 0";
    QTest::newRow("numbers") << "label" << "7" << "3.0" << "7 3";
    QTest::newRow("numbers as texts") << "cls" << "\"7\"" << "\"3\"" << "7 3";
    QTest::newRow("truth values") << "target" << "true" << "false" << "1 0";
  }

  void webdatasetFindsTheClassInJson() {
    QFETCH(QString, member);
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(QString, numbers);
    const TemporaryFolder folder;
    std::string shard;
    for (int i = 0; i < 8; ++i) {
      const std::string name = std::to_string(i);
      shard += tests::tarMember(name + ".jpg", kJpeg);
      const QString json = QString(R"({"caption": "the %1th", "%2": %3})")
                               .arg(QString::number(i), member, i % 2 == 0 ? first : second);
      shard += tests::tarMember(name + ".json", json.toStdString());
    }
    folder.write("s.tar", shard + tests::tarEnd());
    const auto source = openSource("webdataset", {{"paths", TextList{"s.tar"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->fields().size(), 2U);
    QVERIFY((*source)->fields().back().role == Role::Label);
    const QStringList wanted = numbers.split(' ');
    QCOMPARE(sampleText(**source, 0), "s.tar#0: " + kJpeg + "|" + wanted[0].toStdString());
    QCOMPARE(sampleText(**source, 1), "s.tar#1: " + kJpeg + "|" + wanted[1].toStdString());
    const std::string note = "label is the member `" + member.toStdString() +
                             "` of part json; select others with `parts`";
    const Texts notes = (*source)->warnings();
    QVERIFY(std::ranges::find(notes, note) != notes.end());
  }

  void webdatasetReadsTheMembersThatAreAskedFor() {
    const TemporaryFolder folder;
    folder.write("s.tar",
                 tests::tarMember("a.jpg", kJpeg) +
                     tests::tarMember("a.json", R"({"of": {"kind": 4, "age": 1.5}, "x": "t"})") +
                     tests::tarMember("b.jpg", kJpeg) +
                     tests::tarMember("b.json", R"({"of": {"age": 2}, "x": null})") +
                     tests::tarMember("c.jpg", kJpeg) + tests::tarMember("c.json", "{") +
                     tests::tarEnd());
    const Values values{
        {"paths", TextList{"s.tar"}},
        {"parts", TextList{"label=json/of/kind", "age=json/of/age:f64:scalar", "x=json/x"}}};
    const auto source = openSource("webdataset", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE(sampleText(**source, 0), std::string("s.tar#a: 4|1.500000|t"));
    QCOMPARE(sampleText(**source, 1),
             std::string("s.tar#b: error: part json/of/kind: it has no member `of/kind`; it has "
                         "age"));
    QCOMPARE(sampleText(**source, 2),
             std::string("s.tar#c: error: part json/of/kind: it is not valid JSON"));
    const Values ofNull{{"paths", TextList{"s.tar"}}, {"parts", TextList{"x=json/x"}}};
    QCOMPARE(sampleText(**openSource("webdataset", ofNull, folder.path()), 1),
             std::string("s.tar#b: error: part json/x: its member `x` is null"));
  }

  void nestedValuesInJsonAreNoClasses() {
    const TemporaryFolder folder;
    const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
    folder.write("s.tar", tests::tarMember("a.jpg", kJpeg) +
                              tests::tarMember("a.json", R"({"label": )" + deep + "}") +
                              tests::tarEnd());
    const auto found = openSource("webdataset", {{"paths", TextList{"s.tar"}}}, folder.path());
    VERIFY_OK(found);
    QCOMPARE(fieldsOf(**found), (Texts{"image encoded"}));
    const Values asked{{"paths", TextList{"s.tar"}}, {"parts", TextList{"label=json/label"}}};
    QCOMPARE(sampleText(**openSource("webdataset", asked, folder.path()), 0),
             std::string("s.tar#a: error: part json/label: its member `label` is neither a text, a "
                         "number nor a list of such"));
  }

  void captionsInJsonAreNoClasses() {
    const TemporaryFolder folder;
    std::string shard;
    for (const char* name : {"a", "b", "c", "d"})
      shard += tests::tarMember(std::string(name) + ".jpg", kJpeg) +
               tests::tarMember(std::string(name) + ".json",
                                std::string(R"({"label": "a photo of )") + name + "\"}");
    folder.write("s.tar", shard + tests::tarEnd());
    const auto source = openSource("webdataset", {{"paths", TextList{"s.tar"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded"}));
  }

  void numpyReadsRowsOfSeveralFiles() {
    const TemporaryFolder folder;
    const auto eight = [](int value) {
      return tests::littleEndian(static_cast<unsigned>(value), 8);
    };
    folder.write("x0.npy", tests::npyBytes("'|u1'", "(2, 3)", "abcdef"));
    folder.write("x1.npy", tests::npyBytes("'|u1'", "(1, 3)", "ghi"));
    folder.write("y.npy", tests::npyBytes("'<i4'", "(3,)", eight(5) + tests::fourBytes(7)));
    const Values values{{"paths", TextList{"x{0..1}.npy"}}, {"labels", std::string("y.npy")}};
    const auto source = openSource("numpy", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"features u8 3", "label i64 scalar"}));
    QCOMPARE(sampleText(**source, 0), std::string("x0.npy#0: abc|5"));
    QCOMPARE(sampleText(**source, 1), std::string("x0.npy#1: def|0"));
    QCOMPARE(sampleText(**source, 2), std::string("x1.npy#0: ghi|7"));
    folder.write("x1.npy", tests::npyBytes("'|i1'", "(1, 3)", "ghi"));
    QVERIFY(says(openSource("numpy", values, folder.path()), "those of the first file are u8 3"));
    const Values few{{"paths", TextList{"x0.npy"}}, {"labels", std::string("y.npy")}};
    QVERIFY(says(openSource("numpy", few, folder.path()), "there are 3 labels but 2 samples"));
  }

  void numpyMakesFieldsOfMembersAndKnowsPictures() {
    const TemporaryFolder folder;
    folder.write("a.npz", tests::zipBytes(
                              {{"x.npy", tests::npyBytes("'|u1'", "(2, 1, 2, 3)", "abcdefghijkl")},
                               {"y.npy", tests::npyBytes("'|u1'", "(2,)", "\x03\x04")},
                               {"w.npy", tests::npyBytes("'<f4'", "(2, 1)", "12345678")}}));
    const auto source = openSource("numpy", {{"paths", TextList{"a.npz"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"x u8 1x2x3 hwc", "label i64 scalar", "w f32 1"}));
    QCOMPARE((*source)->fields()[0].role, Role::Image);
    QCOMPARE(sampleText(**source, 1), std::string("a.npz#1: ghijkl|4|5678"));
  }

  void numpyReadsTwoAxesAsGreyPictures() {
    const TemporaryFolder folder;
    const std::string pixels(128, 'p');
    folder.write("x.npy", tests::npyBytes("'|u1'", "(2, 8, 8)", pixels));
    Values values{{"paths", TextList{"x.npy"}}};
    const auto fields = [&]() -> Texts {
      const auto source = openSource("numpy", values, folder.path());
      return source ? fieldsOf(**source) : Texts{source.error().message};
    };
    QCOMPARE(fields(), Texts{"image u8 8x8x1 hwc"});
    values["content"] = std::string("features");
    QCOMPARE(fields(), Texts{"features u8 8x8"});
    folder.write("x.npy", tests::npyBytes("'<f4'", "(8, 2, 2)", pixels));
    values["content"] = std::string("auto");
    QCOMPARE(fields(), Texts{"features f32 2x2"});
    values["content"] = std::string("image_grey");
    QCOMPARE(fields(), Texts{"image f32 2x2x1 hwc"});
  }

  void numpyLeavesOutTheArraysOfOtherSplits() {
    const TemporaryFolder folder;
    const std::string four = tests::npyBytes("'|u1'", "(4,)", "\x01\x02\x03\x04");
    const std::string two = tests::npyBytes("'|u1'", "(2,)", "\x03\x04");
    folder.write("mnist.npz", tests::zipBytes({{"x_test.npy", two},
                                               {"x_train.npy", four},
                                               {"y_train.npy", four},
                                               {"y_test.npy", two}}));
    const auto source = openSource("numpy", {{"paths", TextList{"mnist.npz"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 4U);
    QCOMPARE(fieldsOf(**source), (Texts{"x_train u8 scalar", "label i64 scalar"}));
    QVERIFY(warns(**source, "mnist.npz: `x_test` and `y_test` are left out, as another split"));
    folder.write("odd.npz", tests::zipBytes({{"a.npy", two}, {"b.npy", four}}));
    QVERIFY(says(openSource("numpy", {{"paths", TextList{"odd.npz"}}}, folder.path()),
                 "`a` has 2 samples, but `b` has 4"));
  }

  void numpyLeavesOutTheTwinsOfTrainingArrays() {
    const TemporaryFolder folder;
    const std::string two = tests::npyBytes("'|u1'", "(2,)", "\x03\x04");
    folder.write("same.npz", tests::zipBytes({{"x_train.npy", two},
                                              {"y_train.npy", two},
                                              {"x_test.npy", two},
                                              {"y_test.npy", two},
                                              {"test_score.npy", two}}));
    const auto source = openSource("numpy", {{"paths", TextList{"same.npz"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source),
             (Texts{"x_train u8 scalar", "label i64 scalar", "test_score u8 scalar"}));
    QVERIFY(warns(**source, "same.npz: `x_test` and `y_test` are left out, as another split"));
  }

  void numpyNotesFilesOfOnePicture() {
    const TemporaryFolder folder;
    const std::string pixels(8 * 9 * 3, 'p');
    for (const char* name : {"a.npy", "b.npy"})
      folder.write(name, tests::npyBytes("'|u1'", "(8, 9, 3)", pixels));
    const auto source = openSource("numpy", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QVERIFY(warns(**source, "each file of 8x9x3 numbers looks like one picture"));
  }

  void exampleParseStandsBehindABatchOrBeforeIt() {
    const std::string record = example(bytesFeature("d", {"\1\2\3\4"}) + intFeature("s", {9}));
    tests::NodeChain chain({{"record", DType::Encoded, {Shape::kUnknown}, Layout::Plain},
                            {"extra", DType::I64, {}, Layout::Plain}});
    chain.add("example_parse", {{"keys", TextList{"board=d:u8:2x2", "score=s:i64:scalar"}}});
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(chain.out().fields.size(), std::size_t{3});
    QCOMPARE(chain.out().fields[2].name, std::string("extra"));
    Sample sample(3);
    std::int64_t extra = 77;
    const auto bytes = std::as_bytes(std::span(record));
    sample.borrow(0, {DType::Encoded,
                      Layout::Plain,
                      {static_cast<std::int64_t>(bytes.size())},
                      const_cast<std::byte*>(bytes.data()),
                      bytes.size()});
    sample.borrow(1, {DType::I64, Layout::Plain, {}, reinterpret_cast<std::byte*>(&extra), 8});
    VERIFY_OK(chain.run(sample));
    QCOMPARE(tests::bytesOf(sample[0]), (std::vector<std::uint8_t>{1, 2, 3, 4}));
    QCOMPARE(sample[0].shape, (Shape{2, 2}));
    QCOMPARE(*sample[1].as<std::int64_t>(), std::int64_t{9});
    QCOMPARE(*sample[2].as<std::int64_t>(), std::int64_t{77});
  }

  void exampleParseReportsWhatItCannotDo() {
    Problems problems;
    StreamType in;
    in.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image}};
    tests::inferNode("example_parse", {}, in, problems);
    QVERIFY(problems.anyError());
    Problems untyped;
    in.fields.front().name = "record";
    tests::inferNode("example_parse", {{"keys", TextList{"x=y"}}}, in, untyped);
    QVERIFY(untyped.anyError() && untyped.all()[0].text().find("no type") != std::string::npos);
  }

  void tfrecordReadsFilesThatOthersWrote() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    const auto path = *data / "containers/tfrecord_cow/data/test.record";
    const auto source = openSource("tfrecord", {{"paths", TextList{path}}});
    VERIFY_OK(source);
    QVERIFY((*source)->size() > 0);
    QCOMPARE(fieldsOf(**source)[0], std::string("image encoded"));
    for (std::uint32_t i = 0; i < (*source)->size(); ++i)
      QVERIFY(sampleText(**source, i).find(": \xff\xd8\xff") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestRecordSources;
MILLRACE_TEST_CASE(TestRecordSources)
#include "tst_record_sources.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_lines.h"

#include "core/own_loader/loader_run.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestLoaderLines : public QObject {
  Q_OBJECT
 private slots:
  void batchesAreRead() {
    const auto line = parseLoaderLine(R"(["b",2000000000,3,96,5000,40,[7,8]])");
    const auto* batches = line ? std::get_if<LoaderBatches>(&*line) : nullptr;
    QVERIFY(batches != nullptr);
    QCOMPARE(toSeconds(batches->at.time_since_epoch()), 2.0);
    QCOMPARE(batches->batches, std::uint64_t{3});
    QCOMPARE(batches->samples, std::uint64_t{96});
    QCOMPARE(batches->waitNs, std::uint64_t{5000});
    QCOMPARE(batches->stepNs, std::uint64_t{40});
    QCOMPARE(batches->waits, (std::vector<std::uint64_t>{7, 8}));
  }

  void otherLinesAreNone_data() {
    QTest::addColumn<QByteArray>("line");
    for (const char* line :
         {"", "hello", "{", "[]", "3", "null", "{}", R"({"event": 3})", R"({"event": "later"})",
          R"(["b"])", R"(["b",1,2,3,4,5])", R"(["b",1,2,3,4,5,6])", R"(["b",-1,2,3,4,5,[]])",
          R"(["b","1",2,3,4,5,[]])", R"(["c",1,2,3,4,5,[]])", "\xff\xfe"})
      QTest::newRow(line) << QByteArray(line);
  }
  void otherLinesAreNone() {
    QFETCH(QByteArray, line);
    QVERIFY(!parseLoaderLine(line.toStdString()));
  }

  void whatIsMissingOrOfAnotherTypeIsEmpty() {
    const auto line =
        parseLoaderLine(R"({"event": "ready", "what": 3, "versions": {"python": 3}})");
    const auto* ready = line ? std::get_if<LoaderReady>(&*line) : nullptr;
    QVERIFY(ready != nullptr);
    QVERIFY(ready->what.empty() && ready->versions.empty());
    const auto failed = parseLoaderLine(R"({"event": "error", "frames": [3, {"line": "x"}]})");
    const auto* trouble = failed ? std::get_if<PythonTrouble>(&*failed) : nullptr;
    QVERIFY(trouble != nullptr);
    QCOMPARE(trouble->frames.size(), std::size_t{1});
    QCOMPARE(trouble->frames[0].line, std::int64_t{0});
  }

  void theStepsInsideAndTheirTimesAreRead() {
    const auto line = parseLoaderLine(
        R"({"event": "first", "item": "x", "samples": 4, "rule": "", "steps": ["a", 3, "b"]})");
    const auto* first = line ? std::get_if<LoaderFirst>(&*line) : nullptr;
    QVERIFY(first != nullptr);
    QCOMPARE(first->steps, (std::vector<std::string>{"a", "b"}));
    const auto told = parseLoaderLine(
        R"({"event": "times", "timed": 3, "starts": 2, "start_ns": 70,
            "queue_looks": 9, "queue_empty": 4,
            "steps": [["a", 500], ["b"], ["c", -1], ["d", 7]]})");
    const auto* times = told ? std::get_if<LoaderTimes>(&*told) : nullptr;
    QVERIFY(times != nullptr);
    QCOMPARE(times->timed, std::uint64_t{3});
    QCOMPARE(times->starts, std::uint64_t{2});
    QCOMPARE(times->startNs, std::uint64_t{70});
    QCOMPARE(times->queueLooks, std::uint64_t{9});
    QCOMPARE(times->queueEmpty, std::uint64_t{4});
    QCOMPARE(times->steps,
             (std::vector<std::pair<std::string, std::uint64_t>>{{"a", 500}, {"d", 7}}));
  }

  void theNodesAreTheStepsInsideOrTheFetch() {
    OwnLoader loader;
    QCOMPARE(nodesOf(loader, {}).ids, (std::vector<std::string>{"fetch"}));
    loader.stepSeconds = 0.1;
    QCOMPARE(nodesOf(loader, {}).ids, (std::vector<std::string>{"fetch", "step"}));
    const LoaderNodes nodes = nodesOf(loader, {"", 0, "", {"decode", "other code"}});
    QCOMPARE(nodes.ids, (std::vector<std::string>{"decode", "other code", "step"}));
    QCOMPARE(nodes.inside, std::size_t{2});
  }

  void troubleIsASentenceWithTheUsersFrames() {
    PythonTrouble trouble{"batch",
                          "ValueError",
                          "no such sample\n",
                          true,
                          false,
                          "",
                          {{"/home/a/train.py", 12, "collate", "raise ValueError()"},
                           {"/home/a/data.py", 0, "", ""}}};
    QCOMPARE(sentenceOf(trouble, "train.py", "/usr/bin/python3"),
             std::string("train.py: the loader failed in a worker process: ValueError: no such "
                         "sample"));
    QCOMPARE(framesOf(trouble), std::string("\n    train.py:12 in collate: raise ValueError()"
                                            "\n    data.py:0"));
    trouble.phase = "import";
    trouble.text.clear();
    QCOMPARE(sentenceOf(trouble, "train.py", "/usr/bin/python3"),
             std::string("train.py cannot be imported: ValueError"));
    trouble.missing = "torch";
    QVERIFY(sentenceOf(trouble, "train.py", "/usr/bin/python3")
                .starts_with("train.py needs the package torch, which /usr/bin/python3 does not"));
  }
};

MILLRACE_TEST_CASE(TestLoaderLines)

}  // namespace millrace

#include "tst_loader_lines.moc"

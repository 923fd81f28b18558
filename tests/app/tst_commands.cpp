// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// check, plan, nodes, sample-data, doctor, completion, help: the normal case and each exit code.
#include <QDir>
#include <QJsonArray>

#include "core/base/parts.h"
#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestCommands : public QObject {
  Q_OBJECT
 private slots:
  void aFullStandardOutputIsAnErrorOfEveryCommand() {
    Program program;
    program.write("p.json", syntheticPipeline());
    for (const char* command :
         {"run p.json --no-store --batches 2 --repeats 1 --warmup 0",
          "run p.json --no-store --batches 2 --repeats 1 --warmup 0 --json",
          "run p.json --no-store --batches 2 --repeats 1 --warmup 0 --events </dev/null",
          "runs list", "nodes", "nodes flip", "check p.json", "plan p.json --json", "--help",
          "export p.json --to json", "sample-data --list", "completion bash"}) {
      const Outcome outcome = program.shell(QString("$MILLRACE %1 >/dev/full").arg(command));
      QVERIFY2(outcome.code == 1, command);
      QVERIFY2(outcome.err.contains("No space left on device"), command);
    }
  }

  void measuringEndsSoonIfItsEventsCannotBeWritten() {
    Program program;
    program.write("p.json", syntheticPipeline());
    // Longer than any test may take.
    for (const char* command : {"run p.json --no-store --seconds 10000",
                                "compare p.json p.json --no-store --seconds 5000",
                                "sweep p.json --no-store --vary batch.size=1,2 --seconds 5000",
                                "tune p.json --no-store --budget 10000s --seconds 1000"}) {
      const Outcome outcome =
          program.shell(QString("$MILLRACE %1 --events </dev/null >/dev/full").arg(command));
      QVERIFY2(outcome.code == 1, command);
      QVERIFY2(outcome.err.contains("standard output cannot be written: No space left on device"),
               outcome.err.constData());
    }
  }

  void aFileThatCannotBeWrittenIsRefusedBeforeLongWork() {
    Program program;
    program.write("p.json", syntheticPipeline());
    program.write("data/0/x.txt", "");
    // Longer than any test may take.
    for (const QString command :
         {"run p.json --no-store --seconds 10000 --trace",
          "diagnose p.json --no-store --seconds 5000 --apply",
          "sweep p.json --no-store --vary batch.size=1,2 --seconds 5000 --csv",
          "tune p.json --no-store --budget 10000s --seconds 1000 -o", "inspect data -o",
          "inspect data --all -o", "convert data new.tar -o", "runs export -o",
          "export p.json --to json -o", "runs compare 1 2 --html"}) {
      for (const auto& [file, why] :
           {std::pair{"missing/result", "cannot write missing/result: there is no folder missing"},
            std::pair{"data", "cannot write data: Is a directory"},
            std::pair{"/proc/result", "cannot write /proc/result: "}}) {
        const Outcome outcome = program.shell("$MILLRACE " + command + " " + file);
        QVERIFY2(outcome.code == 1 || outcome.code == 2, qPrintable(command));
        QVERIFY2(outcome.err.contains(why), outcome.err.constData());
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
      }
    }
  }

  void wrongArgumentsAreNamedInPlainWords_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* arguments, const char* words) {
      QTest::newRow(arguments) << arguments << words;
    };
    row("run", "error: the argument `pipeline` is missing");
    row("compare p.json", "error: the argument `B` is missing");
    row("export p.json", "error: the option --to is missing");
    row("run p.json --seconds", "error: --seconds needs a value");
    row("sweep p.json --vary", "error: --vary needs a value");
    row("run p.json --seconds 1 --batches 2", "error: --seconds and --batches exclude each other");
    row("run p.json --json --events", "error: --json and --events exclude each other");
    row("inspect data --list all", "error: --list needs --all");
    row("diagnose p.json --page-cache hot",
        "error: --page-cache: expected as-found, warm or cold, found `hot`");
    row("completion tcsh", "error: shell: expected bash, zsh or fish, found `tcsh`");
    row("tune p.json --budget 1e300s", "`1e300s` is too long: at most 10000000 s");
    row("tune p.json --cores 9999", "error: --cores 9999: this machine lets it use ");
    row("check p.json --base nosuch", "--base: there is no folder nosuch");
    row("run p.json --set batch.size=99999999999999999999", "; allowed: 1 to 1048576 samples");
    row("run data",
        "error: data is not a pipeline\n    if it is data, `millrace inspect data -o "
        "FILE` writes a pipeline for it, or an example reads it: `millrace run "
        "classification --data data`");
    row("check chess/..", "error: chess/.. is not a pipeline");
    row("run text", "error: text is not a pipeline");
    row("run -", "error: the input is empty");
    row("run empty.json", "error: the input is empty");
    row("run $'no\\nsuch'", "error: no\\nsuch: no such file");
    row("inspect $'no\\nsuch\\x1b[31m'", "no\\nsuch\\x1b[31m does not exist");
    row("nodes $'no\\nsuch'", "there is no kind `no such`");
    row("run p.json $'no\\nsuch'", "error: unexpected argument `no\\nsuch`");
    row("export p.json --to json -o $'no\\nsuch/x'", "cannot write no\\nsuch/x: ");
  }
  void wrongArgumentsAreNamedInPlainWords() {
    QFETCH(const QString, arguments);
    QFETCH(const QString, words);
    m_program->write("data/0/x.txt", "");
    m_program->write("text", "dear diary");
    m_program->write("chess/x.txt", "");
    m_program->write("empty.json", " \n");
    const Outcome outcome = m_program->shell("$MILLRACE " + arguments + " </dev/null");
    QVERIFY2(outcome.code == 1 || outcome.code == 2, qPrintable(arguments));
    const QByteArray text = outcome.out.contains("error: ") ? outcome.out : outcome.err;
    QVERIFY2(text.contains(words.toUtf8()), text.constData());
    QVERIFY2(!text.contains('\x1b'), text.constData());
  }

  void helpHasTheWidthOfTheTerminal() {
    for (const int columns : {60, 100}) {
      const Outcome help = m_program->shell(
          QString("script -qc 'stty cols %1; COLUMNS=%1 $MILLRACE run --help' /dev/null")
              .arg(columns));
      qsizetype widest = 0;
      for (QByteArray line : help.out.split('\n'))
        widest = std::max(widest, QString::fromUtf8(line.replace("\r", "")).size());
      QVERIFY2(help.out.contains("--seconds"), help.out.constData());
      QVERIFY2(widest <= columns && widest > columns - 20, qPrintable(QString::number(widest)));
    }
  }

  void aClosedStandardInputEndsTheCommand() {
    Program program;
    for (const char* command : {"check - <&-", "run - <&-", "export - --to json <&-"}) {
      const Outcome outcome = program.shell(QString("timeout 20 $MILLRACE %1").arg(command));
      QVERIFY2(outcome.code == 2, command);
    }
  }

  void optionsOfOtherProgramsLeadToSettings() {
    Program program;
    const auto error = [&](const QStringList& arguments) {
      const Outcome outcome = program.run(arguments);
      return outcome.code == 2 ? outcome.err : QByteArray();
    };
    QVERIFY(error({"run", "classification", "--batch-size", "4"})
                .contains("did you mean `--set batch.size=VALUE`?"));
    QVERIFY(error({"check", "classification", "--num-workers", "4"})
                .contains("did you mean `--set workers.count=VALUE`?"));
    QVERIFY(
        error({"run", "classification", "--secnds", "4"}).contains("did you mean `--seconds`?"));
    QVERIFY(error({"run", "classification", "--", "--data", "x"})
                .contains("unexpected argument `--data`: after `--` there are no options"));
  }

  void aPlaceToStartThatIsTooLargeIsRefused() {
    Program program;
    program.write("p.json", syntheticPipeline());
    for (const char* start :
         {"4294967296:0", "0:18446744073709551616", "1", ":", "1:", "-1:0", "1:2x"}) {
      const Outcome outcome = program.run({"run", "p.json", "--no-store", "--start", start});
      QVERIFY2(outcome.code == 2, start);
      QVERIFY2(outcome.err.contains("expected EPOCH:BATCH"), start);
    }
  }

  void aQueueThatNeedsMoreMemoryThanThereIsIsAnErrorOfTheCheck() {
    const QString pictures = m_program->write(
        "large.json", syntheticPipeline(R"(, "content": "image", "height": 512, "width": 512)"));
    const QStringList large = {pictures, "--set", "batch.size=1048576", "--set",
                               "prefetch.batches=1024"};
    for (const QString command : {"check", "plan", "run", "sweep"}) {
      QStringList arguments = QStringList{command} + large;
      if (command == "sweep") arguments += {"--vary", "workers.count=1,2"};
      const Outcome outcome = m_program->run(arguments);
      QCOMPARE(outcome.code, 2);
      const QByteArray text = (outcome.out + outcome.err).simplified();
      QVERIFY2(text.contains("error: prefetch: 1026 batches of "), text.constData());
      QVERIFY2(text.contains(" of memory are free"), text.constData());
      QVERIFY2(text.contains("reduce batch.size or prefetch.batches"), text.constData());
      QCOMPARE(text.count("error:"), 1);
    }
  }

  void aStandardErrorThatCannotBeWrittenIsIgnored() {
    Program program;
    program.write("p.json", syntheticPipeline());
    for (const char* where : {"2>&-", "2>/dev/full"}) {
      const auto codeOf = [&](const char* command) {
        return program.shell(QString("$MILLRACE %1 %2").arg(command, where)).code;
      };
      QCOMPARE(codeOf("runs show 99"), 2);
      QCOMPARE(codeOf("run absent"), 2);
      QCOMPARE(codeOf("nodes absent"), 2);
      QCOMPARE(codeOf("absent"), 2);
      QCOMPARE(codeOf("export p.json --to python -o o.py --force"), 0);
      QCOMPARE(codeOf("run p.json --no-store --batches 2 --repeats 1 --warmup 0"), 0);
    }
  }

  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
  }

  void aFolderThatIsGoneIsNoReasonToDie() {
    const Outcome checked =
        m_program->shell("mkdir gone && cd gone && rmdir ../gone && $MILLRACE check " + m_pipeline);
    QVERIFY2(checked.code == 0, checked.err.constData());
  }

  void everyCommandHasHelpWithAnExample() {
    for (const char* command :
         {"run", "loader", "check", "plan", "preview", "nodes", "runs", "sample-data", "inspect",
          "convert", "doctor", "completion", "sweep", "tune"}) {
      const Outcome help = m_program->run({command, "--help"});
      QCOMPARE(help.code, 0);
      QVERIFY2(help.out.contains("Example"), command);
      QVERIFY2(!help.out.contains("Excludes:") && !help.out.contains("Needs:"), command);
      QVERIFY2(help.out.contains(QByteArray("millrace ") + command), command);
    }
  }

  void anUnknownCommandIsAnsweredWithTheOneThatIsMeantOrWithAll() {
    const Outcome typed = m_program->run({"chekc"});
    QCOMPARE(typed.code, 2);
    QVERIFY2(typed.err.contains("did you mean `check`?"), typed.err.constData());
    QVERIFY2(!typed.err.contains("sample-data"), typed.err.constData());
    const Outcome foreign = m_program->run({"xyzzy"});
    QCOMPARE(foreign.code, 2);
    QVERIFY2(foreign.err.contains("sample-data"), foreign.err.constData());
    QCOMPARE(m_program->run({}).code, 2);
  }

  void wordsOfOtherProgramsLeadToOurs_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("meant");
    const auto row = [](const QString& words, const char* meant) {
      QTest::newRow(qPrintable(words)) << words.split(' ') << QByteArray(meant);
    };
    row("ls", "`millrace runs list`");
    row("list", "`millrace runs list`");
    row("benchmark", "`millrace run`");
    row("version", "`millrace --version`");
    row("runs ls", "`list`");
    row("runs 3", "`millrace runs show 3`");
    row("p.json", "`millrace run p.json`");
    row(".", "`millrace inspect .`");
    row("run p --sec 1", "`--seconds`");
    row("nodes horizontal_flip", "`flip`");
    row("sample-data d --kind cat", "`cats-vs-dogs`");
    row("export classification --to pytroch", "`pytorch`");
    row("convert a b --to webdatset", "`webdataset`");
  }
  void wordsOfOtherProgramsLeadToOurs() {
    QFETCH(const QStringList, words);
    QFETCH(const QByteArray, meant);
    const Outcome outcome = m_program->run(words);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("did you mean " + meant + "?"), outcome.err.constData());
  }

  void aListOfValidNamesIsReadable() {
    for (const QStringList& words : {QStringList{"nodes", "xyzzy"},
                                     {"sample-data", "d", "--kind", "xyzzy"},
                                     {"runs", "compare", "1", "2", "--metric", "xyzzy"}}) {
      const Outcome outcome = m_program->run(words);
      QCOMPARE(outcome.code, 2);
      QVERIFY2(outcome.err.contains("xyzzy") && !outcome.err.contains("\\n"),
               outcome.err.constData());
    }
    QVERIFY(!m_program->run({"preview", "p", "--json"}).err.contains("did you mean"));
  }

  void aSettingWithoutItsFlagLeadsOnToIt() {
    const auto answers = [this](const QStringList& command, const char* words) {
      const Outcome outcome = m_program->run(command);
      return outcome.code == 2 && outcome.err.contains(words);
    };
    QVERIFY(answers({"run", m_pipeline, "batch.size=4"}, "did you mean `--set batch.size=4`?"));
    QVERIFY(answers({"check", m_pipeline, "a=1,2"}, "did you mean `--set a=1,2`?"));
    QVERIFY(answers({"sweep", m_pipeline, "a=1,2"}, "did you mean `--vary a=1,2`?"));
    QVERIFY(answers({"tune", m_pipeline, "a=1..4"}, "did you mean `--vary a=1..4`?"));
    QVERIFY(answers({"sweep", m_pipeline, "a=1"}, "did you mean `--set a=1`?"));
    QVERIFY(answers({"doctor", "a=1"}, "unexpected argument `a=1`"));
  }

  void helpSaysInWordsWhichOptionsExcludeEachOther() {
    const QByteArray help = m_program->run({"run", "--help"}).out;
    QVERIFY2(help.simplified().contains("(5); not with --batches or --epochs"), help.constData());
  }

  void helpIsACommandToo() {
    QCOMPARE(m_program->run({"help"}).out, m_program->run({"--help"}).out);
    QCOMPARE(m_program->run({"help", "run"}).out, m_program->run({"run", "--help"}).out);
    QCOMPARE(m_program->run({"help", "runs", "list"}).out,
             m_program->run({"runs", "list", "--help"}).out);
    QCOMPARE(m_program->run({"help"}).code, 0);
    const Outcome unknown = m_program->run({"help", "rnu"});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("did you mean `run`?"), unknown.err.constData());
    QVERIFY(m_program->run({"help", "flip"}).err.contains("millrace nodes flip"));
    QVERIFY(m_program->run({"rnu"}).err.contains("did you mean `run`?"));
  }

  void nodesAreChangedByFlagsOfEveryCommandThatTakesAPipeline() {
    const QStringList edits{"--insert", "identity:synthetic", "--off", "identity", "--step", "2ms",
                            "--set",    "identity.note=x"};
    for (const QStringList& command :
         {QStringList{"check", m_pipeline},
          {"plan", m_pipeline},
          {"export", m_pipeline, "--to", "json"},
          {"preview", m_pipeline},
          {"run", m_pipeline, "--no-store", "--batches", "2", "--repeats", "1", "--warmup", "0"}}) {
      const Outcome outcome = m_program->run(command + edits);
      QVERIFY2(outcome.code == 0, outcome.err.constData());
      const Outcome wrong = m_program->run(command + QStringList{"--insert", "identiyt:synthetic"});
      QCOMPARE(wrong.code, 2);
      // Line breaks depend on the length of the path.
      QVERIFY2((wrong.err + wrong.out).simplified().contains("did you mean `identity`?"),
               wrong.err.constData());
    }
    const QByteArray json =
        m_program->run(QStringList{"export", m_pipeline, "--to", "json"} + edits).out;
    QVERIFY(json.contains("emulated_step") && json.contains("\"seconds\": 0.002"));
    QVERIFY(json.contains("\"state\": \"bypass\""));
    QVERIFY(m_program->run({"run", m_pipeline, "--step", "2"}).err.contains("such as 20ms"));
  }

  void aNumberOutOfRangeIsRefusedWithItsRange_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("says");
    const QByteArray seconds = "expected a number of seconds, more than 0 and at most 10000000; ";
    const QByteArray whole = "expected a whole number from ";
    for (const char* length : {"0", "-1", "nan", "inf", "1e300", "2s", "0x10"})
      QTest::addRow("%s seconds", length)
          << QString("run p.json --seconds %1").arg(length) << seconds + "found `" + length + "`";
    QTest::newRow("no warm-up is a length")
        << QString("run p.json --warmup nan") << QByteArray("0 or more and at most 10000000");
    for (const char* seed : {"-1", "99999999999999999999999", "abc", "1.5", "+1"})
      QTest::addRow("seed %s", seed) << QString("check p.json --seed %1").arg(seed)
                                     << whole + "0 to 18446744073709551615, found `" + seed + "`";
    QTest::newRow("random") << QString("sweep p.json --vary batch.size=1,2 --random 0")
                            << whole + "1 to 1000000, found `0`";
    QTest::newRow("sweep") << QString("sweep p.json --vary batch.size=1,2 --seconds nan")
                           << seconds + "found `nan`";
  }
  void aNumberOutOfRangeIsRefusedWithItsRange() {
    QFETCH(const QString, command);
    QFETCH(const QByteArray, says);
    m_program->write("p.json", syntheticPipeline());
    const Outcome outcome = m_program->run(command.split(' '));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(says), outcome.err.constData());
  }

  void aSeedWithLeadingZerosIsDecimal() {
    m_program->write("p.json", syntheticPipeline());
    const auto exported = [&](const char* seed) {
      return m_program->run({"export", "p.json", "--to", "json", "--seed", seed}).out;
    };
    QVERIFY(exported("10").contains("\"seed\": 10,"));
    QCOMPARE(exported("010"), exported("10"));
  }

  void checkPrintsStreamsAndPlan() {
    const Outcome check = m_program->run({"check", m_pipeline});
    QCOMPARE(check.code, 0);
    QVERIFY(check.out.contains("batch of 10"));
    QVERIFY(check.out.contains("queue prefetch"));
    for (const QByteArray& line : check.out.split('\n')) QVERIFY(line.size() <= 80);
    const Outcome json = m_program->run({"check", m_pipeline, "--json"});
    QVERIFY(json.json()["plan"].isObject());
    QCOMPARE(m_program->run({"plan", m_pipeline}).code, 0);
  }

  /// Problems are shared with the workbench and the library; the hint for the command line follows
  /// them once.
  void checkSaysHowParametersAreSet() {
    const QString unset = m_program->write(
        "unset.json", R"({"format_version": 1, "nodes": [{"id": "source", "kind": "image_folder"},
          {"id": "batch", "kind": "batch"}, {"id": "drain", "kind": "drain"}],
          "wires": [{"from": "source", "to": "batch"}, {"from": "batch", "to": "drain"}]})");
    const Outcome check = m_program->run({"check", unset});
    QCOMPARE(check.code, 2);
    QCOMPARE(check.out.count("--data PATH"), 1);
    for (const QByteArray& line : check.out.split('\n')) QVERIFY(line.size() <= 80);
    QVERIFY(m_program->run({"run", unset}).err.contains("--set NODE.PARAM=VALUE"));
    QVERIFY(!m_program->run({"check", unset, "--json"}).out.contains("--"));
    QVERIFY(!m_program->run({"check", m_pipeline}).out.contains("--set"));
  }

  void checkPrintsAllProblemsToStandardOutput() {
    const Outcome check = m_program->run(
        {"check", m_program->write("bad.json", syntheticPipeline(", \"lenght\": 3, \"height\": "
                                                                 "-1"))});
    QCOMPARE(check.code, 2);
    QVERIFY2(check.out.contains("lenght") && check.out.contains("height"), check.out.constData());
    const QJsonObject json =
        m_program->run({"check", m_program->path("bad.json"), "--json"}).json();
    QVERIFY(json["plan"].isNull());
    const QJsonObject problem = json["problems"].toArray().first().toObject();
    for (const char* key : {"severity", "node", "field", "message", "remedy"})
      QVERIFY2(problem.contains(key), key);
  }

  void nodesListsAndExplainsTheKinds() {
    QVERIFY(m_program->run({"nodes"}).out.contains("random_resized_crop"));
    QVERIFY(m_program->run({"nodes", "resize"}).out.contains("antialias"));
    QVERIFY(QJsonDocument::fromJson(m_program->run({"nodes", "--json"}).out).isArray());
    QVERIFY(m_program->run({"nodes", "--markdown"}).out.contains("\n## "));
    const Outcome unknown = m_program->run({"nodes", "resze"});
    QCOMPARE(unknown.code, 2);
    QVERIFY(unknown.err.contains("did you mean `resize`"));
    // A list of all kinds would hide it.
    QVERIFY2(!unknown.err.contains("image_folder"), unknown.err.constData());
    QVERIFY(m_program->run({"nodes", "RandomHorizontalFlip"}).err.contains("did you mean `flip`?"));
  }

  void inspectSaysWhatAFolderHoldsAndWritesAPipeline() {
    m_program->run({"sample-data", "seen", "--kind", "cats-vs-dogs", "--count", "6"});
    const QJsonObject found =
        m_program->run({"inspect", "seen/train", "-o", "seen.millrace.json", "--json"}).json();
    QCOMPARE(found["kind"].toString(), QString("class folders"));
    QVERIFY(found["samples"].toInt() > 0);
    QCOMPARE(found["classes"].toArray().size(), 2);
    QCOMPARE(found["broken_samples"].toInt(), 0);
    QVERIFY(found["proposal"].isObject());
    QCOMPARE(m_program->run({"check", "seen.millrace.json"}).code, 0);
    const Outcome page = m_program->run({"inspect", "seen/train"});
    QVERIFY(page.out.contains("millrace run classification --data seen/train") ||
            page.out.contains("millrace run classification --data /"));
    for (const QByteArray& line : page.out.split('\n'))
      QVERIFY2(line.size() <= 80 || line.contains('/'), line.constData());
    const Outcome again = m_program->run({"inspect", "seen/train", "-o", "seen.millrace.json"});
    QCOMPARE(again.code, 1);
    QVERIFY(again.err.contains("--force"));
    QCOMPARE(m_program->run({"inspect", "nowhere"}).code, 2);
  }

  void sampleDataIsMadeAndRuns() {
    const Outcome made =
        m_program->run({"sample-data", "pets", "--kind", "cats-vs-dogs", "--count", "4", "--json"});
    QCOMPARE(made.code, 0);
    QCOMPARE(made.json()["count"].toInt(), 4);
    const Outcome again = m_program->run({"sample-data", "pets"});
    QCOMPARE(again.code, 1);
    const Outcome unknown = m_program->run({"sample-data", "x", "--kind", "cats"});
    QCOMPARE(unknown.code, 2);
    QVERIFY(unknown.err.contains("cats-vs-dogs"));
    QVERIFY(m_program->run({"sample-data", "--list"}).out.contains("camvid"));
    const Outcome preview = m_program->run({"preview", "cats-vs-dogs", "--data", "pets/train",
                                            "--count", "2", "-o", m_program->path("look")});
    QCOMPARE(preview.code, 0);
    QCOMPARE(preview.out.count('\n'), 2);
    QCOMPARE(QDir(m_program->path("look")).entryList({"*.png"}).size(), 2);
  }

  /// The workbench's tests, which need the data, show that it is generated.
  void sampleDataForTheExamplesHasItsOwnPlaceAndSize() {
    for (const QStringList& more :
         {QStringList{"pets"}, QStringList{"--count", "3"}, QStringList{"--seed", "1"}}) {
      const Outcome outcome = m_program->run(QStringList{"sample-data", "--cache"} + more);
      QCOMPARE(outcome.code, 2);
      QVERIFY(outcome.err.contains("--cache generates the data of `sample:KIND`"));
    }
  }

  void doctorSaysThatAllIsHere() {
    const Outcome doctor = m_program->run({"doctor"});
    QCOMPARE(doctor.code, 0);
    QVERIFY(doctor.out.contains("all requirements are met"));
    const QJsonObject report = m_program->run({"doctor", "--json"}).json();
    QVERIFY(report["ok"].toBool());
    QCOMPARE(std::size_t(report["parts"].toObject().size()), allParts().size());
    for (const OptionalPart& part : allParts()) {
      const QByteArray title(part.title.data());
      QVERIFY2(doctor.out.contains("\n  " + title + " "), title);
      const QJsonObject told = report["parts"].toObject()[part.name.data()].toObject();
      QCOMPARE(told["built"].toBool(), part.built);
      QCOMPARE(told["package"].toString(), QString(part.package.data()));
      QCOMPARE(doctor.out.simplified().contains("install " + QByteArray(part.package.data())),
               !part.built);
    }
    QDir(m_program->path("")).mkpath("data/millrace");
    m_program->write("data/millrace/runs.db", "no store");
    const Outcome broken = m_program->run({"doctor"});
    QCOMPARE(broken.code, 1);
    QVERIFY(broken.out.contains("runs.db"));
  }

  /// The script asks the program, with the words as bash splits them.
  void completionKnowsWhatArgumentsMayHave_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("completed");
    const auto row = [](const char* words, const char* completed) {
      QTest::newRow(words) << words << completed;
    };
    row("ru", "run runs");
    row("run --max", "--max-failures");
    row("run --color = al", "always");
    row("runs sh", "show");
    row("run class", "classification");
    row("run p.json --set synt", "synthetic.");
    row("run p.json --set batch.si", "batch.size=");
    row("run classification --set workers.order = st", "strict");
    row("sweep classification --vary workers.order = \\*", "\\*");
    row("run p.json --off ba", "batch");
    row("run p.json --insert fli", "flip:");
    row("run p.json --insert flip : syn", "synthetic");
    row("run classification --replace flip = blu", "blur");
    row("export p.json --to py", "python pytorch");
    row("convert a b --to tf", "tfrecord");
    row("tune p.json --for ep", "epoch-time");
    row("tune p.json --allow ba", "batching");
    row("diagnose p.json --page-cache co", "cold");
    row("nodes random_r", "random_resized_crop");
    row("sample-data x --kind cats", "cats-vs-dogs");
    row("runs show la", "last");
    row("runs compare last 1", "1");
    row("tune --replay clas", "classes");
    row("preview p.json --node ba", "batch");
  }
  void completionKnowsWhatArgumentsMayHave() {
    QFETCH(const QString, words);
    QFETCH(const QString, completed);
    QCOMPARE(m_program
                 ->run({"run", m_pipeline, "--batches", "1", "--repeats", "1", "--warmup", "0",
                        "--no-fingerprint", "--experiment", "classes"})
                 .code,
             0);
    const Outcome outcome = m_program->shell(
        QString("set -f; source <($MILLRACE completion bash) && COMP_WORDS=($MILLRACE %1) && "
                "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _millrace && echo ${COMPREPLY[@]}")
            .arg(words));
    QCOMPARE(QString::fromUtf8(outcome.out.trimmed()), completed);
  }

  void completionHasAScriptForEachShell() {
    for (const char* shell : {"bash", "zsh", "fish"}) {
      const Outcome script = m_program->run({"completion", shell});
      QCOMPARE(script.code, 0);
      QVERIFY2(script.out.contains("__complete"), shell);
    }
    QCOMPARE(m_program->run({"completion", "ksh"}).code, 2);
    const auto after = [this](const QStringList& words) {
      return m_program->run(QStringList{"__complete", "bash", "--"} + words).out.split('\n');
    };
    QVERIFY(after({"help", ""}).contains("sample-data"));
    QVERIFY(after({"help", "runs", ""}).contains("backup"));
    QVERIFY(after({"sweep", "p.json", "--plan", ""}).contains("latin:"));
    QVERIFY(after({"inspect", "--all", "x", "--list", ""}).contains("broken"));
    QVERIFY(!m_program->run({"__complete", "bash", "--", "run", "--"}).out.contains("--await"));
    QVERIFY(!m_program->run({"--help"}).out.contains("__complete"));
  }

 private:
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestCommands)

}  // namespace millrace::tests

#include "tst_commands.moc"

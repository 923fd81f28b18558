// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/busy_cores.h"

#include <unistd.h>

#include <fmt/format.h>

#include "core/monitor/proc_text.h"
#include "core/monitor/process_family.h"
#include "tests/core/monitor/fake_root.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestBusyCores : public QObject {
  Q_OBJECT
 private slots:
  void theBusiestOtherProgramIsNamed() {
    const tests::FakeRoot root;
    const auto at = [&](int busy, int idle, int stress, int editor) {
      root.put("stat", fmt::format("cpu {} 0 0 {} 0 0 0 0 0 0\n", busy, idle));
      root.put("71/stat", processStat(71, "stress (1)", stress));
      root.put("72/stat", processStat(72, "editor", editor));
    };
    const auto warnings = [&](int busy, int stress, int editor) {
      at(1000, 1000, 500, 500);
      Problems problems;
      warnOfBusyCores(problems, root.path(),
                      [&] { at(1000 + busy, 1100 - busy, 500 + stress, 500 + editor); });
      return problems.all();
    };
    // The test's own time passes on the real clock too, but little compared with a second of ticks.
    const auto some = warnings(60, 50, 9);
    QCOMPARE(some.size(), std::size_t{1});
    QVERIFY(some.front().severity == Severity::Warning);
    const std::string& message = some.front().message;
    QVERIFY2(message.find(" % of the cores now, mostly “stress (1)”") != std::string::npos,
             message.c_str());
    QVERIFY(warnings(5, 5, 0).empty());
    // There is no process to name: it has ended.
    const auto nameless = warnings(60, 0, 0);
    QCOMPARE(nameless.size(), std::size_t{1});
    QVERIFY(nameless.front().message.find("mostly") == std::string::npos);
  }

  void aProgramIsNamedByItsCommand() {
    using namespace std::string_literals;
    const tests::FakeRoot root;
    const auto nameOf = [&](const std::string& command) {
      root.put("71/cmdline", command);
      return programName(root.path(), 71, "kernel name");
    };
    QCOMPARE(nameOf("/opt/bin/stress\0--cpu\0"s), "stress"s);
    QCOMPARE(nameOf("python3.11\0-u\0/home/a/train.py\0--lr\0"s), "python3.11 train.py"s);
    QCOMPARE(nameOf("python3\0-W\0ignore\0-m\0torch.run\0"s), "python3 torch.run"s);
    QCOMPARE(nameOf("bash\0-c\0make all\0"s), "bash"s);
    QCOMPARE(nameOf(""s), "kernel name"s);
    QCOMPARE(nameOf("/proc/self/exe\0run\0"s), "kernel name"s);
    std::filesystem::create_symlink("/usr/bin/millrace (deleted)", root.path() / "71" / "exe");
    QCOMPARE(nameOf("/proc/self/exe\0run\0"s), "millrace"s);
  }

  void ownChildrenAndTheProgramThatStartedThisOneAreNotNamed() {
    const tests::FakeRoot root;
    const auto stat = [&](int id, int parent, int ticks) {
      root.put(fmt::format("{}/stat", id),
               fmt::format("{} (exe) S {} 1 1 0 -1 0 0 0 0 0 {} 1 0 0\n", id, parent, ticks));
    };
    const auto at = [&](int busy, int idle, int ticks) {
      root.put("stat", fmt::format("cpu {} 0 0 {} 0 0 0 0 0 0\n", busy, idle));
      root.put("self/stat", "9 (self) S 60 1 1 0 -1 0 0 0 0 0 5 1 0 0\n");
      stat(60, 1, ticks);         // It started this process.
      stat(80, getpid(), ticks);  // This process started it.
      stat(81, 80, ticks);
      stat(90, 1, ticks / 2);
    };
    root.put("90/cmdline", "backup");
    at(1000, 1000, 500);
    Problems problems;
    warnOfBusyCores(problems, root.path(), [&] { at(1080, 1020, 540); });
    QCOMPARE(problems.all().size(), std::size_t{1});
    const std::string message = problems.all().front().message;
    QVERIFY2(message.find("mostly “backup” (") != std::string::npos, message.c_str());
  }

  void aMachineThatSaysNothingIsNotWarnedOf() {
    const tests::FakeRoot root;
    Problems problems;
    warnOfBusyCores(problems, root.path(), [] {});
    QVERIFY(problems.all().empty());
  }

  void namesWithBracketsAndBlanksAreRead() {
    const auto times = parseProcessTimes(processStat(7, "a) b (c", 250), 100);
    QVERIFY(times.has_value());
    QCOMPARE(QString::fromStdString(times->name), "a) b (c");
    QCOMPARE(times->cpuSeconds, 2.5 + 0.01);
    for (const char* wrong :
         {"", "7", "7 (a", "7 a) S", "7 (a) S 1 2 3", "7 (a) S 1 1 1 0 -1 0 0 0 0 0 many 1 0"})
      QVERIFY2(!parseProcessTimes(wrong, 100), wrong);
  }

 private:
  static std::string processStat(int id, const std::string& name, int userTicks) {
    return fmt::format("{} ({}) S 1 1 1 0 -1 0 0 0 0 0 {} 1 0 0 20 0 1 0\n", id, name, userTicks);
  }
};

}  // namespace millrace

using millrace::TestBusyCores;
MILLRACE_TEST_CASE(TestBusyCores)
#include "tst_busy_cores.moc"

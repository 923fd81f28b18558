// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

struct Pipe {
  Pipe() { ok = ::pipe2(ends.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    closeReader();
    ::close(ends[1]);
  }
  void closeReader() {
    if (ends[0] >= 0) ::close(ends[0]);
    ends[0] = -1;
  }
  /// Reads until `bytes` bytes came or the pipe ends.
  std::string read(std::size_t bytes) const {
    std::string text;
    std::array<char, 4096> chunk;
    while (text.size() < bytes) {
      const ssize_t count = ::read(ends[0], chunk.data(), chunk.size());
      if (count <= 0) break;
      text.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
  std::array<int, 2> ends{-1, -1};
  bool ok = false;
};

}  // namespace

class TestEventWriter : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

  void linesComeWholeAndInOrder() {
    Pipe pipe;
    QVERIFY(pipe.ok);
    {
      EventWriter writer(pipe.ends[1]);
      for (int i = 0; i < 100; ++i) writer.write(std::to_string(i));
    }
    std::string wanted;
    for (int i = 0; i < 100; ++i) wanted += std::to_string(i) + "\n";
    QCOMPARE(pipe.read(wanted.size()), wanted);
  }

  void aSlowReaderLosesSnapshotsAndNothingElse() {
    Pipe pipe;
    QVERIFY(pipe.ok);
    const std::string large(1U << 18U, 'x');  // more than a pipe holds
    std::string text;
    {
      EventWriter writer(pipe.ends[1]);
      writer.write(large);
      for (int i = 0; i < 10; ++i) writer.writeSnapshot("snapshot");
      writer.write("end");
      QVERIFY(writer.droppedSnapshots() >= 8);
      text = pipe.read(large.size() + 1 + 9 + 4);
    }
    QCOMPARE(text, large + "\nsnapshot\nend\n");
  }

  void aReaderThatIsGoneHoldsNobodyUp() {
    Pipe pipe;
    QVERIFY(pipe.ok);
    pipe.closeReader();
    EventWriter writer(pipe.ends[1]);
    for (int i = 0; i < 1000; ++i) writer.write(std::string(1000, 'x'));
  }
};

}  // namespace millrace

using millrace::TestEventWriter;
MILLRACE_TEST_CASE(TestEventWriter)
#include "tst_event_writer.moc"

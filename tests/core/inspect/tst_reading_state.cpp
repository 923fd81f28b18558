// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/reading_state.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr std::uint64_t kDigest = 99;
constexpr std::uint32_t kSamples = 40;

ExaminedBlock block(std::uint32_t first, std::size_t count) {
  ExaminedBlock made;
  made.first = first;
  made.records.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    made.records[i].examined = 1;
    made.records[i].content = first + i;
  }
  made.sums.pictures = count;
  made.sums.channels = 3;
  made.sums.mean[1] = 0.25;
  made.reasons.emplace_back(first, "is cut off");
  return made;
}

}  // namespace

class TestReadingState : public QObject {
  Q_OBJECT

  std::unique_ptr<tests::TemporaryFolder> m_folder;
  std::filesystem::path m_file;
  std::vector<ExaminedBlock> m_taken;

  Result<ReadingState> opened(std::uint64_t digest = kDigest, bool discard = false) {
    m_taken.clear();
    return ReadingState::open(m_file, digest, kSamples, discard,
                              [this](const ExaminedBlock& read) { m_taken.push_back(read); });
  }
  void keepTwo() {
    auto state = opened();
    VERIFY_OK(state);
    VERIFY_OK(state->append(block(0, 16)));
    VERIFY_OK(state->append(block(16, 3)));
  }
  void change(std::size_t at) const {
    std::string bytes = tests::contentOf(m_file);
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    std::ofstream(m_file, std::ios::binary) << bytes;
  }

 private slots:
  void init() {
    m_folder = std::make_unique<tests::TemporaryFolder>();
    m_file = m_folder->path() / "deep" / "x.report";
    keepTwo();
  }

  void blocksComeBackAsTheyWereKept() {
    const auto state = opened();
    VERIFY_OK(state);
    QVERIFY(state->note().empty());
    QCOMPARE(m_taken.size(), std::size_t{2});
    QCOMPARE(m_taken[1].first, 16U);
    QCOMPARE(m_taken[1].records.size(), std::size_t{3});
    QCOMPARE(m_taken[1].records[2].content, std::uint64_t{18});
    QCOMPARE(m_taken[0].sums.mean[1], 0.25);
    QCOMPARE(m_taken[0].reasons.front().second, std::string("is cut off"));
  }

  void aBlockThatAKillLeftIncompleteIsCutOffWhereverItEnds() {
    const std::string whole = tests::contentOf(m_file);
    for (std::size_t bytes = whole.size() - 1; bytes > whole.size() - 300; bytes -= 13) {
      std::ofstream(m_file, std::ios::binary) << whole.substr(0, bytes);
      {
        auto state = opened();
        VERIFY_OK(state);
        QVERIFY2(state->note().empty(), state->note().c_str());
        QCOMPARE(m_taken.size(), std::size_t{1});
        VERIFY_OK(state->append(block(16, 2)));
      }
      VERIFY_OK(opened());
      QCOMPARE(m_taken.size(), std::size_t{2});
      QCOMPARE(m_taken[1].records.size(), std::size_t{2});
    }
  }

  void damageAnywhereDiscardsAll() {
    for (const std::size_t at : {40UL, 200UL, 400UL, 1500UL}) {
      change(at);
      const auto state = opened();
      VERIFY_OK(state);
      QVERIFY2(state->note().find("damaged") != std::string::npos, state->note().c_str());
      QVERIFY(m_taken.empty());
      m_folder = std::make_unique<tests::TemporaryFolder>();
      m_file = m_folder->path() / "x.report";
      keepTwo();
    }
  }

  void otherDataIsNotContinued() {
    const auto state = opened(kDigest + 1);
    VERIFY_OK(state);
    QVERIFY2(state->note().find("has changed") != std::string::npos, state->note().c_str());
    QVERIFY(m_taken.empty());
  }

  void aFileOfSomethingElseIsReplaced() {
    std::ofstream(m_file, std::ios::binary) << std::string(100, 'x');
    const auto state = opened();
    VERIFY_OK(state);
    QVERIFY2(state->note().find("version") != std::string::npos, state->note().c_str());
    QVERIFY(m_taken.empty());
  }

  void discardingNeedsNoReason() {
    const auto state = opened(kDigest, true);
    VERIFY_OK(state);
    QVERIFY(state->note().empty() && m_taken.empty());
  }

  void twoReportsOnTheSameDataDoNotWriteTheSameState() {
    const auto one = opened();
    VERIFY_OK(one);
    QVERIFY(!opened());
  }

  void pathsHaveStatesOfTheirOwn() {
    const auto a = ReadingState::fileOf("/s", "/data/a");
    QVERIFY(a == ReadingState::fileOf("/s", "/data/x/../a"));
    QVERIFY(a != ReadingState::fileOf("/s", "/data/b"));
  }
};

}  // namespace millrace

using millrace::TestReadingState;
MILLRACE_TEST_CASE(TestReadingState)
#include "tst_reading_state.moc"

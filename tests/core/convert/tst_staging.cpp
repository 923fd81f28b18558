// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/staging.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::contentOf;
using tests::TemporaryFolder;

constexpr std::uint64_t kFingerprint = 0xfeed;

Result<Staging> opened(const fs::path& target, bool resume = false,
                       IfThere ifThere = IfThere::Refuse, std::uint64_t of = kFingerprint) {
  return Staging::open(target, of, ifThere, resume);
}

std::string refusal(const Result<Staging>& staging) {
  return staging ? "it was opened" : staging.error().message;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// The progress of a conversion that stopped after five samples, two of which failed.
ConvertMark stoppedMark() {
  ConvertMark mark;
  mark.next = 5;
  mark.writer = {3, 1, 77};
  mark.bytesRead = std::uint64_t{1} << 40U;
  mark.failedCount = 2;
  mark.failed = {{"a\nb.jpg", "truncated\tfile"}, {"c.jpg", ""}};
  return mark;
}

/// Leaves `TARGET.part` as a conversion that stopped does.
void leaveStopped(const fs::path& target) {
  auto staging = opened(target);
  VERIFY_OK(staging);
  for (const std::uint64_t digest : {11, 22, 33}) staging->digest(digest);
  VERIFY_OK(staging->keep(stoppedMark()));
}

}  // namespace

class TestStaging : public QObject {
  Q_OBJECT
 private slots:
  void aFolderAppearsAtTheTargetOnlyWhenItIsComplete() {
    const TemporaryFolder folder;
    const fs::path target = folder.path() / "set";
    auto staging = opened(target);
    VERIFY_OK(staging);
    QVERIFY(staging->data().native().starts_with(Staging::folderFor(target).native()));
    folder.write("set.part/data/a.txt", "new");
    QVERIFY(!fs::exists(target));
    VERIFY_OK(staging->publish(false));
    QCOMPARE(contentOf(target / "a.txt"), std::string("new"));
    QVERIFY(!fs::exists(Staging::folderFor(target)));
  }

  void publishingReplacesAFileAndLeavesNothingOfIt() {
    const TemporaryFolder folder;
    folder.write("set.h5", "old");
    auto staging = opened(folder.path() / "set.h5", false, IfThere::Replace);
    VERIFY_OK(staging);
    folder.write("set.h5.part/data/set.h5", "new");
    VERIFY_OK(staging->publish(true));
    QCOMPARE(contentOf(folder.path() / "set.h5"), std::string("new"));
    QVERIFY(!fs::exists(folder.path() / "set.h5.part"));
  }

  void theProgressIsReadBackAsItWasKept() {
    const TemporaryFolder folder;
    leaveStopped(folder.path() / "set");
    const auto staging = opened(folder.path() / "set", true);
    VERIFY_OK(staging);
    const ConvertMark& found = staging->found();
    QCOMPARE(found.next, 5U);
    QCOMPARE(found.writer.samples, std::uint64_t{3});
    QCOMPARE(found.writer.shard, 1U);
    QCOMPARE(found.writer.place, std::uint64_t{77});
    QCOMPARE(found.bytesRead, std::uint64_t{1} << 40U);
    QCOMPARE(found.failedCount, std::uint64_t{2});
    // One line for each failure, whatever its name and reason hold.
    QCOMPARE(found.failed.size(), std::size_t{2});
    QVERIFY(found.failed[0].first.find('\n') == std::string::npos);
    QCOMPARE(found.failed[1].first, std::string("c.jpg"));
    QCOMPARE(staging->digests(), (std::vector<std::uint64_t>{11, 22, 33}));
  }

  void digestsAfterTheLastMarkAreForgotten() {
    const TemporaryFolder folder;
    leaveStopped(folder.path() / "set");
    {
      auto staging = opened(folder.path() / "set", true);
      VERIFY_OK(staging);
      staging->digest(44);
      ConvertMark mark = staging->found();
      mark.writer.samples = 4;
      VERIFY_OK(staging->keep(mark));
      QCOMPARE(fs::file_size(folder.path() / "set.part/digests"), std::uintmax_t{32});
    }
    fs::resize_file(folder.path() / "set.part/digests", 100);
    const auto staging = opened(folder.path() / "set", true);
    VERIFY_OK(staging);
    QCOMPARE(staging->digests(), (std::vector<std::uint64_t>{11, 22, 33, 44}));
  }

  void whatAStoppedConversionLeftIsResumedOrReplacedByWishAlone() {
    const TemporaryFolder folder;
    const fs::path target = folder.path() / "set";
    leaveStopped(target);
    const std::string refused = refusal(opened(target));
    QVERIFY2(contains(refused, "the setting `resume` continues it"), refused.c_str());
    const auto staging = opened(target, false, IfThere::Replace);
    VERIFY_OK(staging);
    QCOMPARE(staging->found().next, 0U);
    QVERIFY(staging->digests().empty());
  }

  void aFolderOfThatNameThatNoConversionLeftStays() {
    const TemporaryFolder folder;
    folder.write("set.part/letter.odt");
    const std::string refused = refusal(opened(folder.path() / "set", false, IfThere::Replace));
    QVERIFY2(contains(refused, "does not come from a conversion"), refused.c_str());
    QVERIFY(fs::exists(folder.path() / "set.part/letter.odt"));
  }

  void aTargetThatIsThereIsReplacedOnlyIfItIsConvertedData() {
    const TemporaryFolder folder;
    const fs::path target = folder.path() / "set";
    folder.makeFolder("set");
    VERIFY_OK(opened(target));  // An empty folder is no loss.
    fs::remove_all(Staging::folderFor(target));
    folder.write("set/cats/a.jpg");
    QVERIFY(contains(refusal(opened(target)), "already exists; use the setting `force`"));
    VERIFY_OK(opened(target, false, IfThere::Replace));
    folder.write("set/cats/notes.docx");
    const std::string refused = refusal(opened(target, false, IfThere::Replace));
    QVERIFY2(contains(refused, "contains `cats/notes.docx`"), refused.c_str());
    fs::remove(target / "cats/notes.docx");
    folder.link("set/elsewhere", "/");
    QVERIFY(contains(refusal(opened(target, false, IfThere::Replace)), "contains `elsewhere`"));
  }

  void anotherConversionIsNotResumed_data() {
    QTest::addColumn<QByteArray>("journal");
    const QByteArray head = "millrace convert 1\n";
    const QByteArray mine = head + "000000000000feed\n";
    QTest::newRow("another head") << QByteArray("millrace convert 2\n");
    QTest::newRow("another fingerprint") << head + "000000000000beef\n0 0 0 0 0 0\n";
    QTest::newRow("no fingerprint") << head;
    QTest::newRow("five numbers") << mine + "0 0 0 0 0\n";
    QTest::newRow("a word among them") << mine + "0 0 zero 0 0 0\n";
    QTest::newRow("a number of 65 bits") << mine + "0 0 0 0 36893488147419103232 0\n";
  }
  void anotherConversionIsNotResumed() {
    QFETCH(QByteArray, journal);
    const TemporaryFolder folder;
    leaveStopped(folder.path() / "set");
    folder.write("set.part/journal", journal.toStdString());
    const std::string refused = refusal(opened(folder.path() / "set", true));
    QVERIFY2(contains(refused, "belongs to another conversion"), refused.c_str());
  }

  void lostDigestsAreDamage() {
    const TemporaryFolder folder;
    leaveStopped(folder.path() / "set");
    fs::resize_file(folder.path() / "set.part/digests", 23);
    const std::string refused = refusal(opened(folder.path() / "set", true));
    QVERIFY2(contains(refused, "is damaged: the setting `force` starts over"), refused.c_str());
    fs::remove(folder.path() / "set.part/digests");
    QVERIFY(contains(refusal(opened(folder.path() / "set", true)), "digests: "));
  }

  /// As after a crash before the first mark: there is nothing to resume, and that is not an error.
  void anEmptyJournalStartsFromTheFirstSample() {
    const TemporaryFolder folder;
    folder.write("set.part/journal", "");
    const auto staging = opened(folder.path() / "set", true);
    VERIFY_OK(staging);
    QCOMPARE(staging->found().next, 0U);
  }
};

}  // namespace millrace

using millrace::TestStaging;
MILLRACE_TEST_CASE(TestStaging)
#include "tst_staging.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tar/web_shard.h"

#include <algorithm>

#include "core/formats/io/open_file.h"
#include "core/formats/tar/tar_walk.h"
#include "tests/support/real_data.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::tarEnd;
using tests::tarMember;
using Texts = std::vector<std::string>;

/// Members as `name=content`, then what was skipped.
Texts membersOf(const std::filesystem::path& path) {
  const auto file = openForReading(path);
  if (!file) return {file.error().message};
  TarWalk walk(file->fd.get(), file->size);
  Texts texts;
  for (TarMember member;;) {
    const auto more = walk.next(member);
    if (!more) return {more.error().message};
    if (!*more) break;
    std::string content(std::min<std::uint64_t>(member.size, 40), '\0');
    if (!readAt(file->fd.get(), member.offset, content.data(), content.size())) return {"read"};
    texts.push_back(member.name + "=" + content);
  }
  for (const std::string& damage : walk.damage()) texts.push_back("damage: " + damage);
  return texts;
}

Texts membersIn(const std::string& bytes) {
  const tests::TemporaryFolder folder;
  folder.write("a.tar", bytes);
  return membersOf(folder.path() / "a.tar");
}

/// Samples as `key a b` with the sizes of their parts, `-` for a missing part.
Texts samplesIn(const std::string& bytes, const std::vector<WebShard::Alternatives>& parts,
                std::size_t step = 100) {
  const tests::TemporaryFolder folder;
  folder.write("a.tar", bytes);
  const auto file = openForReading(folder.path() / "a.tar");
  TarWalk walk(file->fd.get(), file->size);
  WebShard shard(parts);
  while (!shard.done())
    if (!shard.advance(walk, step)) return {"failed"};
  Texts texts;
  for (std::size_t i = 0; i < shard.samples(); ++i) {
    texts.emplace_back(shard.key(i));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const WebShard::Place place = shard.place(i, p);
      texts.back() += place.present() ? " " + std::to_string(place.size) : " -";
    }
  }
  for (const std::string& note : shard.notes()) texts.push_back("note: " + note);
  if (shard.junk().count() > 0) texts.push_back("junk: " + std::to_string(shard.junk().count()));
  for (const std::string& note : shard.missingParts()) texts.push_back("missing: " + note);
  return texts;
}

}  // namespace

class TestWebShard : public QObject {
  Q_OBJECT
 private slots:
  void walksRegularFilesAlone() {
    QCOMPARE(membersIn(tarMember("a/1.txt", "one") + tarMember("a", "", '5') +
                       tarMember("/etc/passwd", "", '2') + tarMember("hard", "", '1') +
                       tarMember("../b.txt", std::string(600, 'x').replace(0, 3, "two")) +
                       tarMember("empty", "") + tarEnd() + "after the end"),
             (Texts{"a/1.txt=one", "../b.txt=two" + std::string(37, 'x'), "empty="}));
    QCOMPARE(membersIn(""), Texts{});
    QCOMPARE(membersIn(tarMember("a", "no end mark")), Texts{"a=no end mark"});
  }

  void knowsLongNames() {
    const std::string name = std::string(120, 'd') + "/" + std::string(120, 'n') + ".txt";
    const std::string record = "path=" + name + "\n";
    const std::string pax = std::to_string(record.size() + 4) + " " + record;
    QCOMPARE(membersIn(tarMember("PaxHeaders/x", pax, 'x') + tarMember("short", "1") +
                       tarMember("././@LongLink", name + std::string(1, '\0'), 'L') +
                       tarMember("short", "2") + tarMember("short", "3")),
             (Texts{name + "=1", name + "=2", "short=3"}));
    const std::string size = "10 size=3\n";
    QCOMPARE(membersIn(tarMember("x", size, 'x') +
                       tarMember("a", "abc").replace(124, 11, "00000000000")),
             Texts{"damage: no tar header at byte 1 024 or after it"});
    QCOMPARE(membersIn(tarMember("x", size, 'x') + tarMember("a", "abcdef")), Texts{"a=abc"});
  }

  void passesDamageOver() {
    const std::string first = tarMember("1", "one");
    std::string second = tarMember("2", "two");
    second[0] ^= 1;
    QCOMPARE(
        membersIn(first + second + tarMember("3", "three")),
        (Texts{"1=one", "3=three",
               "damage: no tar header at byte 1 024: 1 024 bytes left out, up to the next one"}));
    QCOMPARE(
        membersIn(first + tarMember("2", std::string(2000, 'x')).substr(0, 1000)),
        (Texts{"1=one", "damage: ends within 2 at byte 1 024: 488 of its 2 000 bytes are there"}));
    QCOMPARE(membersIn(first + tarMember("2", "two").substr(0, 100)),
             (Texts{"1=one", "damage: ends within a header at byte 1 024"}));
    QCOMPARE(membersIn(std::string(2000, 'x')),
             Texts{"damage: no tar header at byte 0 or after it"});
  }

  void namesAreCutAtTheFirstDotOfTheFile() {
    const auto shown = [](std::string_view path) {
      const WebName name = webName(path);
      return std::string(name.key) + "|" + name.extension;
    };
    QCOMPARE(shown("a.b/000.seg.PNG"), std::string("a.b/000|seg.png"));
    QCOMPARE(shown("000.jpg"), std::string("000|jpg"));
    for (const char* none : {"README", ".hidden", "a/.hidden", "__index__.json", "x.", ""})
      QCOMPARE(shown(none), std::string("|"));
  }

  void groupsConsecutiveMembers() {
    const std::string tar = tarMember("0.jpg", "123") + tarMember("0.cls", "1") +
                            tarMember("0.json", "{}") + tarMember("README", "x") +
                            tarMember("1.png", "1234") + tarMember("1.png", "again") +
                            tarMember("0.cls", "12");
    const Texts wanted{"0 3 1",
                       "1 4 -",
                       "0 - 2",
                       "note: 1 has two parts jpg or png: the first one is used",
                       "junk: 1",
                       "missing: 1 of 3 samples has no part jpg or png and will fail; first: 0",
                       "missing: 1 of 3 samples has no part cls and will fail; first: 1"};
    QCOMPARE(samplesIn(tar, {{"jpg", "png"}, {"cls"}}), wanted);
    QCOMPARE(samplesIn(tar, {{"jpg", "png"}, {"cls"}}, 1), wanted);
  }

  void dotsInNamesAreExplainedWhereASampleLacksAPart() {
    const std::string good = tarMember("b.jpg", "one") + tarMember("b.depth.jpg", "more");
    QCOMPARE(samplesIn(good, {{"jpg"}}), (Texts{"b 3"}));
    QCOMPARE(samplesIn(tarMember("Track 2.0.jpg", "one") + good, {{"jpg"}}),
             (Texts{"Track 2 -", "b 3",
                    "missing: 1 of 2 samples has no part jpg and will fail; first: Track 2",
                    "missing: names have dots, and the key of Track 2.0.jpg ends at the first one; "
                    "rename the files so that the only dot is the one before the extension"}));
  }

  void numbersBetweenDotsAreExplainedWhereNoSampleLacksAPart() {
    const Texts found =
        samplesIn(tarMember("12.0.jpg", "one") + tarMember("12.1.jpg", "two"), {{"0.jpg"}});
    QCOMPARE(found.size(), 2U);
    QCOMPARE(found.front(), std::string("12 3"));
    QVERIFY2(found.back().find("the key of 12.0.jpg ends at the first one") != std::string::npos,
             found.back().c_str());
  }

  void membersThatAreNotDataAreNoSamples() {
    const std::string tar = tarMember("0.jpg", "one") + tarMember("._0.jpg", "double") +
                            tarMember("__MACOSX/0.jpg", "x") + tarMember("README.md", "x");
    QCOMPARE(samplesIn(tar, {{"jpg"}}), (Texts{"0 3", "junk: 3"}));
  }

  void partsThatAreApartAreExplained() {
    const std::string tar = tarMember("a.jpg", "one") + tarMember("b.jpg", "one") +
                            tarMember("a.cls", "1") + tarMember("b.cls", "1");
    const Texts found = samplesIn(tar, {{"jpg"}, {"cls"}});
    QCOMPARE(found.size(), 7U);
    QVERIFY2(found.back().find("sorted by name") != std::string::npos, found.back().c_str());
  }

  void readsFilesThatOthersWrote() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    for (const char* name :
         {"containers/wds/shard-000001.tar", "containers/wds_jl/test/sample.tar"}) {
      const Texts members = membersOf(*data / name);
      QVERIFY(members.size() > 10);
      for (const std::string& member : members)
        QVERIFY2(!member.starts_with("damage"), member.c_str());
    }
  }
};

}  // namespace millrace

using millrace::TestWebShard;
MILLRACE_TEST_CASE(TestWebShard)
#include "tst_web_shard.moc"

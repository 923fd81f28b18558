// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/spilled_list.h"

#include <sys/resource.h>

#include <csignal>
#include <random>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

struct Numbered {
  std::uint64_t key = 0;
  std::uint32_t number = 0;
};

std::vector<std::uint64_t> all(const SpilledList<std::uint64_t>& list) {
  std::vector<std::uint64_t> values;
  list.forEach([&](std::uint64_t value) { values.push_back(value); });
  return values;
}

}  // namespace

class TestSpilledList : public QObject {
  Q_OBJECT
 private slots:
  void valuesComeBackFromMemoryAndFromTheFile() {
    for (const std::size_t inMemory : {std::size_t{0}, std::size_t{100}, std::size_t{1} << 30U}) {
      SpilledList<std::uint64_t> list(inMemory);
      std::vector<std::uint64_t> expected;
      for (std::uint64_t i = 0; i < 50'000; ++i) {
        list.append(i * i);
        expected.push_back(i * i);
      }
      QVERIFY(all(list) == expected);
      QCOMPARE(list.at(49'999), expected.back());
      const std::vector<std::uint64_t> some = {1, 2, 3};
      for (const std::uint64_t first : {0U, 31'000U, 49'997U}) {
        list.put(first, some);
        std::ranges::copy(some, expected.begin() + static_cast<std::ptrdiff_t>(first));
      }
      list.grow(60'000);
      expected.resize(60'000);
      QVERIFY(all(list) == expected);
      QVERIFY(list.isSound());
    }
  }

  void aLongListTakesLittleMemory() {
    SpilledBytes bytes;
    const std::vector<std::byte> block(1000);
    for (int i = 0; i < 20'000; ++i) bytes.append(block);
    QCOMPARE(bytes.size(), std::uint64_t{20'000'000});
    QVERIFY(bytes.bytesInMemory() < 3 * SpilledBytes::kInMemory);
  }

  void aFullDiskKeepsTheListInMemory() {
    // Writing past the limit of a file's size fails as on a full disk.
    struct rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    SpilledList<std::uint64_t> list(1000);
    for (std::uint64_t i = 0; i < 100'000; ++i) list.append(i);
    struct rlimit small = before;
    small.rlim_cur = 600'000;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    for (std::uint64_t i = 100'000; i < 200'000; ++i) list.append(i);
    const std::uint64_t changed = 7;
    list.put(90'000, std::span(&changed, 1));
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    QVERIFY(list.isSound());
    QCOMPARE(list.size(), std::uint64_t{200'000});
    for (std::uint64_t i = 0; i < 200'000; ++i) QCOMPARE(list.at(i), i == 90'000 ? changed : i);
  }

  void manyPartsAreSortedAsOne() {
    std::mt19937_64 random(1);
    for (const std::uint64_t count : {0U, 1U, 99U, 100U, 101U, 5000U}) {
      SpilledList<std::uint64_t> list;
      for (std::uint64_t i = 0; i < count; ++i) list.append(random() % 1000);
      std::vector<std::uint64_t> expected = all(list);
      std::ranges::sort(expected, std::greater());
      QVERIFY(all(sorted(list, std::greater(), 100 * sizeof(std::uint64_t))) == expected);
    }
  }

  void groupsAreThoseOfEqualKeys() {
    SpilledList<Numbered> list;
    for (const std::uint64_t key : {1U, 1U, 2U, 3U, 3U, 3U})
      list.append({key, static_cast<std::uint32_t>(list.size())});
    std::string text;
    forGroups(
        list, [](const Numbered& a, const Numbered& b) { return a.key == b.key; },
        [&](std::uint64_t begin, std::uint64_t end, const Numbered& first) {
          QCOMPARE(first.number, static_cast<std::uint32_t>(begin));
          text += std::to_string(first.key) + "x" + std::to_string(end - begin) + " ";
        });
    QCOMPARE(text, std::string("1x2 2x1 3x3 "));
  }
};

}  // namespace millrace

using millrace::TestSpilledList;
MILLRACE_TEST_CASE(TestSpilledList)
#include "tst_spilled_list.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/node_choice.h"

#include <cmath>
#include <set>
#include <string>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Weights = std::vector<double>;

constexpr std::uint32_t kSamples = 20000;

/// Draws of a choice for the samples of an epoch, as "ab" for its first two nodes.
class Draws {
 public:
  Draws(std::size_t count, double probability, Weights weights)
      : m_choice{"choose", 77, probability, count, std::move(weights), 0} {}

  std::string of(std::uint32_t index, int view = 0, bool noRandom = false) {
    std::string applied;
    for (m_choice.place = 0; m_choice.place < m_choice.weights.size(); ++m_choice.place)
      if (m_choice.applies(5, {1, index, 0}, view, noRandom))
        applied += static_cast<char>('a' + m_choice.place);
    return applied;
  }
  double share(const std::function<bool(const std::string&)>& counts) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < kSamples; ++i) found += counts(of(i)) ? 1U : 0U;
    return double(found) / kSamples;
  }
  double shareOf(const std::string& applied) {
    return share([&](const std::string& text) { return text == applied; });
  }
  bool isCertain(std::size_t place) {
    m_choice.place = place;
    return m_choice.isCertain();
  }

 private:
  NodeChoice m_choice;
};

/// Within four standard deviations of a share of independent draws.
bool isNear(double share, double expected) {
  return std::abs(share - expected) < 4 * std::sqrt(expected * (1 - expected) / kSamples);
}

}  // namespace

class TestNodeChoice : public QObject {
  Q_OBJECT
 private slots:
  void oneIsChosenByWeight() {
    Draws draws(1, 1, {2, 1, 1});
    QVERIFY(isNear(draws.shareOf("a"), 0.5));
    QVERIFY(isNear(draws.shareOf("b"), 0.25));
    QVERIFY(isNear(draws.shareOf("c"), 0.25));
  }

  void severalAreChosenWithoutReplacement() {
    Draws draws(2, 1, {1, 1, 1});
    for (const char* pair : {"ab", "ac", "bc"}) QVERIFY(isNear(draws.shareOf(pair), 1.0 / 3));
    // "a" first: 3/5, else second: 1/5 * 3/4 + 1/5 * 3/4.
    Draws uneven(2, 1, {3, 1, 1});
    QVERIFY(isNear(uneven.shareOf("bc"), 1 - 0.6 - 0.3));
  }

  void allOrNoneAreAppliedWithAProbability() {
    Draws draws(3, 0.3, {1, 5, 1});
    QVERIFY(isNear(draws.shareOf("abc"), 0.3));
    QVERIFY(isNear(draws.shareOf(""), 0.7));
    QVERIFY(!draws.isCertain(0));
    QVERIFY(Draws(2, 1, {1, 1}).isCertain(1));
    QVERIFY(!Draws(1, 1, {1, 1}).isCertain(1));
  }

  void whatHasNoWeightIsNeverChosen() {
    Draws draws(1, 1, {0, 1, 0, 1});
    QVERIFY(isNear(draws.shareOf("b"), 0.5));
    QVERIFY(isNear(draws.shareOf("d"), 0.5));
    Draws all(2, 1, {0, 1, 0, 1});
    QCOMPARE(all.shareOf("bd"), 1.0);
    QVERIFY(all.isCertain(1));
    QVERIFY(!all.isCertain(0));
  }

  void viewsDrawSeparately() {
    Draws draws(1, 1, {1, 1});
    std::set<std::string> seen;
    for (std::uint32_t i = 0; i < 100; ++i) seen.insert(draws.of(i, 1) + draws.of(i, 2));
    QCOMPARE(seen, (std::set<std::string>{"aa", "ab", "ba", "bb"}));
  }

  void withoutRandomnessEverySampleGetsTheSame() {
    for (std::uint32_t i = 0; i < 20; ++i) {
      QCOMPARE(Draws(1, 1, {1, 1, 1}).of(i, 0, true), std::string("b"));
      QCOMPARE(Draws(1, 0.9, {1, 1, 1}).of(i, 0, true), std::string());
      QCOMPARE(Draws(2, 1, {1, 1}).of(i, 0, true), std::string("ab"));
    }
  }
};

}  // namespace millrace

using millrace::TestNodeChoice;
MILLRACE_TEST_CASE(TestNodeChoice)
#include "tst_node_choice.moc"

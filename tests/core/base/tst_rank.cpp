// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/rank.h"

#include <map>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Variables = std::map<const char*, const char*>;

/// The rank with these variables alone: "1 of 4 in /tmp", "alone", or the error's text.
std::string rankWith(const Variables& set) {
  for (const char* name : {"MILLRACE_RANK", "MILLRACE_WORLD", "MILLRACE_RENDEZVOUS"})
    qunsetenv(name);
  for (const auto& [name, value] : set) qputenv(name, value);
  const auto rank = rankOfProcess();
  for (const auto& [name, value] : set) qunsetenv(name);
  if (!rank) return rank.error().message;
  if (!rank->has_value()) return "alone";
  return std::to_string((*rank)->number) + " of " + std::to_string((*rank)->world) + " in " +
         (*rank)->rendezvous.native();
}

std::string rankOf(const char* number, const char* world, const char* folder = "/tmp") {
  return rankWith(
      {{"MILLRACE_RANK", number}, {"MILLRACE_WORLD", world}, {"MILLRACE_RENDEZVOUS", folder}});
}

}  // namespace

class TestRank : public QObject {
  Q_OBJECT
 private slots:
  void aProcessWithoutTheVariablesIsAlone() { QCOMPARE(rankWith({}), std::string("alone")); }

  void theVariablesSetTheRank() {
    QCOMPARE(rankOf("1", "4"), std::string("1 of 4 in /tmp"));
    QCOMPARE(rankOf("0", "1", "a folder"), std::string("0 of 1 in a folder"));
  }

  void someOfThreeVariablesAreAnError() {
    QCOMPARE(rankWith({{"MILLRACE_RENDEZVOUS", "/tmp"}}),
             std::string("MILLRACE_RANK is not set: expected a whole number from 0 to 999999"));
    QCOMPARE(rankWith({{"MILLRACE_RANK", "0"}, {"MILLRACE_RENDEZVOUS", "/tmp"}}),
             std::string("MILLRACE_WORLD is not set: expected a whole number from 1 to 1000000"));
    const std::string noFolder =
        "MILLRACE_RENDEZVOUS is not set; it must name the folder that all ranks share";
    QCOMPARE(rankWith({{"MILLRACE_RANK", "0"}, {"MILLRACE_WORLD", "2"}}), noFolder);
    QCOMPARE(rankOf("0", "2", ""), noFolder);
  }

  void theVariableThatIsWrongIsNamed() {
    for (const char* wrong : {"", "one", "1.0", " 1", "1 ", "-1", "0x1", "9223372036854775808"}) {
      QCOMPARE(rankOf(wrong, "4"), "MILLRACE_RANK=" + std::string(wrong) +
                                       ": expected a whole number from 0 to 999999");
      QCOMPARE(rankOf("0", wrong), "MILLRACE_WORLD=" + std::string(wrong) +
                                       ": expected a whole number from 1 to 1000000");
    }
    QCOMPARE(rankOf("0", "0"),
             std::string("MILLRACE_WORLD=0: expected a whole number from 1 to 1000000"));
  }

  void aRankIsBelowTheNumberOfRanks() {
    QCOMPARE(rankOf("3", "4"), std::string("3 of 4 in /tmp"));
    QCOMPARE(rankOf("4", "4"), std::string("MILLRACE_RANK=4 must be less than MILLRACE_WORLD=4"));
  }
};

}  // namespace millrace

using millrace::TestRank;
MILLRACE_TEST_CASE(TestRank)
#include "tst_rank.moc"

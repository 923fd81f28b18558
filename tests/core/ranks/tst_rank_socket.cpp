// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Processes that a launcher started find each other; here they are threads.
#include "core/ranks/rank_socket.h"

#include <unistd.h>

#include <array>
#include <thread>

#include <fmt/format.h>

#include "core/ranks/rank_channel.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr double kLong = 30;

bool never() { return false; }

/// Rank `number` of three. The test's own process is part of the job's name, so that tests that run
/// at the same time do not meet.
LaunchedRank rankOf(std::int64_t number, bool oneMachine = true) {
  return {"test", number, 3, number, oneMachine, fmt::format("job {}", ::getpid()), "127.0.0.1"};
}

}  // namespace

class TestRankSocket : public QObject {
  Q_OBJECT
 private slots:
  void ranksMeetInAnyOrder_data() {
    QTest::addColumn<bool>("oneMachine");
    QTest::newRow("on one machine") << true;
    QTest::newRow("over a network") << false;
  }
  void ranksMeetInAnyOrder() {
    QFETCH(bool, oneMachine);
    std::array<Result<JoinedRank>, 2> joined{Error{"not there"}, Error{"not there"}};
    std::vector<std::thread> others;
    for (const std::int64_t rank : {2, 1})
      others.emplace_back([&joined, rank, oneMachine] {
        joined[static_cast<std::size_t>(rank) - 1] =
            joinRendezvous(rankOf(rank, oneMachine), kLong);
      });
    auto rendezvous = RankRendezvous::open(rankOf(0, oneMachine));
    VERIFY_OK(rendezvous);
    auto sockets = rendezvous->gather("/shared", kLong, never);
    for (std::thread& other : others) other.join();
    VERIFY_OK(sockets);
    QCOMPARE(sockets->size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      VERIFY_OK(joined[i]);
      QCOMPARE(joined[i]->sharedFolder.string(), std::string("/shared"));
      // Each socket leads to the rank of its place.
      const std::string line = fmt::format("rank {}\n", i + 1);
      QCOMPARE(::write(joined[i]->socket.get(), line.data(), line.size()),
               static_cast<ssize_t>(line.size()));
      joined[i]->socket = RankSocket();
      std::vector<std::string> heard;
      const auto channel = socketChannel(std::move((*sockets)[i]),
                                         [&](std::string_view text) { heard.emplace_back(text); });
      VERIFY_OK(channel->run());
      QCOMPARE(heard, std::vector<std::string>{fmt::format("rank {}", i + 1)});
    }
  }

  void ranksThatDoNotComeAreNamed() {
    auto rendezvous = RankRendezvous::open(rankOf(0));
    VERIFY_OK(rendezvous);
    const auto early = rendezvous->gather("/shared", 0.2, never);
    QVERIFY(!early);
    QCOMPARE(early.error().message,
             std::string("of 3 ranks that test started, these did not come within 0 s: 1, 2"));
  }

  void aMissingRankZeroIsNamed() {
    const auto alone = joinRendezvous(rankOf(1), 0.1);
    QVERIFY(!alone);
    QVERIFY2(alone.error().message.find("rank 1 of 3 did not find rank 0 at the local socket") == 0,
             alone.error().message.c_str());
  }

  void theOthersHearOfTheEndOfRankZero() {
    auto rendezvous = RankRendezvous::open(rankOf(0));
    VERIFY_OK(rendezvous);
    Result<JoinedRank> joined = Error{"not there"};
    std::thread other([&] { joined = joinRendezvous(rankOf(1), kLong); });
    rendezvous->dismiss();
    rendezvous = Error{"ended"};
    other.join();
    QVERIFY(!joined);
    QCOMPARE(joined.error().message, std::string("rank 0 ended before rank 1 could begin"));
  }

  void processesOfAnotherJobAreNotTaken() {
    // The same port, and the only rank that is missing: all but the job is right.
    qputenv("MILLRACE_PORT", QByteArray::number(20000 + ::getpid() % 10000));
    LaunchedRank first = rankOf(0, false);
    first.world = 2;
    LaunchedRank foreign = rankOf(1, false);
    foreign.world = 2;
    foreign.job = "another one";
    auto rendezvous = RankRendezvous::open(first);
    VERIFY_OK(rendezvous);
    std::thread other([&] { static_cast<void>(joinRendezvous(foreign, kLong)); });
    QVERIFY(!rendezvous->gather("/shared", 0.5, never));
    other.join();
    qunsetenv("MILLRACE_PORT");
  }

  void severalMachinesNeedTheFirstOnesName() {
    LaunchedRank rank = rankOf(0, false);
    rank.firstMachine.clear();
    const auto rendezvous = RankRendezvous::open(rank);
    QVERIFY(!rendezvous);
    QVERIFY2(rendezvous.error().message.find("set MASTER_ADDR") != std::string::npos,
             rendezvous.error().message.c_str());
  }
};

}  // namespace millrace

using millrace::TestRankSocket;
MILLRACE_TEST_CASE(TestRankSocket)
#include "tst_rank_socket.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Tests the share that the balancer reaches, on a model of two servers and a queue.
#include "core/transfer/decode_balancer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/test_case.h"

namespace millrace {

class TestDecodeBalancer : public QObject {
  Q_OBJECT

  /// Pictures per second of each server alone, and the consumer's time for a batch.
  struct Servers {
    double cpu = 1;
    double device = 1;
    double step = 0;
  };

  struct Found {
    double share = 0;  ///< at the end
    double least = 100;
    double most = 0;
    double rate = 0;  ///< pictures per second over the second half
  };

  static constexpr std::size_t kBetween = 4;  ///< host slots
  static constexpr std::size_t kSlots = 2;    ///< device slots
  static constexpr double kBatch = 64;
  static constexpr std::size_t kBatches = 1200;

  /// A factor of 0.7 to 1.3, the same in each run.
  static double jitter(std::size_t k) {
    return 0.7 + 0.6 * static_cast<double>(k * 2654435761U % 1024U) / 1023;
  }

  /// Times of successive batches. A host slot is free again when its pictures are decoded.
  static Found settle(const Servers& servers, double begin) {
    OffloadShare share(begin);
    DecodeBalancer balance(share, kBetween);
    std::vector<double> made(kBatches, 0);
    std::vector<double> taken(kBatches, 0);
    std::vector<double> decoded(kBatches, 0);
    std::vector<double> used(kBatches, 0);
    Found found;
    const auto at = [](const std::vector<double>& times, std::size_t k, std::size_t back) {
      return k < back ? 0.0 : times[k - back];
    };
    double asked = 0;
    for (std::size_t k = 0; k < kBatches; ++k) {
      // The workers read the share when they begin; no later batch had been taken by then.
      const double part = shareAt(k, share.percent()) / 100;
      made[k] = std::max(at(made, k, 1), at(decoded, k, kBetween)) +
                kBatch * (1 - part) / servers.cpu * jitter(k);
      const bool waited = made[k] > asked;
      taken[k] = std::max({made[k], asked, at(used, k, kSlots)});
      balance.taken({waited, at(decoded, k, 1) > taken[k]});
      decoded[k] = std::max(taken[k], at(decoded, k, 1)) +
                   kBatch * part / servers.device * jitter(3 * k + 1);
      used[k] = std::max(decoded[k], at(used, k, 1)) + servers.step;
      asked = taken[k];
      if (k < kBatches / 2) continue;
      found.least = std::min(found.least, share.percent());
      found.most = std::max(found.most, share.percent());
    }
    found.share = share.percent();
    found.rate =
        kBatch * static_cast<double>(kBatches / 2) / (used[kBatches - 1] - used[kBatches / 2 - 1]);
    return found;
  }

  /// The share that was set kBetween batches ago.
  static double shareAt(std::size_t k, double now) {
    static std::vector<double> shares;
    if (k == 0) shares.clear();
    shares.push_back(now);
    return shares[k < kBetween ? 0 : k - kBetween];
  }

 private slots:
  void bothServersWorkAllTheTime() {
    for (const Servers servers : {Servers{1000, 1000}, Servers{1000, 7000}, Servers{6000, 500}})
      for (const double begin : {1.0, 50.0, 100.0}) {
        const Found found = settle(servers, begin);
        const double best = servers.cpu + servers.device;
        QVERIFY2(found.rate > 0.9 * best,
                 qPrintable(QString("%1 and %2 from %3: rate %4, share %5 to %6")
                                .arg(servers.cpu)
                                .arg(servers.device)
                                .arg(begin)
                                .arg(found.rate)
                                .arg(found.least)
                                .arg(found.most)));
        const double even = 100 * servers.device / best;
        QVERIFY(found.least > even - 10 && found.most < even + 10);
      }
  }

  void aServerThatDoesNothingUsefulIsLeftAlone() {
    QVERIFY(settle({1000, 5}, 50).share <= 2);
    QVERIFY(settle({5, 1000}, 50).share >= 98);
  }

  void theShareStaysWhereTheConsumerIsTheLimit() {
    const Found found = settle({1000, 1000, 1}, 30);
    QCOMPARE(found.least, found.most);
    QVERIFY(std::abs(found.rate - kBatch) < 0.5);
  }

  void oneBatchDecidesNothing() {
    OffloadShare share(50);
    DecodeBalancer balance(share, 8);
    for (int i = 0; i < 7; ++i) balance.taken({true, false});
    QCOMPARE(share.percent(), 50.0);
    balance.taken({true, false});
    QCOMPARE(share.percent(), 58.0);
    for (int i = 0; i < 80; ++i) balance.taken({i % 2 == 0, i % 2 == 1});
    QCOMPARE(share.percent(), 58.0);
    for (int i = 0; i < 80; ++i) balance.taken({true, true});
    QCOMPARE(share.percent(), 58.0);
    for (int i = 0; i < 80; ++i) balance.taken({true, false});
    QCOMPARE(share.percent(), 100.0);
  }

  void batchesThatWereUnderWayDuringAMoveDoNotCount() {
    OffloadShare share(50);
    DecodeBalancer balance(share, 4);
    for (int i = 0; i < 8; ++i) balance.taken({true, false});
    QCOMPARE(share.percent(), 58.0);
    for (int i = 0; i < 4; ++i) balance.taken({false, true});
    QCOMPARE(share.percent(), 54.0);
  }
};

}  // namespace millrace

using millrace::TestDecodeBalancer;
MILLRACE_TEST_CASE(TestDecodeBalancer)
#include "tst_decode_balancer.moc"

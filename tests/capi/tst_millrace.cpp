// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/capi/opened.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contentOf;
using tests::kBatches;
using tests::kChain;
using tests::Opened;
using tests::restOfEpoch;
using tests::skip;

std::string changed(std::string chain, const std::string& from, const std::string& to) {
  const std::size_t at = chain.find(from);
  return at == std::string::npos ? chain : chain.replace(at, from.size(), to);
}

}  // namespace

class TestMillrace : public QObject {
  Q_OBJECT
 private slots:
  void anEpochEndsAndTheNextOneFollows() {
    const Opened opened;
    QCOMPARE(opened.status, MILLRACE_OK);
    const auto first = restOfEpoch(opened.loader);
    QCOMPARE(first.size(), std::size_t{kBatches + 1});
    QCOMPARE(first.back(), std::to_string(MILLRACE_EPOCH_END));
    const auto second = restOfEpoch(opened.loader);
    QCOMPARE(second.size(), std::size_t{kBatches + 1});
    QVERIFY(second.front().starts_with("1:0 "));
    QVERIFY(first.front().starts_with("0:0 "));
  }

  void batchesAreTheSameForAnyNumberOfWorkersAndInAnyPlan() {
    const auto expected = restOfEpoch(Opened().loader);
    const std::string more = changed(kChain, "\"count\": 2}", "\"count\": 5}");
    QCOMPARE(restOfEpoch(Opened(more).loader), expected);
    std::string none = changed(kChain, "workers {\"count\": 2}\n", "");
    QCOMPARE(restOfEpoch(Opened(none).loader), expected);
    none = changed(none, "prefetch {\"batches\": 1}\n", "");
    QCOMPARE(restOfEpoch(Opened(none).loader), expected);
  }

  void workBehindTheBatchHasAThreadOfItsOwn() {
    const std::string chain =
        "synthetic {\"count\": 22, \"content\": \"image\", \"height\": 6, \"width\": 5}\n"
        "shuffle {}\nworkers {}\nprecision {}\none_hot {}\nbatch {\"size\": 4}\nmixup {}\n"
        "drain {}\n";
    const Opened opened(chain);
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    const auto first = restOfEpoch(opened.loader);
    QCOMPARE(first.size(), std::size_t{kBatches + 1});
    QCOMPARE(restOfEpoch(Opened(changed(chain, "drain", "prefetch {}\ndrain")).loader), first);
  }

  void aStateGoesOnAtAnyBatch() {
    const Opened opened;
    const auto first = restOfEpoch(opened.loader);
    for (int at = 0; at <= kBatches; ++at) {
      const Opened before;
      skip(before.loader, at);
      const std::string state = before.state();
      const Opened after(changed(kChain, "\"count\": 2}", "\"count\": 1}"));
      QCOMPARE(millrace_restore(after.loader, state.c_str()), MILLRACE_OK);
      auto rest = restOfEpoch(after.loader);
      if (at == kBatches) {
        QVERIFY(rest.front().starts_with("1:0 "));
        continue;
      }
      QCOMPARE(rest, std::vector<std::string>(first.begin() + at, first.end()));
    }
  }

  void heldBatchesStayAsTheyAreAndHoldTheEngineUp() {
    const Opened opened;
    std::vector<millrace_batch*> held;
    std::vector<std::string> contents;
    millrace_status status = MILLRACE_OK;
    while (status == MILLRACE_OK || status == MILLRACE_TIMEOUT || status == MILLRACE_EPOCH_END) {
      millrace_batch* batch = nullptr;
      status = millrace_next(opened.loader, 0.02, &batch);
      if (batch == nullptr) continue;
      held.push_back(batch);
      contents.push_back(contentOf(*batch));
    }
    QCOMPARE(status, MILLRACE_HELD);
    QVERIFY(held.size() >= 3);
    for (std::size_t i = 0; i < held.size(); ++i) QCOMPARE(contentOf(*held[i]), contents[i]);
    // Any of them makes room for the next one.
    millrace_release(held[1]);
    const auto take = [&](double seconds, millrace_batch*& batch) {
      const millrace_status taken = millrace_next(opened.loader, seconds, &batch);
      return taken == MILLRACE_EPOCH_END ? millrace_next(opened.loader, seconds, &batch) : taken;
    };
    QCOMPARE(take(-1, held[1]), MILLRACE_OK);
    contents[1] = contentOf(*held[1]);
    millrace_batch* batch = nullptr;
    QCOMPARE(take(0.02, batch), MILLRACE_HELD);
    for (std::size_t i = 0; i < held.size(); ++i) QCOMPARE(contentOf(*held[i]), contents[i]);
    for (millrace_batch* kept : held) millrace_release(kept);
  }

  void aBatchThatIsKeptCostsItsSlotAlone() {
    const Opened usual;
    std::vector<std::string> expected = restOfEpoch(usual.loader);
    for (const std::string& batch : restOfEpoch(usual.loader)) expected.push_back(batch);
    const Opened opened(kChain, [](millrace_options& options) { options.held = 1; });
    millrace_batch* kept = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &kept), MILLRACE_OK);
    std::vector<std::string> seen{contentOf(*kept)};
    for (int epoch = 0; epoch < 2; ++epoch)
      for (const std::string& batch : restOfEpoch(opened.loader)) seen.push_back(batch);
    QCOMPARE(seen, expected);
    QCOMPARE(contentOf(*kept), expected.front());
    millrace_release(kept);
  }

  void aBatchOutlivesItsLoader() {
    millrace_batch* batch = nullptr;
    std::string content;
    {
      const Opened opened;
      QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
      content = contentOf(*batch);
      QCOMPARE(millrace_set_epoch(opened.loader, 3), MILLRACE_OK);
      skip(opened.loader, 2);
    }
    QCOMPARE(contentOf(*batch), content);
    millrace_release(batch);
  }

  void anEpochCanBeChosen() {
    const Opened through;
    (void)restOfEpoch(through.loader);
    (void)restOfEpoch(through.loader);
    const Opened opened;
    skip(opened.loader, 2);
    QCOMPARE(millrace_set_epoch(opened.loader, 2), MILLRACE_OK);
    QCOMPARE(restOfEpoch(opened.loader), restOfEpoch(through.loader));
    QCOMPARE(millrace_set_epoch(opened.loader, 3), MILLRACE_OK);
    QVERIFY(restOfEpoch(opened.loader).front().starts_with("3:0 "));
  }

  void aBatchCanBeChosen() {
    const auto whole = restOfEpoch(Opened().loader);
    for (int at = 0; at < kBatches; ++at) {
      const Opened opened;
      QCOMPARE(millrace_set_position(opened.loader, 0, static_cast<std::uint64_t>(at)),
               MILLRACE_OK);
      QCOMPARE(restOfEpoch(opened.loader), std::vector(whole.begin() + at, whole.end()));
    }
    const Opened opened;
    QCOMPARE(millrace_set_position(opened.loader, 0, kBatches), MILLRACE_ERROR_USE);
    QVERIFY2(std::strstr(millrace_last_error(), "epoch 0 has 6 batches"), millrace_last_error());
    QCOMPARE(restOfEpoch(opened.loader), whole);
  }

  void aStateOfOtherBatchesIsRefusedWithWhatDiffers() {
    const Opened opened;
    skip(opened.loader, 1);
    const std::string state = opened.state();
    const auto refused = [&](const std::string& chain, const char* word) {
      const Opened other(chain);
      QVERIFY2(other.status == MILLRACE_OK, other.error.c_str());
      QCOMPARE(millrace_restore(other.loader, state.c_str()), MILLRACE_ERROR_STATE);
      QVERIFY2(std::strstr(millrace_last_error(), word), millrace_last_error());
      QVERIFY(restOfEpoch(other.loader).front().starts_with("0:0 "));
    };
    refused(changed(kChain, "shuffle {}\n", ""), "- shuffle");
    refused(changed(kChain, "\"count\": 22", "\"count\": 23"), "23 samples now");
    const std::uint64_t seed = 99;
    const Opened seeded(kChain, [&](millrace_options& options) { options.seed = &seed; });
    QCOMPARE(millrace_restore(seeded.loader, state.c_str()), MILLRACE_ERROR_STATE);
    QVERIFY2(std::strstr(millrace_last_error(), "seed"), millrace_last_error());
  }

  void aDamagedStateIsRefused() {
    const Opened opened;
    std::string state = opened.state();
    for (const std::string& bad :
         {std::string(), std::string("{}"), std::string("[1]"), state.substr(0, state.size() / 2),
          changed(state, "\"samples\":0", "\"samples\":-1"),
          changed(state, "\"samples\":0", "\"samples\":28"),
          changed(state, "\"millrace_state\":2", "\"millrace_state\":3"),
          changed(state, "\"pipeline\":{", "\"pipeline\":[{")}) {
      QCOMPARE(millrace_restore(opened.loader, bad.c_str()), MILLRACE_ERROR_STATE);
      QVERIFY(std::strlen(millrace_last_error()) > 10);
    }
    QCOMPARE(millrace_restore(opened.loader, nullptr), MILLRACE_ERROR_STATE);
    QCOMPARE(restOfEpoch(opened.loader).size(), std::size_t{kBatches + 1});
  }

  void whatCannotBeOpenedSaysWhy() {
    const char* bad = "batch.size=none";
    const std::vector<std::pair<std::function<void(millrace_options&)>, const char*>> cases{
        {[](auto& o) { o.text = nullptr; }, "name one pipeline"},
        {[](auto& o) { o.pipeline = "classification"; }, "name one pipeline"},
        {[](auto& o) { o.text = "{"; }, "line 1"},
        {[](auto& o) { o.text = nullptr, o.pipeline = "/nowhere/x.millrace.json"; },
         "no such file"},
        {[](auto& o) { o.text = nullptr, o.run = "7", o.store = "/nowhere/runs.db"; },
         "no such store"},
        {[&](auto& o) { o.settings = &bad, o.settings_count = 1; }, "batch.size"},
        {[](auto& o) { o.max_failures = "many"; }, "max_failures"},
        {[](auto& o) { o.world = 2, o.rank = 2; }, "rank 2 is not below the world size 2"},
        {[](auto& o) { o.held = 1U << 20U; }, "held"},
    };
    for (const auto& [change, word] : cases) {
      const Opened opened(kChain, change);
      QCOMPARE(opened.status, MILLRACE_ERROR_INPUT);
      QCOMPARE(opened.loader, nullptr);
      QVERIFY2(opened.error.find(word) != std::string::npos, opened.error.c_str());
    }
    const Opened unbatched(changed(kChain, "batch {\"size\": 4}\n", ""));
    QCOMPARE(unbatched.status, MILLRACE_ERROR_INPUT);
    QVERIFY2(unbatched.error.find("batch") != std::string::npos, unbatched.error.c_str());
  }

  void aProgramOfAnotherInterfaceIsRefused() {
    QCOMPARE(millrace_abi_version(), std::uint32_t{MILLRACE_ABI});
    const Opened opened(kChain, [](millrace_options& options) { options.abi = MILLRACE_ABI + 1; });
    QCOMPARE(opened.status, MILLRACE_ERROR_USE);
    QVERIFY2(opened.error.find("interface 4") != std::string::npos, opened.error.c_str());
    // A program of an earlier interface has a shorter struct: nothing after its end is read.
    for (const std::uint32_t abi : {1U, 2U}) {
      const Opened older(kChain, [&](millrace_options& options) {
        options.abi = abi;
        if (abi < 2) options.record = reinterpret_cast<const char*>(1);
        options.device = reinterpret_cast<const char*>(1);
      });
      QVERIFY2(older.status == MILLRACE_OK, older.error.c_str());
    }
  }

  void nullIsRefused() {
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(nullptr, 0, &batch), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_open(nullptr, nullptr), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_state(nullptr), nullptr);
    millrace_close(nullptr);
    millrace_release(nullptr);
    millrace_free(nullptr);
    QCOMPARE(millrace_read_on(nullptr, nullptr), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_dlpack(nullptr, 0, -1), nullptr);
    const Opened opened;
    QCOMPARE(millrace_next(opened.loader, 0, nullptr), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    QCOMPARE(millrace_to_host(batch, nullptr, batch->fields[0].data, 1), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_read_on(batch, nullptr), MILLRACE_OK);
    millrace_release(batch);
  }

  void twoLoadersGoOnSideBySide() {
    const auto expected = restOfEpoch(Opened().loader);
    const Opened one;
    const Opened two;
    skip(one.loader, 3);
    QCOMPARE(restOfEpoch(two.loader), expected);
    QCOMPARE(restOfEpoch(one.loader),
             std::vector<std::string>(expected.begin() + 3, expected.end()));
  }

  void aSecondThreadThatWaitsIsRefused() {
    const Opened opened;
    std::vector<millrace_batch*> held;
    for (millrace_status status = MILLRACE_OK; status != MILLRACE_HELD;) {
      millrace_batch* batch = nullptr;
      status = millrace_next(opened.loader, 0.02, &batch);
      if (batch != nullptr) held.push_back(batch);
    }
    std::thread other([&] {
      millrace_batch* batch = nullptr;
      // Refused as long as the first thread is the one that is waiting.
      while (millrace_next(opened.loader, 60, &batch) != MILLRACE_OK) {
      }
      millrace_release(batch);
    });
    // Until the other thread is waiting, this one would wait.
    millrace_status status = MILLRACE_HELD;
    for (int i = 0; i < 100000 && status != MILLRACE_ERROR_USE; ++i) {
      millrace_batch* batch = nullptr;
      status = millrace_next(opened.loader, 0, &batch);
    }
    QCOMPARE(status, MILLRACE_ERROR_USE);
    QVERIFY(std::strstr(millrace_last_error(), "another thread"));
    QCOMPARE(millrace_set_epoch(opened.loader, 9), MILLRACE_ERROR_USE);
    for (millrace_batch* batch : held) millrace_release(batch);
    other.join();
  }

  void aForkedChildIsRefusedAndEndsCleanly() {
    const Opened opened;
    millrace_batch* held = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &held), MILLRACE_OK);
    const pid_t child = fork();
    if (child == 0) {
      millrace_batch* batch = nullptr;
      const bool refused = millrace_next(opened.loader, 1, &batch) == MILLRACE_ERROR_USE &&
                           std::strstr(millrace_last_error(), "forked") != nullptr;
      millrace_release(held);
      millrace_close(opened.loader);
      _exit(refused ? 0 : 1);
    }
    int ended = -1;
    QCOMPARE(waitpid(child, &ended, 0), child);
    QCOMPARE(ended, 0);
    millrace_release(held);
    QCOMPARE(restOfEpoch(opened.loader).size(), std::size_t{kBatches});
  }

  void shardsPartTheData() {
    std::multiset<std::uint32_t> all;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      const Opened opened(kChain, [&](auto& o) { o.world = 2, o.rank = rank; });
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      millrace_batch* batch = nullptr;
      while (millrace_next(opened.loader, -1, &batch) == MILLRACE_OK) {
        all.insert(batch->samples, batch->samples + batch->rows);
        millrace_release(batch);
      }
    }
    QCOMPARE(all.size(), std::size_t{22});
    QCOMPARE(std::set<std::uint32_t>(all.begin(), all.end()).size(), std::size_t{22});
  }

  void samplesThatFailAreNamedAndTooManyEndTheRun() {
    const tests::TemporaryFolder folder;
    for (int i = 0; i < 4; ++i) folder.write("a/" + std::to_string(i) + ".jpg", "no picture");
    const std::string path = folder.path().string();
    const char* data = path.c_str();
    const std::string chain =
        "image_folder {\"paths\": [\"x\"]}\nworkers {}\ndecode {}\n"
        "resize {\"width\": 8, \"height\": 8}\nbatch {\"size\": 2}\ndrain {}\n";
    const auto open = [&](millrace_options& o) { o.data = &data, o.data_count = 1; };
    const Opened opened(chain, [&](auto& o) { open(o), o.max_failures = "4"; });
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    // Batches without a valid sample are left out, and the epoch still ends.
    millrace_batch* batch = nullptr;
    while (opened.taken(millrace_failures(opened.loader, 0)).find("\"total\":4") ==
           std::string::npos)
      QVERIFY(millrace_next(opened.loader, 0.01, &batch) != MILLRACE_OK);
    // Workers fail in any order; the list continues where the last call ended.
    const QByteArray last =
        QByteArray::fromStdString(opened.taken(millrace_failures(opened.loader, 3)));
    QVERIFY2(last.contains("\"total\":4"), last.constData());
    QVERIFY2(last.count(".jpg\"") == 1, last.constData());
    const Opened strict(chain, open);
    QCOMPARE(millrace_next(strict.loader, -1, &batch), MILLRACE_ERROR_RUN);
    QVERIFY2(std::strstr(millrace_last_error(), "decode"), millrace_last_error());
  }

  void theLoaderTellsWhatItGivesAndWhatItCost() {
    const Opened opened;
    const std::string told = opened.taken(millrace_describe(opened.loader));
    QVERIFY2(told.find("\"batches\":6") != std::string::npos, told.c_str());
    QVERIFY(told.find(R"("shape":[4,9])") != std::string::npos);
    (void)restOfEpoch(opened.loader);
    const std::string stats = opened.taken(millrace_stats(opened.loader));
    QVERIFY2(stats.find("\"samples\":22,") != std::string::npos, stats.c_str());
    QVERIFY(stats.find("\"step_share\":null") == std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestMillrace;
MILLRACE_TEST_CASE(TestMillrace)
#include "tst_millrace.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The device in software must find each planted defect, and none in correct kernels.
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "tests/ptx/device_memory.h"
#include "tests/ptx/runtime_kernels.h"
#include "tests/ptx/self/planted.h"
#include "tests/support/test_case.h"

namespace millrace {

using ptx::DeviceMemory;
using ptx::Fault;
using Kind = ptx::Fault::Kind;

class TestPtxFindings : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kCount = 100;

  struct Run {
    std::uint32_t blocks = 1;
    std::uint32_t threads = 128;
    std::uint32_t count = kCount;
    std::size_t words = 256;  ///< of `data`
    std::size_t shared = 0;
    bool fills = true;   ///< fills `data` and `other` with their indices
    bool frees = false;  ///< `other`, before it is used
  };

  static std::uint64_t memory(std::size_t words, bool fills) {
    DeviceMemory& device = DeviceMemory::instance();
    const std::uint64_t address = device.allocate(words * 4);
    if (!fills) return address;
    for (std::uint32_t i = 0; i < words; ++i)
      std::memcpy(device.data(address + std::uint64_t{i} * 4), &i, 4);
    std::memset(device.states(address), DeviceMemory::Written, words * 4);
    return address;
  }

  std::vector<std::uint32_t> m_data;  ///< the content after the last kernel

  std::optional<ptx::Finding> run(const std::string& name, const Run& how) {
    const std::uint64_t data = memory(how.words, true);
    const std::uint64_t other = memory(kCount, how.fills);
    if (how.frees) DeviceMemory::instance().free(other);
    ptx::Kernel* const kernel = ptx::kernelOf(tests::plantedKernels().at(name));
    if (ptx::translated(*kernel) != cudaSuccess) qFatal("%s was not translated", name.c_str());
    ptx::Launch launch{{how.blocks, 1, 1}, {how.threads, 1, 1}, how.shared, {}};
    launch.parameters.resize(20);
    std::memcpy(launch.parameters.data(), &data, 8);
    std::memcpy(launch.parameters.data() + 8, &other, 8);
    std::memcpy(launch.parameters.data() + 16, &how.count, 4);
    auto finding = kernel->runner->run(launch);
    m_data.resize(how.words);
    std::memcpy(m_data.data(), DeviceMemory::instance().data(data), how.words * 4);
    return finding;
  }

  void finds(const std::string& name, Kind kind, const char* words, const Run& how) {
    const auto finding = run(name, how);
    QVERIFY2(finding, (name + " was not found out").c_str());
    QVERIFY2(finding->kind == kind, finding->text.c_str());
    for (const char* part : {words, name.c_str(), "block (", "thread (", "PTX line "})
      QVERIFY2(finding->text.find(part) != std::string::npos, finding->text.c_str());
  }
  void isFine(const std::string& name, const Run& how) {
    const auto finding = run(name, how);
    QVERIFY2(!finding, finding ? finding->text.c_str() : "");
  }

 private slots:
  void whatLiesOutsideOfABlockIsFound() {
    isFine("copies", {.words = kCount});
    finds("copiesOneMore", Kind::Address, "0 bytes after the end of a block of 400",
          {.words = kCount});
    finds("readsOneMore", Kind::Address, "0 bytes after the end of a block of 400", {});
    finds("copies", Kind::Address, "of a freed block of 400", {.frees = true});
  }

  void aVectorThatIsNotAlignedIsFound() {
    finds("storesMisaligned", Kind::Misaligned, "write of 8 bytes", {.threads = 1});
    isFine("storesAligned", {.threads = 1});
  }

  void aReadOfWhatNobodyWroteIsFound() {
    finds("addsUp", Kind::Unwritten, "never written: byte 0 of a block of 400", {.fills = false});
    isFine("addsUp", {});
    QCOMPARE(m_data[5], kCount * (kCount - 1) / 2);
  }

  void racesInSharedMemoryAreFound() {
    finds("sharesWithNeighbour<false>", Kind::Race, "shared memory", {});
    isFine("sharesWithNeighbour<true>", {});
    QCOMPARE(m_data[127], 0U);
    finds("sharesTwice<false>", Kind::Race, "shared memory", {});
    isFine("sharesTwice<true>", {});
    QCOMPARE(m_data[0], 35U);
    isFine("sharesBytes", {});
    QCOMPARE(m_data[6], 7U);
  }

  void sharedMemoryEndsWhereTheLaunchSays() {
    isFine("sharesPastTheEnd", {.threads = 64, .shared = 256});
    finds("sharesPastTheEnd", Kind::Address, "the block has 252 bytes of it",
          {.threads = 64, .shared = 252});
  }

  void barriersThatNotAllReachAreFound() {
    finds("waitsAtTwoPlaces", Kind::Barrier, "another barrier", {});
    finds("waitsForTheEnded", Kind::Barrier, "have ended", {.count = 32});
    finds("waitsForTheEnded", Kind::Barrier, "have ended", {.count = 100});
    isFine("waitsForTheEnded", {.count = 128});
  }

  void racesInGlobalMemoryAreFound() {
    finds("writesTheSamePlace", Kind::Race, "another thread writes it", {.blocks = 3});
    isFine("writesTheSame", {.blocks = 3});
    finds("movesDown", Kind::Race, "another thread", {});
    isFine("movesDownInTurn", {});
    QCOMPARE(m_data[50], 51U);
    finds("readsOtherBlocks", Kind::Race, "another thread", {.blocks = 4, .count = 4});
    finds("countsWithoutAtomics", Kind::Race, "another thread", {.threads = 2});
    finds("countsAndReads", Kind::Race, "another thread", {.threads = 64});
    finds("readsAsReadOnly", Kind::Race, "read-only", {.threads = 1});
  }

  void atomicOperationsAreOrdered() {
    isFine("counts", {.blocks = 7, .threads = 100});
    QCOMPARE(m_data[0], 700U);
  }

  void shufflesGiveTheSumOfAllThreads() {
    isFine("sums", {.blocks = 2, .threads = 64});
    QCOMPARE(m_data[0], kCount * (kCount - 1) / 2);
    finds("shufflesWithTheEnded", Kind::Barrier, "waits for lanes", {});
  }

  void votesCountLanes() {
    isFine("votes", {.threads = 64});
    QCOMPARE(m_data[0], 0xaaaaaaaaU ^ 1U);
    QCOMPARE(m_data[40], 0xaaaaaaaaU);
  }

  void functionsAreCalled() {
    isFine("callsFunctions", {});
    QCOMPARE(m_data[4], 126U + 5U);
    QCOMPARE(m_data[12], 36U + 1U);
  }

  void aThreadsOwnMemoryEnds() {
    isFine("indexesItsOwn", {.count = 3});
    QCOMPARE(m_data[2], 25U);
    finds("indexesPastItsOwn", Kind::Address, "local memory", {.count = 3});
  }

  void threadsThatPartMeetAgain() {
    isFine("loopsApart", {.threads = 96});
    for (std::uint32_t t = 0; t < 96; ++t) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i <= t % 7 && sum <= 40; ++i)
        for (std::uint32_t k = 0; k < i && (t + i) % 3 != 0; ++k) sum += k % kCount;
      QCOMPARE(m_data[t], sum);
    }
  }
};

}  // namespace millrace

using millrace::TestPtxFindings;
MILLRACE_TEST_CASE(TestPtxFindings)
#include "tst_ptx_findings.moc"

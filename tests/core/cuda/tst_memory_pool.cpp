// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/emulated_device.h"
#include "core/cuda/pinned_source.h"
#include "core/data/buffer.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestMemoryPool : public QObject {
  Q_OBJECT
 private slots:
  void aBlockThatComesBackIsGivenAgain() {
    const std::shared_ptr<Device> device = makeEmulatedDevice();
    std::byte* first = nullptr;
    for (int i = 0; i < 5; ++i) {
      DeviceBuffer buffer = device->deviceMemory(100'000).take();
      if (i == 0) first = buffer.data();
      QCOMPARE(buffer.data(), first);
    }
    QCOMPARE(device->deviceTotals().allocations, std::uint64_t{1});
    QCOMPARE(device->deviceTotals().usedBytes, std::size_t{0});
    QVERIFY(device->deviceTotals().heldBytes >= 100'000);
  }

  void theSmallestBlockThatFitsIsTakenAndNoneThatIsMuchTooLarge() {
    const std::shared_ptr<Device> device = makeEmulatedDevice();
    std::byte* small = nullptr;
    std::byte* large = nullptr;
    {
      const DeviceBuffer a = device->deviceMemory(3'000).take();
      const DeviceBuffer b = device->deviceMemory(5'000).take();
      small = a.data();
      large = b.data();
    }
    const DeviceBuffer first = device->deviceMemory(2'600).take();
    QCOMPARE(first.data(), small);
    const DeviceBuffer tiny = device->deviceMemory(100).take();
    QVERIFY(tiny.data() != large);
    const DeviceBuffer second = device->deviceMemory(2'600).take();
    QCOMPARE(second.data(), large);
    QCOMPARE(device->deviceTotals().allocations, std::uint64_t{3});
  }

  void buffersAreAlignedAndMove() {
    const std::shared_ptr<Device> device = makeEmulatedDevice();
    PinnedBuffer buffer = device->pinnedMemory(1).take();
    QCOMPARE(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, std::uintptr_t{0});
    PinnedBuffer other = std::move(buffer);
    QVERIFY(other.data() != nullptr);
    buffer = std::move(other);
    QVERIFY(buffer.data() != nullptr);
    QVERIFY(device->pinnedTotals().usedBytes > 0);
  }

  void whatIsFreeIsGivenBackBeforeMemoryIsRefused() {
    EmulatedOptions options;
    options.deviceBytes = 64 * 1024;
    const std::shared_ptr<Device> device = makeEmulatedDevice(options);
    {
      const DeviceBuffer small = device->deviceMemory(40 * 1024).take();
    }
    const auto large = device->deviceMemory(60 * 1024);
    QVERIFY(large.ok());
    const auto more = device->deviceMemory(10 * 1024);
    QVERIFY(!more.ok());
    const QString message = QString::fromStdString(more.error().message);
    QVERIFY2(message.contains("cannot allocate 10.2 kB of device memory on GPU 0 (emulated)"),
             qPrintable(message));
    QVERIFY2(message.contains("free"), qPrintable(message));
  }

  void whatIsFreeIsGivenBackWhenSomebodySaysSo() {
    const std::shared_ptr<Device> device = makeEmulatedDevice();
    const DeviceBuffer used = device->deviceMemory(10'000).take();
    (void)device->deviceMemory(100'000).take();
    (void)device->pinnedMemory(100'000).take();
    QVERIFY(device->pinnedTotals().heldBytes > 0);
    device->giveBackFree();
    QCOMPARE(device->deviceTotals().heldBytes, used.bytes());
    QCOMPARE(device->deviceTotals().usedBytes, used.bytes());
    QCOMPARE(device->pinnedTotals().heldBytes, std::size_t{0});
  }

  void aBufferOutlivesItsDevice() {
    std::shared_ptr<Device> device = makeEmulatedDevice();
    DeviceBuffer buffer = device->deviceMemory(1000).take();
    device.reset();
    std::memset(buffer.data(), 7, 1000);
    QCOMPARE(std::to_integer<int>(buffer.data()[999]), 7);
  }

  void aBufferOfPinnedMemoryFallsBackToTheHeap() {
    EmulatedOptions options;
    options.pinnedBytes = 8 * 1024;
    const std::shared_ptr<Device> device = makeEmulatedDevice(options);
    const auto source = std::make_shared<PinnedSource>(device);
    Buffer buffer(source);
    std::byte* const pinned = buffer.reserve(1000);
    QVERIFY(buffer.fromSource());
    std::memset(pinned, 1, 1000 + Buffer::kPadding);
    pinned[0] = std::byte{42};
    std::byte* const grown = buffer.grow(100'000, 1000);
    QVERIFY(!buffer.fromSource());
    QVERIFY(source->trouble().find("pinned memory") != std::string::npos);
    QCOMPARE(std::to_integer<int>(grown[0]), 42);
    QCOMPARE(std::to_integer<int>(grown[999]), 1);
    QCOMPARE(device->pinnedTotals().usedBytes, std::size_t{0});
  }
};

}  // namespace millrace

using millrace::TestMemoryPool;
MILLRACE_TEST_CASE(TestMemoryPool)
#include "tst_memory_pool.moc"

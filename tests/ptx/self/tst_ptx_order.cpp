// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Unordered work of two streams on the same memory must be found if neither an event nor a waiting
// host orders it, however fast it was.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/ptx/self/planted.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestPtxOrder : public QObject {
  Q_OBJECT

  /// Two streams and what they share.
  struct Streams {
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaEvent_t event = nullptr;
    std::byte* data = nullptr;
    void* pinned = nullptr;

    Streams() {
      (void)cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
      (void)cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
      (void)cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
      (void)cudaMalloc(reinterpret_cast<void**>(&data), 1024);
      (void)cudaHostAlloc(&pinned, 1024, cudaHostAllocPortable);
    }
    void writes(cudaStream_t stream) {
      std::uint32_t count = 0;
      void* arguments[] = {&data, &data, &count};
      const void* const kernel = tests::plantedKernels().at("writesTheSame");
      (void)cudaLaunchKernel(kernel, 1, 1, arguments, 0, stream);
    }
    void reads(cudaStream_t stream) const {
      (void)cudaMemcpyAsync(pinned, data, 4, cudaMemcpyDeviceToHost, stream);
    }
    void orders() const {
      (void)cudaEventRecord(event, first);
      (void)cudaStreamWaitEvent(second, event, 0);
    }
  };

  /// Whether the device is fine after `work`. Runs in a separate process, because a fault is
  /// permanent.
  static bool isFine(const std::function<void(Streams&)>& work) {
    const pid_t child = fork();
    if (child == 0) {
      Streams streams;
      work(streams);
      _exit(cudaDeviceSynchronize() == cudaSuccess ? 0 : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private slots:
  void aReadInAnotherStreamIsOrderedByAnEvent() {
    QVERIFY(isFine([](Streams& s) {
      s.writes(s.first);
      s.orders();
      s.reads(s.second);
    }));
    QVERIFY(!isFine([](Streams& s) {
      s.writes(s.first);
      s.reads(s.second);
    }));
  }

  void anEventThatWasRecordedTooSoonOrdersNothing() {
    QVERIFY(!isFine([](Streams& s) {
      s.orders();
      s.writes(s.first);
      s.reads(s.second);
    }));
  }

  void aWriteBehindAReadIsToBeOrderedToo() {
    const auto reused = [](bool ordered) {
      return [ordered](Streams& s) {
        s.writes(s.first);
        s.reads(s.first);
        if (ordered) s.orders();
        s.writes(s.second);
      };
    };
    QVERIFY(isFine(reused(true)));
    QVERIFY(!isFine(reused(false)));
  }

  void aHostThatWaitedOrders() {
    QVERIFY(isFine([](Streams& s) {
      s.writes(s.first);
      (void)cudaStreamSynchronize(s.first);
      s.reads(s.second);
    }));
    QVERIFY(isFine([](Streams& s) {
      s.writes(s.first);
      (void)cudaEventRecord(s.event, s.first);
      while (cudaEventQuery(s.event) == cudaErrorNotReady) {
      }
      s.reads(s.second);
    }));
  }
};

}  // namespace millrace

using millrace::TestPtxOrder;
MILLRACE_TEST_CASE(TestPtxOrder)
#include "tst_ptx_order.moc"

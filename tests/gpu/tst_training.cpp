// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The training step on a real GPU: the built-in kernels compared with the host's, and cuDNN's with
// those.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/cuda/cuda_facts.h"
#include "tests/core/train/learnable.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::FedTrainer;
using tests::smallTrainer;
using tests::StripedBatch;

/// Makes trainers without NVIDIA's libraries while it exists; restores the user's settings
/// afterwards.
class OwnKernels {
 public:
  OwnKernels() {
    qputenv("MILLRACE_CUDNN", "none");
    qputenv("MILLRACE_CUBLAS", "none");
  }
  OwnKernels(const OwnKernels&) = delete;
  OwnKernels& operator=(const OwnKernels&) = delete;
  ~OwnKernels() {
    put("MILLRACE_CUDNN", m_cudnn);
    put("MILLRACE_CUBLAS", m_cublas);
  }

 private:
  static void put(const char* name, const QByteArray& value) {
    value.isNull() ? qunsetenv(name) : qputenv(name, value);
  }
  const QByteArray m_cudnn = qgetenv("MILLRACE_CUDNN");
  const QByteArray m_cublas = qgetenv("MILLRACE_CUBLAS");
};

class TestTraining : public QObject {
  Q_OBJECT

  std::shared_ptr<Device> m_device;

  /// The losses of several steps.
  static std::vector<float> losses(FedTrainer& fed, std::uint32_t steps) {
    std::vector<float> all;
    for (std::uint32_t i = 0; i < steps; ++i) {
      const auto step = fed.step(StripedBatch(i, 12, 8));
      all.push_back(step ? step->state.loss : NAN);
    }
    return all;
  }

  static double farthest(const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    return most;
  }

 private slots:
  void initTestCase() {
    auto device = openCudaDevice(0);
    if (!device) QSKIP(device.error().message.c_str());
    m_device = device.take();
  }

  void kernelsMakeTheHostsSteps() {
    const OwnKernels own;
    FedTrainer here(m_device, smallTrainer(12, 8, DType::F32));
    FedTrainer host(makeEmulatedDevice(), smallTrainer(12, 8, DType::F32));
    // Exponentials and roots may differ in the last bit.
    QVERIFY(farthest(losses(here, 3), losses(host, 3)) < 1e-4);
    QVERIFY(farthest(here.trainer->parameters().take(), host.trainer->parameters().take()) < 1e-3);
  }

  void cudnnMakesTheSameSteps_data() {
    QTest::addColumn<DType>("precision");
    QTest::addColumn<double>("bound");
    // With cuDNN f32 is TF32, which has as many digits as f16.
    QTest::newRow("f32") << DType::F32 << 0.02;
    QTest::newRow("f16") << DType::F16 << 0.02;
    QTest::newRow("bf16") << DType::BF16 << 0.1;
  }
  void cudnnMakesTheSameSteps() {
    QFETCH(DType, precision);
    QFETCH(double, bound);
    if (const auto found = CudnnLibrary::use(DeviceBackend::Cuda); !found)
      QSKIP(found.error().message.c_str());
    std::optional<OwnKernels> without(std::in_place);
    FedTrainer own(m_device, smallTrainer(12, 8, precision));
    without.reset();
    FedTrainer cudnn(m_device, smallTrainer(12, 8, precision));
    QVERIFY(cudnn.trainer->libraries().starts_with("cuDNN "));
    const double differ = farthest(losses(own, 3), losses(cudnn, 3));
    QVERIFY2(differ < bound, qPrintable(QString::number(differ)));
  }

  void theLossFalls_data() { cudnnMakesTheSameSteps_data(); }
  void theLossFalls() {
    QFETCH(DType, precision);
    TrainerSettings settings = smallTrainer(12, 8, precision);
    if (precision == DType::F16) settings.lossScale = 1024;
    FedTrainer fed(m_device, settings);
    const std::vector<float> all = losses(fed, 60);
    // A single batch may be a difficult one.
    float last = 0;
    for (std::size_t i = all.size() - 5; i < all.size(); ++i) last += all[i] / 5;
    QVERIFY2(last < 0.5F * all.front(), qPrintable(QString::number(double{last})));
  }
};

MILLRACE_TEST_CASE(TestTraining)

}  // namespace millrace

#include "tst_training.moc"

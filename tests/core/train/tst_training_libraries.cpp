// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/base/text/text.h"
#include "core/cuda/libraries/cublas_library.h"
#include "core/cuda/libraries/cudnn_library.h"
#include "core/cuda/libraries/nccl_library.h"
#include "tests/core/train/learnable.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::FedTrainer;
using tests::smallTrainer;
using tests::StripedBatch;

namespace {

/// Sets the libraries that a trainer finds while this object exists.
class NamedLibraries {
 public:
  NamedLibraries(const char* cudnn, const char* cublas) {
    setenv("MILLRACE_CUDNN", cudnn, 1);
    setenv("MILLRACE_CUBLAS", cublas, 1);
  }
  ~NamedLibraries() {
    unsetenv("MILLRACE_CUDNN");
    unsetenv("MILLRACE_CUBLAS");
  }
  NamedLibraries(const NamedLibraries&) = delete;
  NamedLibraries& operator=(const NamedLibraries&) = delete;
};

/// A counter of the fake cuDNN, which must have been opened.
int counted(const char* what) {
  void* const library = dlopen(tests::kFakeCudnn, RTLD_NOW | RTLD_NOLOAD);
  auto* const count = reinterpret_cast<int (*)()>(dlsym(library, what));
  const int value = count();
  dlclose(library);
  return value;
}

}  // namespace

class TestTrainingLibraries : public QObject {
  Q_OBJECT

  const std::shared_ptr<Device> m_device = makeEmulatedDevice();

  /// Convolutions of different shapes: forward, backward to their weights and, except for the
  /// first, to their input.
  static int passes(const Network& network) {
    std::vector<ConvShape> shapes;
    for (const Layer& layer : network.layers)
      if (const auto* const conv = std::get_if<ConvLayer>(&layer)) {
        const ConvShape shape = network.shapeOf(*conv, 1);
        if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
      }
    return 3 * static_cast<int>(shapes.size()) - 1;
  }

 private slots:
  /// With batches of different sizes; cuDNN is asked once for each size.
  void cudnnAndCublasMakeTheSameSteps() {
    TrainerSettings settings = smallTrainer(6, 8, DType::F32);
    // Small steps, because norms over one or two rows amplify a difference in the last bit.
    settings.rule.learningRate = 0.005F;
    FedTrainer own(m_device, settings);
    const NamedLibraries libraries(tests::kFakeCudnn, tests::kFakeCublas);
    FedTrainer other(m_device, settings);
    QCOMPARE(other.trainer->libraries(), "cuDNN 9.5.1, cuBLAS 13.1.0");
    QVERIFY(own.trainer->libraries().starts_with("no cuDNN ("));
    const int tried = counted("millraceTried");
    const int calls = passes(other.trainer->network());
    QVERIFY(calls < 3 * static_cast<int>(other.trainer->network().convs) - 1);
    QVERIFY(tried >= calls);
    std::set<std::uint32_t> known{6};
    for (const std::uint32_t rows : {6U, 6U, 2U, 6U, 3U, 2U, 1U, 6U, 3U, 1U, 2U, 6U}) {
      const int asked = counted("millraceAsked");
      const StripedBatch batch(rows, rows, 8);
      const auto a = own.step(batch);
      const auto b = other.step(batch);
      VERIFY_OK(a);
      VERIFY_OK(b);
      QVERIFY(std::abs(a->state.loss - b->state.loss) < 1e-3);
      QCOMPARE(counted("millraceAsked") - asked, known.insert(rows).second ? calls : 0);
    }
    QCOMPARE(counted("millraceTried"), tried);
    const std::vector<float> a = own.trainer->parameters().take();
    const std::vector<float> b = other.trainer->parameters().take();
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    // Only the order of sums differs.
    QVERIFY2(most < 1e-3, qPrintable(QString::number(most)));
  }

  void whatCudnnRefusesIsSaidWithTheCall() {
    const NamedLibraries libraries(tests::kFakeCudnn, tests::kFakeCublas);
    // The fake supports f32 only.
    const auto made = Trainer::make(m_device, smallTrainer(6, 8, DType::BF16));
    QVERIFY(!made);
    QCOMPARE(made.error().message, "cudnnSetTensor4dDescriptor: bad parameter");
  }

  void howMuchIsNeededCountsAllOfANetworkAndWhatCudnnTakes() {
    const auto needed = [](std::size_t bytes) {
      const auto small = makeEmulatedDevice({.deviceBytes = bytes});
      const auto made = Trainer::make(small, smallTrainer(6, 8, DType::F32));
      return made ? std::string() : made.error().message;
    };
    const std::string own = needed(1000000);
    QVERIFY2(own.find(" for batches of 6: ") != std::string::npos, own.c_str());
    const NamedLibraries libraries(tests::kFakeCudnn, tests::kFakeCublas);
    const std::string by = needed(1000000);
    QVERIFY2(
        by.find(" for batches of 6, and cuDNN up to 1.07 GB of workspace: ") != std::string::npos,
        by.c_str());
    // Parameters are most of the memory here.
    FedTrainer fed(m_device, smallTrainer(6, 8, DType::F32));
    const auto used = static_cast<double>(m_device->deviceTotals().usedBytes);
    QVERIFY2(by.starts_with("the network needs " + humanBytes(used)), by.c_str());
  }

  /// Continues with no more memory than needed, also for more numbers of rows than are cached.
  void algorithmsAreTriedInTheMemoryThatIsThere() {
    const NamedLibraries libraries(tests::kFakeCudnn, tests::kFakeCublas);
    constexpr std::size_t kLittle = std::size_t{24} << 20U;
    const auto little = makeEmulatedDevice({.deviceBytes = kLittle});
    FedTrainer fed(little, smallTrainer(6, 8, DType::F32));
    FedTrainer other(m_device, smallTrainer(6, 8, DType::F32));
    QVERIFY(little->deviceTotals().peakBytes > kLittle / 4);
    QVERIFY(little->deviceTotals().usedBytes < kLittle / 4);
    for (const std::uint32_t rows : {6U, 5U, 4U, 3U, 2U, 1U, 5U, 6U}) {
      const StripedBatch batch(rows, rows, 8);
      const auto step = fed.step(batch);
      VERIFY_OK(step);
      QCOMPARE(step->state.loss, other.step(batch)->state.loss);
    }
  }

  void bf16ByCudnnNeedsAnAmpere() {
    DeviceFacts turing;
    turing.name = "Tesla T4";
    turing.major = 7;
    turing.minor = 5;
    QCOMPARE(whyNotCudnn(turing, DType::BF16),
             "cuDNN supports bf16 from compute capability 8.0 on, but GPU 0 (Tesla T4) has 7.5");
    QCOMPARE(whyNotCudnn(turing, DType::F16), "");
    QCOMPARE(whyNotCudnn(turing, DType::F32), "");
    DeviceFacts hopper;
    hopper.major = 9;
    QCOMPARE(whyNotCudnn(hopper, DType::BF16), "");
    QCOMPARE(whyNotCudnn(m_device->facts(), DType::BF16), "");
  }

  void aLibraryThatCannotServeSaysWhy() {
    const auto cudnn = [](const char* file, DeviceBackend backend) {
      const auto opened = CudnnLibrary::open(file, backend);
      return opened ? std::string() : opened.error().message;
    };
    QCOMPARE(cudnn("libnothing.so.9", DeviceBackend::Cuda), "libnothing.so.9 is not installed");
    QVERIFY(cudnn(tests::kFakeCudnnOld, DeviceBackend::Emulated).ends_with("older than cuDNN 9"));
    QVERIFY(cudnn(tests::kFakeCublas, DeviceBackend::Emulated)
                .ends_with("has no function cudnnGetVersion"));
    QVERIFY(cudnn(tests::kFakeCudnn, DeviceBackend::Cuda).find("a test double") !=
            std::string::npos);
    const auto cublas = CublasLibrary::open(tests::kFakeCudnn, DeviceBackend::Emulated);
    QVERIFY(cublas.error().message.ends_with("has no function cublasGetProperty"));
    const auto nccl = NcclLibrary::open(tests::kFakeCudnn, DeviceBackend::Emulated);
    QVERIFY(nccl.error().message.ends_with("has no function ncclGetVersion"));
  }
};

MILLRACE_TEST_CASE(TestTrainingLibraries)

}  // namespace millrace

#include "tst_training_libraries.moc"

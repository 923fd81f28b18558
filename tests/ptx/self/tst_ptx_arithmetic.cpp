// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Compares each instruction of the device in software with plain C++, for edge cases and random
// numbers.
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/ptx/device_memory.h"
#include "tests/ptx/runtime_kernels.h"
#include "tests/ptx/self/operations.h"
#include "tests/ptx/self/references.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::bitsOf;
using tests::Operation;
using tests::References;
using tests::valueOf;

namespace {

using B = std::uint64_t;

template <class T>
std::vector<B> edgesOfFloats() {
  using Limits = std::numeric_limits<T>;
  std::vector<B> all;
  for (const T value : {T{0},
                        T{1},
                        T{2},
                        T(0.5),
                        T(1.5),
                        T(2.5),
                        T(255.5),
                        T(1e-3),
                        T(16777217),
                        T(2147483648.0),
                        T(4294967296.0),
                        T(9.2233720368547758e18),
                        T(65504),
                        T(65520),
                        T(3e-8),
                        T(6e-5),
                        Limits::min(),
                        Limits::denorm_min(),
                        Limits::infinity(),
                        Limits::quiet_NaN()})
    for (const T sign : {T{1}, T{-1}}) all.push_back(bitsOf(sign * value));
  return all;
}

/// Operands for this letter: edge cases, then random numbers whose sums are exact in 113 bits.
std::vector<B> operandsOf(char letter, std::mt19937_64& random) {
  std::vector<B> all;
  if (letter == 'f') all = edgesOfFloats<float>();
  if (letter == 'd') all = edgesOfFloats<double>();
  if (letter != 'f' && letter != 'd')
    all = {0,
           1,
           2,
           7,
           8,
           31,
           32,
           33,
           63,
           64,
           0x7fU,
           0x80U,
           0xffU,
           0x7fffU,
           0x8000U,
           0x7fffffffU,
           0x80000000U,
           0xffffffffU,
           0x7fffffffffffffffU,
           0x8000000000000000U,
           ~B{0}};
  std::uniform_real_distribution<double> real(-1, 1);
  while (all.size() < 64) {
    const double value = std::ldexp(real(random), static_cast<int>(random() % 40) - 20);
    all.push_back(letter == 'f'   ? bitsOf(static_cast<float>(value))
                  : letter == 'd' ? bitsOf(value)
                                  : random() >> random() % 60);
  }
  return all;
}

/// Only the bits of a value for this letter.
B cut(B bits, char letter) {
  return letter == 'h'                    ? bits & 0xffffU
         : letter == 'r' || letter == 'f' ? bits & 0xffffffffU
                                          : bits;
}

std::vector<B> inputsOf(const Operation& operation) {
  std::mt19937_64 random(7);
  std::vector<std::vector<B>> lists;
  for (std::size_t k = 1; k < operation.operands.size(); ++k)
    lists.push_back(operandsOf(operation.operands[k], random));
  while (lists.size() < 3) lists.emplace_back(1, 0);
  std::vector<B> inputs;
  for (const B a : lists[0])
    for (const B b : lists[1])
      for (const B c : {lists[2][random() % lists[2].size()], lists[2].front()})
        for (const auto& [bits, k] : {std::pair{a, 1U}, std::pair{b, 2U}, std::pair{c, 3U}})
          inputs.push_back(k < operation.operands.size() ? cut(bits, operation.operands[k]) : 0);
  return inputs;
}

bool isZero(B bits, char letter) {
  return letter == 'f' ? valueOf<float>(bits) == 0 : letter == 'd' && valueOf<double>(bits) == 0;
}
bool isNan(B bits, char letter) {
  if (letter == 'f') return std::isnan(valueOf<float>(bits));
  return letter == 'd' && std::isnan(valueOf<double>(bits));
}

/// Bit for bit, except that every NaN is equal, and `.approx` only needs to be close. The sign of a
/// 0 that is not a product's is negative when rounding down, which the reference does not compute.
bool agrees(const Operation& operation, B got, B wanted) {
  const char letter = operation.operands[0];
  if (operation.text.find(".rm.") != std::string::npos && isZero(got, letter) &&
      isZero(wanted, letter))
    return true;
  if (isNan(got, letter) || isNan(wanted, letter))
    return isNan(got, letter) && isNan(wanted, letter);
  if (operation.text.find("16.f32") != std::string::npos && (wanted & 0x7fffU) > 0x7c00U &&
      operation.text.find("bf16") == std::string::npos)
    return (got & 0x7fffU) > 0x7c00U;
  if (operation.text.find("bf16.f32") != std::string::npos && (wanted & 0x7fffU) > 0x7f80U)
    return (got & 0x7fffU) > 0x7f80U;
  if (operation.text.find("approx") == std::string::npos) return got == wanted;
  const double difference = std::abs(double{valueOf<float>(got)} - valueOf<float>(wanted));
  return got == wanted || difference <= 1e-6 * (1 + std::abs(double{valueOf<float>(wanted)}));
}

}  // namespace

class TestPtxArithmetic : public QObject {
  Q_OBJECT

  References m_references;

  static std::vector<B> onDevice(const Operation& operation, const std::vector<B>& inputs) {
    using ptx::DeviceMemory;
    DeviceMemory& memory = DeviceMemory::instance();
    const auto count = static_cast<std::uint32_t>(inputs.size() / 3);
    const B in = memory.allocate(inputs.size() * 8);
    const B out = memory.allocate(std::size_t{count} * 8);
    std::memcpy(memory.data(in), inputs.data(), inputs.size() * 8);
    std::memset(memory.states(in), DeviceMemory::Written, inputs.size() * 8);
    ptx::Kernel* const kernel = ptx::kernelOf(operation.kernel);
    if (ptx::translated(*kernel) != cudaSuccess) qFatal("%s", operation.text.c_str());
    ptx::Launch launch{{(count + 127) / 128, 1, 1}, {128, 1, 1}, 0, std::vector<std::byte>(20)};
    std::memcpy(launch.parameters.data(), &in, 8);
    std::memcpy(launch.parameters.data() + 8, &out, 8);
    std::memcpy(launch.parameters.data() + 16, &count, 4);
    if (const auto finding = kernel->runner->run(launch)) qFatal("%s", finding->text.c_str());
    std::vector<B> results(count);
    std::memcpy(results.data(), memory.data(out), std::size_t{count} * 8);
    memory.free(in);
    memory.free(out);
    return results;
  }

 private slots:
  void initTestCase() {
    tests::addIntegerReferences(m_references);
    tests::addBitReferences(m_references);
    tests::addFloatReferences(m_references);
    tests::addConversionReferences(m_references);
  }

  void everyInstructionGivesWhatPlainCodeGives() {
    for (const Operation& operation : tests::operations()) {
      const auto reference = m_references.find(operation.text);
      QVERIFY2(reference != m_references.end(), operation.text.c_str());
      const std::vector<B> inputs = inputsOf(operation);
      const std::vector<B> results = onDevice(operation, inputs);
      int wrong = 0;
      for (std::size_t i = 0; i < results.size() && wrong < 3; ++i) {
        const B wanted = cut(reference->second(inputs[3 * i], inputs[3 * i + 1], inputs[3 * i + 2]),
                             operation.operands[0]);
        if (agrees(operation, results[i], wanted)) continue;
        ++wrong;
        qWarning("%s of %llx, %llx, %llx is %llx, not %llx", operation.text.c_str(),
                 static_cast<unsigned long long>(inputs[3 * i]),
                 static_cast<unsigned long long>(inputs[3 * i + 1]),
                 static_cast<unsigned long long>(inputs[3 * i + 2]),
                 static_cast<unsigned long long>(results[i]),
                 static_cast<unsigned long long>(wanted));
      }
      if (wrong != 0) QTest::qFail(operation.text.c_str(), __FILE__, __LINE__);
    }
    QVERIFY(tests::operations().size() > 250);
  }
};

}  // namespace millrace

using millrace::TestPtxArithmetic;
MILLRACE_TEST_CASE(TestPtxArithmetic)
#include "tst_ptx_arithmetic.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Calls of functions in a real interpreter: values, failures, and the end of every process.
#include <signal.h>

#include <chrono>
#include <numeric>

#include <QElapsedTimer>
#include <QThread>

#include "core/base/helper_cpu.h"
#include "core/own_python/python_worker.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr const char* kPython = "/usr/bin/python3";  // has NumPy

const char* const kFunctions = R"py(
import os, random, signal, sys, time
import numpy as np

def inverted(image):
    return 255 - image
def in_place(image):
    image[...] = 255 - image
    return image
def swapped(image, mask):
    return mask, image
def named(image, mask):
    return {"mask": image, "image": mask, "other": 1}
def first(image, mask):
    return 255 - image
def halves(image):
    return image.astype(np.float32) / 2
def transposed(image):
    return image.transpose(1, 0, 2)
def large(image):
    return np.arange(10_000_000, dtype=np.int32)
def flag(image):
    return image.sum() > 3
def picture_of_one_channel(image):
    return image[:, :, 0]
def as_bytes(image):
    return b"abc"
def scalar(image):
    return np.float64(image.mean())

def raising(image):
    raise ValueError("too small")
def nothing(image):
    pass
def words(image):
    return ["a", "b"]
def one(image, mask):
    return image
def leaving(image):
    sys.exit(3)
def aborting(image):
    if image[0, 0, 0] == 1:
        os.abort()
    return image
def ending(image):
    os._exit(7)
def hanging(image):
    time.sleep(60)
def greedy(image):
    return np.ones(1 << 30, np.uint8)
def busy(image):
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    return image

def draws(image):
    return np.array([random.random(), np.random.random()])
def generator(image, rng):
    return rng.random(2)
def processes(image):
    return np.array([os.getpid(), os.getppid()])

def many_results(image):
    import millrace_own_python.calls as calls
    calls.Calls.store = lambda self, *rest: calls.HEADER.pack_into(self.memory.map, 0, 0, 1000, 0)
    return image
def result_beyond_the_memory(image):
    import millrace_own_python.calls as calls
    def store(self, *rest):
        calls.HEADER.pack_into(self.memory.map, 0, 0, 1, 0)
        calls.FIELD.pack_into(self.memory.map, 64, 0, 1, 0, 0, 1 << 40, 16, 16, 0, 0, 0, 0, 0)
    calls.Calls.store = store
    return image
def result_of_overflowing_size(image):
    import millrace_own_python.calls as calls
    def store(self, *rest):
        calls.HEADER.pack_into(self.memory.map, 0, 0, 1, 0)
        calls.FIELD.pack_into(self.memory.map, 64, 9, 2, 0, 0, 6272, 0, 1 << 32, 1 << 32, 0, 0, 0, 0)
    calls.Calls.store = store
    return image
def memory_that_is_not_there(image):
    import millrace_own_python.calls as calls
    calls.REPLY = type("Reply", (), {"pack": staticmethod(
        lambda failed, size, cpu: __import__("struct").pack("<QQQ", failed, 1 << 50, cpu))})
    return image

class Adder:
    def __call__(self, image):
        return image + 1
class Needy:
    def __init__(self, amount):
        pass
number = 5
)py";

bool always() { return true; }

bool isRunning(std::int64_t process) { return ::kill(static_cast<pid_t>(process), 0) == 0; }

}  // namespace

class TestPythonWorker : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_folder.write("mine.py", kFunctions); }

  void init() {
    m_function = {};
    m_function.interpreter = kPython;
    m_function.file = m_folder.path() / "mine.py";
    m_function.base = m_folder.path();
    m_function.inputs = {"image"};
    m_function.results = {{"image", true}};
    m_pixels.resize(2 * 3 * 3);
    std::iota(m_pixels.begin(), m_pixels.end(), std::uint8_t{1});
    m_mask.assign(6, 9);
  }

  void valuesGoThereAndBack() {
    for (const char* name : {"inverted", "in_place"}) {
      const auto results = call(name);
      VERIFY_OK(results);
      QCOMPARE(results->size(), std::size_t(1));
      QCOMPARE((*results)[0].shape, (Shape{2, 3, 3}));
      QCOMPARE((*results)[0].as<std::uint8_t>()[0], std::uint8_t(254));
      QCOMPARE((*results)[0].as<std::uint8_t>()[17], std::uint8_t(237));
    }
  }

  void typesAndShapesAreThoseOfTheResult() {
    const auto halves = call("halves");
    VERIFY_OK(halves);
    QCOMPARE((*halves)[0].dtype, DType::F32);
    QCOMPARE((*halves)[0].as<float>()[4], 2.5F);
    const auto transposed = call("transposed");
    VERIFY_OK(transposed);
    QCOMPARE((*transposed)[0].shape, (Shape{3, 2, 3}));
    QCOMPARE((*transposed)[0].as<std::uint8_t>()[3], std::uint8_t(10));
    QCOMPARE((*call("picture_of_one_channel"))[0].shape, (Shape{2, 3, 1}));
    m_function.results = {{"image", false}};
    QCOMPARE((*call("flag"))[0].dtype, DType::U8);
    QCOMPARE((*call("flag"))[0].shape, Shape{});
    QCOMPARE((*call("as_bytes"))[0].bytes, std::size_t(3));
    QCOMPARE(*(*call("scalar"))[0].as<double>(), 9.5);
  }

  void resultsMayBeLongerThanTheMemory() {
    m_function.results = {{"image", false}};
    const auto results = call("large");
    VERIFY_OK(results);
    QCOMPARE((*results)[0].bytes, std::size_t(40'000'000));
    QCOMPARE((*results)[0].as<std::int32_t>()[9'999'999], 9'999'999);
  }

  void resultsComeInOrderOrByName() {
    m_function.inputs = {"image", "mask"};
    m_function.results = {{"image", true}, {"mask", true}};
    for (const char* name : {"swapped", "named"}) {
      m_function.byName = std::string_view(name) == "named";
      const auto results = call(name, {picture(), mask()});
      VERIFY_OK(results);
      QCOMPARE((*results)[0].bytes, std::size_t(6));
      QCOMPARE((*results)[0].as<std::uint8_t>()[0], std::uint8_t(9));
      QCOMPARE((*results)[1].bytes, std::size_t(18));
    }
  }

  void resultsAreWrittenAfterAnEmptyValue() {
    m_function.inputs = {"image", "mask"};
    TensorView nothing = mask();
    nothing.shape = {0};
    nothing.layout = Layout::Plain;
    nothing.bytes = 0;
    const auto results = call("first", {picture(), nothing});
    VERIFY_OK(results);
    QCOMPARE((*results)[0].as<std::uint8_t>()[0], std::uint8_t(254));
  }

  void anObjectIsCalledToo() {
    QCOMPARE((*call("Adder"))[0].as<std::uint8_t>()[0], std::uint8_t(2));
  }

  void whatFailsIsASentence_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("says");
    QTest::newRow("raises") << "raising"
                            << "mine.py:raising raised ValueError: too small (mine.py:3";
    QTest::newRow("None") << "nothing" << "mine.py:nothing returned None";
    QTest::newRow("words")
        << "words"
        << "mine.py:words returned values of type <U1 for `image`, which Millrace cannot hold";
    QTest::newRow("exit") << "leaving" << "raised SystemExit: 3";
    QTest::newRow("many") << "many_results" << "wrote an invalid result";
    QTest::newRow("beyond") << "result_beyond_the_memory" << "wrote an invalid result";
    QTest::newRow("overflow") << "result_of_overflowing_size" << "wrote an invalid result";
    QTest::newRow("absent memory") << "memory_that_is_not_there" << "wrote an invalid result";
  }
  void whatFailsIsASentence() {
    QFETCH(QString, name);
    QFETCH(QString, says);
    auto worker = workerOf(name.toStdString());
    VERIFY_OK(worker);
    const auto failed = (*worker)->call(std::vector{picture()}, 1, always);
    QVERIFY(!failed.ok());
    QVERIFY2(QString::fromStdString(failed.error().message).contains(says),
             failed.error().message.c_str());
    QCOMPARE((*worker)->replaced(), std::uint64_t(0));
  }

  void aWrongNumberOfResultsIsASentence() {
    m_function.inputs = {"image", "mask"};
    m_function.results = {{"image", true}, {"mask", true}};
    const auto failed = call("one", {picture(), mask()});
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().message,
             std::string("mine.py:one returned one value of type ndarray, but 2 are declared: "
                         "image, mask"));
  }

  void aCrashFailsOneCall() {
    auto worker = workerOf("aborting");
    VERIFY_OK(worker);
    const auto failed = (*worker)->call(std::vector{picture()}, 1, always);
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().message, std::string("the process that called mine.py:aborting is "
                                                 "gone: it crashed: signal 6 (Aborted)"));
    QCOMPARE((*worker)->replaced(), std::uint64_t(1));
    m_pixels[0] = 2;
    VERIFY_OK((*worker)->call(std::vector{picture()}, 1, always));
    QCOMPARE((*worker)->replaced(), std::uint64_t(1));
    QVERIFY(call("ending").error().message.ends_with("it ended with exit code 7"));
  }

  void aHangEnds() {
    m_function.timeoutSeconds = 0.3;
    const auto failed = call("hanging");
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().message, std::string("mine.py:hanging did not return in 300 ms; the "
                                                 "process was ended"));
  }

  void aCallThatIsNotWantedEnds() {
    QElapsedTimer waited;
    waited.start();
    auto worker = workerOf("hanging");
    VERIFY_OK(worker);
    QVERIFY(!(*worker)->call(std::vector{picture()}, 1, [] { return false; }).ok());
    QVERIFY(waited.elapsed() < 30'000);
  }

  void memoryHasALimit() {
    m_function.memoryLimit = 500'000'000;
    const auto failed = call("greedy");
    QVERIFY(!failed.ok());
    QVERIFY2(failed.error().message.find("MemoryError") != std::string::npos,
             failed.error().message.c_str());
  }

  void drawsDependOnTheSeedAlone() {
    m_function.results = {{"image", false}};
    for (const char* name : {"draws", "generator"}) {
      const auto drawn = [&](std::uint64_t seed) {
        auto worker = workerOf(name);
        (void)(*worker)->call(std::vector{picture()}, 99, always);
        const auto values = (*worker)->call(std::vector{picture()}, seed, always);
        const auto* numbers = (*values)[0].as<double>();
        return std::vector<double>{numbers[0], numbers[1]};
      };
      const std::vector<double> first = drawn(0xFEDCBA9876543210U);
      QCOMPARE(drawn(0xFEDCBA9876543210U), first);
      QVERIFY(drawn(0xFEDCBA9876543211U) != first);
    }
  }

  void cpuTimeCountsHere() {
    const double before = HelperCpu::processSeconds();
    VERIFY_OK(call("busy"));
    const double spent = HelperCpu::processSeconds() - before;
    QVERIFY2(spent >= 0.05 && spent < 5, qPrintable(QString::number(spent)));
  }

  void noProcessIsLeft() {
    m_function.results = {{"image", false}};
    std::int64_t worker = 0;
    std::int64_t program = 0;
    {
      const auto results = call("processes");
      VERIFY_OK(results);
      worker = (*results)[0].as<std::int64_t>()[0];
      program = (*results)[0].as<std::int64_t>()[1];
      QVERIFY(isRunning(worker) && isRunning(program));
    }
    VERIFY_OK(call("flag"));  // another program takes the place of the kept one
    QVERIFY(!isRunning(worker));
    QVERIFY(!isRunning(program));
  }

  void whatCannotBeUsedIsRefusedAtTheStart_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("no name") << "inverted_" << QByteArray(kFunctions)
                             << "x.py:inverted_: the file has no `inverted_`; did you mean";
    QTest::newRow("a number") << "number" << QByteArray(kFunctions)
                              << "`number` is of type int, which cannot be called";
    QTest::newRow("arguments") << "Needy" << QByteArray(kFunctions)
                               << "the class `Needy` needs the argument amount";
    QTest::newRow("package") << "f" << QByteArray("import nothere_")
                             << "x.py:f needs the package nothere_, which /usr/bin/python3 does";
    QTest::newRow("syntax") << "f" << QByteArray("def f(:\n")
                            << "x.py:f cannot be imported: SyntaxError";
    QTest::newRow("raises") << "f" << QByteArray("raise KeyError('a')\n")
                            << "x.py:f cannot be imported: KeyError: 'a'\n    x.py:1";
    QTest::newRow("exit") << "f" << QByteArray("import sys; sys.exit(1)")
                          << "x.py:f ended the program when it was imported";
    QTest::newRow("crash") << "f" << QByteArray("import os; os.abort()")
                           << "x.py:f: the interpreter ended without a message";
  }
  void whatCannotBeUsedIsRefusedAtTheStart() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    m_folder.write("x.py", content.toStdString());
    m_function.file = m_folder.path() / "x.py";
    m_function.name = name.toStdString();
    const auto refused = PythonProgram::of(m_function);
    QVERIFY(!refused.ok());
    QVERIFY2(QString::fromStdString(refused.error().message).contains(says),
             refused.error().message.c_str());
  }

  void nodesWithOtherFunctionsShareNoProgramAndStartNoneTwice() {
    m_function.name = "flag";
    const auto one = PythonProgram::of(m_function);
    VERIFY_OK(one);
    m_function.name = "scalar";
    const auto other = PythonProgram::of(m_function);
    VERIFY_OK(other);
    QVERIFY(other->get() != one->get());
    m_function.name = "flag";
    QCOMPARE(PythonProgram::of(m_function)->get(), one->get());
  }

  void aProgramIsKeptWhileItsFileStaysTheSame() {
    m_folder.write("y.py", "def f(image): return image\n");
    m_function.file = m_folder.path() / "y.py";
    m_function.name = "f";
    const auto first = PythonProgram::of(m_function);
    VERIFY_OK(first);
    QCOMPARE(PythonProgram::of(m_function)->get(), first->get());
    m_folder.write("y.py", "def f(image): return image + 1\n");
    QVERIFY(PythonProgram::of(m_function)->get() != first->get());
  }

 private:
  TensorView picture() {
    return {DType::U8, Layout::Hwc, {2, 3, 3}, reinterpret_cast<std::byte*>(m_pixels.data()), 18};
  }
  TensorView mask() {
    return {DType::U8, Layout::Hwc, {2, 3, 1}, reinterpret_cast<std::byte*>(m_mask.data()), 6};
  }

  Result<std::unique_ptr<PythonWorker>> workerOf(const std::string& name) {
    m_function.name = name;
    MILLRACE_ASSIGN_OR_RETURN(auto program, PythonProgram::of(m_function));
    return std::make_unique<PythonWorker>(std::move(program));
  }
  /// The results are valid until the next call.
  Result<std::vector<TensorView>> call(const std::string& name, std::vector<TensorView> values) {
    auto worker = workerOf(name);
    if (!worker) return worker.error();
    m_worker = worker.take();
    return m_worker->call(values, 1, always);
  }
  Result<std::vector<TensorView>> call(const std::string& name) { return call(name, {picture()}); }

  tests::TemporaryFolder m_folder;
  PythonFunction m_function;
  std::unique_ptr<PythonWorker> m_worker;
  std::vector<std::uint8_t> m_pixels;
  std::vector<std::uint8_t> m_mask;
};

MILLRACE_TEST_CASE(TestPythonWorker)

}  // namespace millrace

#include "tst_python_worker.moc"

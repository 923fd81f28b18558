// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace loader`: what a real python3 yields is measured and kept; files that misbehave are a
// sentence, and no process is left.
#include <csignal>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QStandardPaths>
#include <QThread>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// Batches of 4 samples, at most 500 in a second.
const QByteArray kLoader = R"py(import time

class Array:
    def __init__(self, *shape):
        self.shape = shape
        self.dtype = "float32"

class Loader:
    def __len__(self):
        return 10
    def __iter__(self):
        for i in range(10):
            time.sleep(0.002)
            yield {"image": Array(4, 8, 8, 3), "label": [0] * 4}

class Items:
    def __len__(self):
        return 100
    def __getitem__(self, i):
        if i >= 100:
            raise RuntimeError("beyond the end")
        time.sleep(0.001)
        return Array(7, 3), i

class Batches(Items):
    def __getitem__(self, i):
        return super().__getitem__(i)[0], Array(7)

class Named(Items):
    def __getitem__(self, i):
        return {"image": super().__getitem__(i)[0], "label": Array()}

loader = Loader()
items = Items()
make = lambda: Loader()
def batches():
    for i in range(30):
        time.sleep(0.002)
        yield [1, 2, 3]
def rows():
    for i in range(30):
        time.sleep(0.002)
        yield {"image": [[0.5] * 8] * 6, "label": [0] * 6}
)py";

/// What exported code uses of the package millrace.
const QByteArray kEngine = R"py(import time

class Loader:
    def __init__(self, pipeline, shard=None):
        assert pipeline["nodes"]
    def __iter__(self):
        for i in range(10):
            time.sleep(0.002)
            yield {"image": [0] * 4}
)py";

/// Whether a process of this id is there and is no zombie.
bool isAlive(qint64 process) {
  QFile stat(QString("/proc/%1/stat").arg(process));
  if (!stat.open(QIODevice::ReadOnly)) return false;
  const QByteArray text = stat.readAll();
  return !text.mid(text.lastIndexOf(')') + 2).startsWith('Z');
}

bool endsSoon(qint64 process) {
  QElapsedTimer waited;
  waited.start();
  while (isAlive(process) && waited.elapsed() < 20'000) QThread::msleep(20);
  return !isAlive(process);
}

QStringList briefly() { return {"--seconds", "0.4", "--warmup", "0.1", "--repeats", "1"}; }

}  // namespace

class TestLoader : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
  }

  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("mine.py", kLoader);
  }

  void itIsMeasuredAndKept() {
    const Outcome outcome = m_program->run({"loader", "mine.py:loader", "--seconds", "0.4",
                                            "--warmup", "0.1", "--repeats", "2", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject result = outcome.json();
    QCOMPARE(result["pipeline"].toString(), "mine.py:loader");
    QCOMPARE(result["repeats"].toArray().size(), 2);
    const double rate = result["samples_per_second"].toObject()["mean"].toDouble();
    QVERIFY2(rate > 4 && rate < 2000, qPrintable(QString::number(rate)));
    const QJsonObject repeat = result["repeats"].toArray()[0].toObject();
    QVERIFY(repeat["seconds"].toDouble() >= 0.4);
    QCOMPARE(repeat["samples"].toInt(), 4 * repeat["batches"].toInt());
    QCOMPARE(result["nodes"].toArray()[0].toObject()["id"].toString(), "fetch");
    const QJsonObject environment = result["environment"].toObject();
    QCOMPARE(environment["origin"].toString(), "loader");
    QVERIFY(environment["loader_batch"].toString().startsWith(
        "4 samples: dict of image: (4, 8, 8, 3) float32"));
    QCOMPARE(environment["loader_epoch"].toString(), "40 samples in 10 batches");
    QCOMPARE(m_program->runCount("environment.origin = loader"), 1);
    const Outcome shown = m_program->run({"runs", "show", "last"});
    QVERIFY2(shown.out.contains("the user's own loader"), shown.out.constData());
    QVERIFY(!shown.out.contains("cannot be parsed"));
  }

  void theRateOfAnExportedFileStandsInTheNextExport() {
    const QString pipeline = m_program->write("p.millrace.json", syntheticPipeline());
    // In place of the package, so that the exported file runs without it.
    m_program->write("millrace.py", kEngine);
    const QStringList exporting{"export", pipeline, "--to", "python"};
    const Outcome before = m_program->run(exporting);
    QVERIFY2(before.code == 0, before.err.constData());
    QVERIFY(!before.out.contains("# Measured"));
    m_program->write("exported.py", before.out);
    const Outcome measured =
        m_program->run(QStringList{"loader", "exported.py:make_loader", "--json"} + briefly());
    QVERIFY2(measured.code == 0, measured.err.constData());
    QCOMPARE(measured.json()["environment"].toObject()["origin"].toString(), "export");
    QCOMPARE(m_program->runCount("environment.origin = export"), 1);

    const Outcome after = m_program->run(exporting);
    QVERIFY2(after.out.contains("# Measured with this code: "), after.out.constData());
    QVERIFY2(after.out.simplified().contains("Run 1, by python 3"), after.out.constData());
    QVERIFY(!m_program->run(exporting + QStringList{"--no-figures"}).out.contains("# Measured"));
    QVERIFY(!m_program->run(exporting + QStringList{"--set", "batch.size=3"})
                 .out.contains("# Measured"));
    const Outcome shown = m_program->run({"runs", "show", "1"});
    QVERIFY2(shown.out.contains("a file that millrace export wrote"), shown.out.constData());
    QVERIFY(!shown.out.contains("cannot be parsed"));
    const Outcome again = m_program->run({"compare", "1", pipeline});
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.simplified().contains("measured a loader in a Python file"), again.err);
  }

  void everyKindOfObjectIsIterated_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("samples");
    QTest::newRow("an iterable") << "loader" << 4;
    QTest::newRow("a class") << "Loader" << 4;
    QTest::newRow("a lambda") << "make" << 4;
    QTest::newRow("a generator function") << "batches" << 3;
    QTest::newRow("a dataset by index") << "items" << 1;
    QTest::newRow("a dataset of named fields") << "Named" << 1;
    QTest::newRow("batches by index") << "Batches" << 7;
    QTest::newRow("lists of rows in fields") << "rows" << 6;
  }
  void everyKindOfObjectIsIterated() {
    QFETCH(QString, name);
    QFETCH(int, samples);
    const QJsonObject result =
        m_program->run(QStringList{"loader", "mine.py:" + name, "--no-store", "--json"} + briefly())
            .json();
    QVERIFY(result["batches"].toInt() > 0);
    QCOMPARE(result["samples"].toInt(), samples * result["batches"].toInt());
  }

  void itsSamplesMayBeGiven() {
    const QJsonObject result = m_program
                                   ->run(QStringList{"loader", "mine.py:loader", "--samples", "1",
                                                     "--no-store", "--json"} +
                                         briefly())
                                   .json();
    QVERIFY(result["batches"].toInt() > 0);
    QCOMPARE(result["samples"].toInt(), result["batches"].toInt());
  }

  void aStepIsTimedBesideTheFetches() {
    const QJsonObject result = m_program
                                   ->run(QStringList{"loader", "mine.py:loader", "--step", "20ms",
                                                     "--no-store", "--json"} +
                                         briefly())
                                   .json();
    const QJsonObject step = result["nodes"].toArray()[1].toObject();
    QCOMPARE(step["id"].toString(), "step");
    QVERIFY(step["mean_ms"].toDouble() >= 19);
    QVERIFY(result["step_share"].toDouble() > 0.5);
  }

  void itsStreamHasTheEventsOfARun() {
    auto loader = m_program->start(QStringList{"loader", "mine.py:loader", "--events"} + briefly());
    QByteArray events;
    for (QByteArray line = lineWith(*loader, "{"); !line.isEmpty(); line = lineWith(*loader, "{"))
      events += object(line)["event"].toString().toUtf8() + ' ';
    QVERIFY(ended(*loader));
    QCOMPARE(loader->exitCode(), 0);
    QVERIFY2(events.startsWith("hello plan phase"), events.constData());
    for (const char* event : {"snapshot", "repeat", "result"})
      QVERIFY2(events.contains(event), events.constData());
  }

  void aDiagnosisHasAStream() {
    auto diagnosis =
        m_program->start(QStringList{"diagnose", "mine.py:loader", "--events"} + briefly());
    QByteArray events;
    QJsonObject last;
    for (QByteArray line = lineWith(*diagnosis, "{"); !line.isEmpty();
         line = lineWith(*diagnosis, "{")) {
      last = object(line);
      events += last["event"].toString().toUtf8() + ' ';
    }
    QVERIFY(ended(*diagnosis));
    QCOMPARE(diagnosis->exitCode(), 0);
    QVERIFY2(events.startsWith("hello progress "), events.constData());
    QCOMPARE(last["event"].toString(), "result");
    QVERIFY(last["limit"].isObject() && last["samples_per_second"].toDouble() > 0);
  }

  void theStreamOfADiagnosisThatCannotBeginHasTheReason() {
    // Standard input stays open: its end would be the request to stop.
    auto diagnosis = m_program->start({"diagnose", "mine.py:absent", "--events"});
    const QByteArray problem = lineWith(*diagnosis, "\"problem\"");
    QVERIFY2(problem.contains("the file has no `absent`"), problem.constData());
    QVERIFY(ended(*diagnosis));
    QCOMPARE(diagnosis->exitCode(), 2);
  }

  void itIsComparedWithAPipeline() {
    m_program->write("p.json", steppedPipeline("0.01"));
    const QStringList keep = {"--seconds", "0.3", "--warmup", "0.1", "--repeats", "3"};
    QCOMPARE(m_program->run(QStringList{"loader", "mine.py:loader"} + keep).code, 0);
    QCOMPARE(m_program->run(QStringList{"run", "p.json"} + keep).code, 0);
    const Outcome compared = m_program->run({"runs", "compare", "1", "2"});
    QVERIFY2(compared.code == 0, compared.err.constData());
    QVERIFY2(compared.out.contains("mine.py:loader"), compared.out.constData());
    QVERIFY2(!compared.out.contains("conditions differ"), compared.out.constData());
  }

  void anUnusableFileIsASentence_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* title, const char* content, const char* says,
                        const char* name = "x") {
      QTest::newRow(title) << QByteArray(content) << QString(name) << QByteArray(says);
    };
    row("no such name", "train_loader = []", "did you mean `train_loader`?", "train_lodaer");
    row("an error of syntax", "x = (\n", "cannot be imported: SyntaxError");
    row("an error at import", "def f():\n    return 1 / 0\nx = f()", "bad.py:2 in f: return 1 / 0");
    row("a missing package", "import surely_absent\nx = []",
        "needs the package surely_absent, which ");
    row("arguments", "def x(path): pass", "`x` needs the argument path");
    row("a number", "x = 3", "it is of type int, which cannot be iterated over");
    row("a text", "x = 'abc'", "it is of type str, not a loader");
    row("nothing", "x = []", "the loader yields nothing");
    row("exit at import", "import sys\nsys.exit(4)", "ended the program: sys.exit(4)");
    row("a hard exit", "import os\nos._exit(5)", "it ended the program with exit code 5");
    row("a crash", "import os\nos.kill(os.getpid(), 11)", "it crashed: signal 11");
    row("a kill", "import os\nos.kill(os.getpid(), 9)", "it was killed (signal 9)");
    row("an error in a batch", "def x():\n    raise ValueError('no such\\nsample')\n    yield 1",
        "the loader failed: ValueError: no such");
    row("an error in a worker",
        "import multiprocessing as m\ndef work(i):\n    raise KeyError('broken')\n"
        "def x():\n    with m.get_context('fork').Pool(2) as pool:\n"
        "        yield from pool.imap(work, [1, 2])",
        "in a worker process: KeyError: 'broken'");
    row("a lambda for workers",
        "import multiprocessing as m\ndef x():\n    with m.get_context('spawn').Pool(1) as pool:\n"
        "        yield from pool.imap(lambda i: i, [1, 2])",
        "the loader failed: ");
    row("no batch ever", "import time\ndef x():\n    time.sleep(1000)\n    yield 1",
        "no batch came in 1 s");
    row("an import without end", "import time\ntime.sleep(1000)", "no batch came in 1 s");
    row("an end within the warm-up", "x = iter([[1]] * 3)",
        "before the warm-up of 100 ms was over");
  }
  void anUnusableFileIsASentence() {
    QFETCH(QByteArray, content);
    QFETCH(QString, name);
    QFETCH(QByteArray, says);
    m_program->write("bad.py", content);
    QStringList arguments = QStringList{"loader", "bad.py:" + name} + briefly();
    if (says.startsWith("no batch")) arguments += {"--patience", "1"};
    const Outcome outcome = m_program->run(arguments);
    QVERIFY2(outcome.code == 2 || outcome.code == 1, outcome.out.constData());
    QVERIFY2((outcome.err + outcome.out).simplified().contains(says.simplified()),
             (outcome.err + outcome.out).constData());
    QVERIFY(!outcome.err.contains("harness.py"));
    if (outcome.code == 2) QCOMPARE(m_program->runCount("environment.origin = loader"), 0);
  }

  void wrongArgumentsAreASentence() {
    m_program->write("text.txt", "x = []");
    m_program->write("not-python.sh", "");
    const auto says = [this](const QStringList& arguments) {
      const Outcome outcome = m_program->run(QStringList{"loader"} + arguments);
      return outcome.code == 2 ? outcome.err : QByteArray("no error");
    };
    QVERIFY(says({"mine.py"}).contains("does not name a loader"));
    QVERIFY(says({"mine.py:"}).contains("does not name a loader"));
    QVERIFY(says({":x"}).contains("does not name a loader"));
    QVERIFY(says({"absent.py:x"}).contains("absent.py does not exist"));
    QVERIFY(says({".:x"}).contains("is not a file"));
    QVERIFY(says({"text.txt:x"}).contains("must end in .py"));
    QVERIFY(says({"mine.py:loader", "--python", "absent-python"}).contains("there is no program"));
    QVERIFY(says({"mine.py:loader", "--python", "./absent"}).contains("does not exist"));
    QVERIFY(says({"mine.py:loader", "--python", "./not-python.sh"})
                .contains("not a program that can be started"));
    QVERIFY(says({"mine.py:loader", "--python", "/bin/false"}).contains("must be Python 3.8"));
    QVERIFY(says({"mine.py:loader", "--set", "num_workers"})
                .contains("NAME=VALUE, such as num_workers=4"));
    QVERIFY(says({"mine.py:loader", "--set", "num_workers=1"})
                .contains("only the arguments of a PyTorch DataLoader or a Keras PyDataset and the "
                          "settings of a tf.data.Dataset can be set"));
  }

  void aLaterFailureKeepsWhatWasMeasured() {
    m_program->write("later.py",
                     "import time\ndef x():\n    for i in range(100):\n        time.sleep(0.005)\n"
                     "        yield [1, 2]\n    raise OSError('the disk is gone')\n");
    const Outcome outcome = m_program->run(
        {"loader", "later.py:x", "--warmup", "0.05", "--seconds", "1000", "--repeats", "2"});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.out.simplified().contains("OSError: the disk is gone"),
             outcome.out.constData());
    QCOMPARE(m_program->runCount("state = failed"), 1);
    const Outcome shown = m_program->run({"runs", "show", "last", "--json"});
    QVERIFY(shown.json()["samples"].toInt() > 0);
  }

  void anEndlessOutputDisturbsNothing() {
    m_program->write(
        "loud.py",
        "import sys\ndef x():\n    while True:\n        print('[\"b\",1,2,3,4,5,[]]')\n"
        "        sys.stderr.write('x' * 1000)\n        yield [1, 2]\n");
    const Outcome outcome =
        m_program->run(QStringList{"loader", "loud.py:x", "--no-store", "--json"} + briefly());
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject result = outcome.json();
    QCOMPARE(result["samples"].toInt(), 2 * result["batches"].toInt());
    QVERIFY(result["batches"].toInt() > 10);
  }

  void aForkThatGoesOnIsNotHeard() {
    m_program->write("fork.py",
                     "import os, time\nos.fork()\ndef x():\n    while True:\n"
                     "        time.sleep(0.001)\n        yield [1, 2]\n");
    const Outcome outcome =
        m_program->run(QStringList{"loader", "fork.py:x", "--no-store", "--json"} + briefly());
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(outcome.json()["samples"].toInt() <= 2000 * outcome.json()["seconds"].toDouble());
  }

  void nothingThatItStartsIsLeft_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("at its end") << "end";
    QTest::newRow("after an interrupt") << "interrupt";
    QTest::newRow("after a kill of Millrace") << "kill";
  }
  void nothingThatItStartsIsLeft() {
    QFETCH(QString, how);
    // One child in the same group, and one that left it and whose parent has ended.
    m_program->write("orphans.py", R"py(import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "1000"])
middle = os.fork()
if middle == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    open("escaped", "w").write(str(os.getpid()))
    time.sleep(1000)
os.waitpid(middle, 0)
while not os.path.exists("escaped") or not open("escaped").read():
    time.sleep(0.01)
open("processes", "w").write("%d %d %s" % (os.getpid(), child.pid, open("escaped").read()))
def x():
    while True:
        time.sleep(0.001)
        yield [1]
)py");
    const QString seconds = how == "end" ? "0.3" : "1000";
    auto loader = m_program->start({"loader", "orphans.py:x", "--warmup", "0", "--seconds", seconds,
                                    "--repeats", "1", "--events"});
    QVERIFY(!lineWith(*loader, "\"snapshot\"").isEmpty());
    QFile file(m_program->path("processes"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList processes = file.readAll().split(' ');
    QCOMPARE(processes.size(), 3);
    if (how == "interrupt") ::kill(static_cast<pid_t>(loader->processId()), SIGINT);
    if (how == "kill") ::kill(static_cast<pid_t>(loader->processId()), SIGKILL);
    QVERIFY(ended(*loader));
    if (how == "interrupt") QCOMPARE(loader->exitCode(), 3);
    for (const QByteArray& process : processes)
      QVERIFY2(how == "kill" ? endsSoon(process.toLongLong()) : !isAlive(process.toLongLong()),
               process.constData());
    QCOMPARE(m_program->runCount(how == "end" ? "state = finished" : "state = interrupted"), 1);
  }

  /// A class with the name and the attributes of PyTorch's: half the time for a batch with workers.
  void betterArgumentsAreFound() {
    m_program->write("tuned.py", R"py(import time

class Array:
    shape = (4, 3)
    dtype = "float32"

class DataLoader:
    __module__ = "torch.utils.data.dataloader"
    def __init__(self):
        vars(self).update(num_workers=0, prefetch_factor=None, persistent_workers=False,
                          worker_init_fn=None, batch_size=4, dataset=[])
    def __len__(self):
        return 100
    def __iter__(self):
        for i in range(100):
            time.sleep(0.01 if self.num_workers == 0 else 0.005)
            yield [Array()]

loader = DataLoader()
numbers = [1, 2, 3]
)py");
    const Outcome outcome =
        m_program->run({"loader", "tuned.py:loader", "--tune", "--seconds", "0.5", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject found = outcome.json();
    QVERIFY(found["best"].toObject()["num_workers"].toString().toInt() > 0);
    QCOMPARE(found["verdict"].toString(), "faster");
    QVERIFY(found["ratio"].toDouble() > 1.5);
    QCOMPARE(found["trials"].toArray()[0].toObject()["set"].toObject(), QJsonObject());
    const Outcome refused = m_program->run({"loader", "tuned.py:numbers", "--tune"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("only the arguments of a PyTorch DataLoader"),
             refused.err.constData());
  }

 private:
  std::unique_ptr<Program> m_program;
};

MILLRACE_TEST_CASE(TestLoader)

}  // namespace millrace::tests

#include "tst_loader.moc"

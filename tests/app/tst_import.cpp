// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace import`: a loader of the user's becomes a pipeline with equal samples, which runs.
#include <csignal>

#include <QDir>
#include <QFile>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// Data sets that decode with Pillow, and others.
const QByteArray kFile = R"py(import os
import random
import sys
import time
import numpy as np
from PIL import Image

NAMES = sorted(os.listdir("photos"))

class Photos:
    def __init__(self, transform=None):
        self.transform = transform
    def __len__(self):
        return len(NAMES)
    def image(self, i):
        return Image.open(os.path.join("photos", NAMES[i])).convert("RGB")
    def __getitem__(self, i):
        image = self.image(i)
        if self.transform is not None:
            image = self.transform(image)
        return image, i % 3

class Named(Photos):
    def __getitem__(self, i):
        return {"image": self.image(i), "name": NAMES[i], "label": i}

class Darker(Photos):
    def __getitem__(self, i):
        return np.asarray(self.image(i)) // 2, i

class Flips(Photos):
    def __getitem__(self, i):
        image = self.image(i)
        return (image.transpose(0) if random.random() > 0.5 else image), i

class Texts(Photos):
    def __getitem__(self, i):
        return np.asarray(self.image(i)) // 2, NAMES[i]

def halved(image):
    return image.resize((image.width // 2, image.height // 2), Image.NEAREST)

def broken(image):
    raise ValueError("cannot halve it")

class Sizes(Photos):
    def image(self, i):
        return super().image(i).crop((0, 0, 8 + i, 8))

class Sometimes(Darker):
    def __getitem__(self, i):
        if i == 1:
            raise ValueError("number one is missing")
        return super().__getitem__(i)

class Slow(Photos):
    def __getitem__(self, i):
        time.sleep(60)

def left():
    sys.exit(3)

def crashed():
    os.abort()

sometimes = Sometimes()
slow = Slow()
class Labelled(Photos):
    def __init__(self):
        super().__init__()
        self.target_transform = lambda label: label + 10
    def __getitem__(self, i):
        return self.image(i), self.target_transform(i)

class Ragged(Photos):
    def __getitem__(self, i):
        return {"image": self.image(i), "boxes": [[1, 2], [3]]}

labelled = Labelled()
ragged = Ragged()
plain = Photos()
sizes = Sizes()
own = Photos(halved)
fails = Photos(broken)
named = Named()
darker = Darker()
flips = Flips()
texts = Texts()
stream = iter([1, 2])
empty = []
make = lambda: Photos()
)py";

/// Five pictures.
const QByteArray kDraw = R"py(import os
import numpy as np
from PIL import Image
os.makedirs("photos")
for i in range(5):
    values = np.random.default_rng(i).integers(0, 256, (16, 24, 3), np.uint8)
    Image.fromarray(values).save("photos/%d.png" % i)
)py";

}  // namespace

class TestImport : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_python = "/usr/bin/python3";
    if (QProcess::execute(m_python, {"-c", "import numpy, PIL"}) != 0)
      QSKIP("there is no python3 with NumPy and Pillow");
    m_program.write("draw.py", kDraw);
    QCOMPARE(m_program.shell(m_python + " draw.py").code, 0);
    m_program.write("mine.py", kFile);
  }

  void filesThatAreOnlyDecodedAreListed() {
    const QJsonObject result = imported("plain", 0);
    QCOMPARE(howOf(result), QStringList({"exact", "exact", "exact"}));
    QCOMPARE(becameOf(result), QStringList({"manifest", "decode", "centre_crop"}));
    QVERIFY(isEqual(result, "image"));
    QVERIFY(isEqual(result, "label"));
    QFile list(m_program.path("plain.millrace.csv"));
    QVERIFY(list.open(QIODevice::ReadOnly));
    const QByteArrayList lines = list.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines[0].trimmed(), QByteArray("image,label"));
    QVERIFY(lines[5].trimmed().endsWith("photos/4.png,1"));
    const Outcome check = m_program.run({"check", "plain.millrace.json"});
    QCOMPARE(check.code, 0);
    const Outcome run =
        m_program.run({"run", "plain.millrace.json", "--set", "batch.size=1", "--epochs", "1",
                       "--warmup", "0", "--repeats", "1", "--no-store", "--json"});
    QCOMPARE(run.json()["samples"].toInt(), 5);
  }

  void aStepWithoutANodeStaysTheUsers() {
    const QJsonObject result = imported("own", 0);
    QCOMPARE(becameOf(result), QStringList({"manifest", "decode", "python"}));
    QCOMPARE(howOf(result).last(), "yours");
    QVERIFY(isEqual(result, "image"));
    QFile file(m_program.path("own.millrace.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("\"function\": \"own.transform\""));
    QVERIFY(text.contains("\"file\": \"mine.py\""));
    QVERIFY(text.contains("image=u8:8x12x3"));
  }

  void whatIsDoneOutsideATransformKeepsTheDatasetTheUsers_data() {
    QTest::addColumn<QString>("why");
    QTest::newRow("darker") << "its code changes them";
    QTest::newRow("flips") << "draws random numbers outside a transform";
  }
  void whatIsDoneOutsideATransformKeepsTheDatasetTheUsers() {
    QFETCH(QString, why);
    const QJsonObject result = imported(QTest::currentDataTag(), 0);
    QCOMPARE(becameOf(result), QStringList({"python_dataset", "centre_crop"}));
    const QString note = result["parts"].toArray()[0].toObject()["note"].toString();
    QVERIFY2(note.contains(why), qPrintable(note));
    QVERIFY(isEqual(result, "image"));
  }

  void aTransformOfLabelsIsInTheList() {
    const QJsonObject result = imported("labelled", 0);
    QCOMPARE(becameOf(result), QStringList({"manifest", "decode", "centre_crop"}));
    QVERIFY(isEqual(result, "label"));
    QFile list(m_program.path("labelled.millrace.csv"));
    QVERIFY(list.open(QIODevice::ReadOnly));
    QVERIFY(list.readAll().trimmed().endsWith("4.png,14"));
  }

  void textsOfASampleAreLeftOut() {
    const QJsonObject result = imported("named", 0);
    QVERIFY(howOf(result).contains("left out"));
    QVERIFY(isEqual(result, "label"));
  }

  void picturesOfDifferentSizesAreNamed() {
    const QJsonObject result = imported("sizes", 0);
    const QJsonObject last = result["parts"].toArray().last().toObject();
    QCOMPARE(last["how"].toString(), "left out");
    QVERIFY(last["note"].toString().contains("pad_height"));
    QVERIFY(isEqual(result, "image"));
  }

  void aFunctionIsCalled() { QVERIFY(isEqual(imported("make", 0), "image")); }

  void whatCannotBeImportedIsASentence_data() {
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("texts") << QByteArray("a sample of its data set holds a str");
    QTest::newRow("stream") << QByteArray("measured by `millrace loader`, but cannot be imported");
    QTest::newRow("empty") << QByteArray("its data set has no samples");
    QTest::newRow("nothing") << QByteArray("the file has no `nothing`");
    QTest::newRow("ragged") << QByteArray(
        "a sample of its data set holds a list, which no field can");
    QTest::newRow("left") << QByteArray("mine.py ended the program, with exit code 3");
    QTest::newRow("crashed") << QByteArray("mine.py: it crashed: signal 6");
    QTest::newRow("fails") << QByteArray("ValueError: cannot halve it");
  }
  void whatCannotBeImportedIsASentence() {
    QFETCH(QByteArray, sentence);
    const QString name = QTest::currentDataTag();
    const Outcome result = importOf(name);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(sentence), result.err.constData());
    QVERIFY(!QFile::exists(m_program.path(name + ".millrace.json")));
    QVERIFY(QDir(m_program.path("")).entryList({"*.part"}).isEmpty());
  }

  void samplesThatCannotBeMadeAreNamed() {
    const QJsonObject proof = imported("sometimes", 1)["proof"].toObject();
    QVERIFY(!proof["holds"].toBool());
    QCOMPARE(proof["compared"].toInt(), 4);
    QVERIFY(proof["failures"].toArray()[0].toString().contains("number one is missing"));
    const Outcome page = m_program.run({"import", "mine.py:sometimes", "--python", m_python, "-o",
                                        "sometimes.millrace.json", "--force"});
    QVERIFY2(page.out.contains("Some samples could not be made."), page.out.constData());
  }

  void anotherProgramIsNoInterpreter() {
    const Outcome outcome = m_program.run(
        {"import", "mine.py:plain", "--python", "/bin/true", "-o", "t.millrace.json"});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("could not begin"), outcome.err.constData());
  }

  void aStopLeavesNothing() {
    const auto process = m_program.start(
        {"import", "mine.py:slow", "--python", m_python, "-o", "slow.millrace.json"});
    QTest::qWait(1500);
    ::kill(static_cast<pid_t>(process->processId()), SIGINT);
    QCOMPARE(outcomeOf(*process).code, 3);
    QVERIFY(!QFile::exists(m_program.path("slow.millrace.json")));
  }

  void nothingIsReplacedUnasked() {
    m_program.write("kept.millrace.json", "{}");
    const Outcome refused = m_program.run(
        {"import", "mine.py:plain", "--python", m_python, "-o", "kept.millrace.json"});
    QCOMPARE(refused.code, 2);
    QVERIFY(refused.err.contains("kept.millrace.json"));
    QCOMPARE(m_program
                 .run({"import", "mine.py:plain", "--python", m_python, "-o", "kept.millrace.json",
                       "--force"})
                 .code,
             0);
  }

  void pyTorchsLoaderBecomesNodes() {
    const QString python = qEnvironmentVariable("MILLRACE_TORCH_PYTHON");
    if (QProcess::execute(python, {"-c", "import torchvision"}) != 0)
      QSKIP("MILLRACE_TORCH_PYTHON names no interpreter with torchvision");
    QVERIFY(QDir(m_program.path("")).mkpath("classes"));
    QVERIFY(QFile::exists(m_program.path("classes/a")) ||
            QFile::link(m_program.path("photos"), m_program.path("classes/a")));
    m_program.write("torched.py", R"py(from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from torchvision import transforms as T
data = ImageFolder("classes", T.Compose([T.RandomResizedCrop(12), T.RandomHorizontalFlip(0.7),
    T.ToTensor(), T.Normalize([0.5, 0.4, 0.3], [0.2, 0.3, 0.4])]))
loader = DataLoader(data, batch_size=2, shuffle=True, num_workers=1)
)py");
    const Outcome outcome = m_program.run({"import", "torched.py:loader", "--python", python, "-o",
                                           "torched.millrace.json", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(becameOf(outcome.json()),
             QStringList({"image_folder", "shuffle", "workers", "decode", "random_resized_crop",
                          "flip", "normalise", "batch", "prefetch"}));
    QVERIFY(outcome.json()["proof"].toObject()["holds"].toBool());
  }

  /// Its functions need TensorFlow's threads, which a forked process does not have.
  void aTfDataPipelineBecomesNodes_data() {
    QTest::addColumn<QStringList>("became");
    QTest::newRow("elements") << QStringList({"python_dataset", "shuffle", "python_dataset",
                                              "memory_cache", "python", "workers", "batch",
                                              "prefetch"});
    QTest::newRow("records") << QStringList({"tfrecord", "shuffle", "python", "workers", "batch"});
  }
  void aTfDataPipelineBecomesNodes() {
    QFETCH(const QStringList, became);
    const QString python = qEnvironmentVariable("MILLRACE_TF_PYTHON", "python3");
    if (QProcess::execute(python, {"-c", "import tensorflow"}) != 0)
      QSKIP("there is no python3 with TensorFlow (MILLRACE_TF_PYTHON names one)");
    m_program.write("flow.py", R"py(import tensorflow as tf

def picture(i):
    return tf.image.resize(tf.fill([7, 9, 3], tf.cast(i, tf.float32)), [6, 8]), i

def bright(image, label):
    return image / 255, label

def read(record):
    return tf.cast(tf.io.decode_raw(record, tf.uint8), tf.float32), tf.strings.length(record)

with tf.io.TFRecordWriter("flow.tfrecord") as writer:
    for i in range(9):
        writer.write(b"record %d" % i)
elements = (tf.data.Dataset.range(20).shuffle(20).map(picture).cache()
            .map(bright, num_parallel_calls=2).batch(4).prefetch(2))
records = tf.data.TFRecordDataset("flow.tfrecord").shuffle(4).map(read).batch(2)
)py");
    const QString name = QTest::currentDataTag();
    const QString output = name + ".millrace.json";
    const Outcome outcome =
        m_program.run({"import", "flow.py:" + name, "--python", python, "-o", output, "--json"});
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    QCOMPARE(becameOf(outcome.json()), became);
    QVERIFY(outcome.json()["proof"].toObject()["holds"].toBool());
    const Outcome run = m_program.run({"run", output, "--no-store", "--json", "--repeats", "1",
                                       "--seconds", "0.5", "--warmup", "0"});
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY(run.json()["samples"].toInt() > 0);
    QCOMPARE(run.json()["failed_samples"].toInt(), 0);
  }

 private:
  Outcome importOf(const QString& name) {
    return m_program.run({"import", "mine.py:" + name, "--python", m_python, "-o",
                          name + ".millrace.json", "--json"});
  }
  QJsonObject imported(const QString& name, int code) {
    const Outcome outcome = importOf(name);
    if (outcome.code != code) qWarning("%s%s", outcome.out.constData(), outcome.err.constData());
    return outcome.json();
  }
  static QStringList howOf(const QJsonObject& result) {
    QStringList words;
    for (const auto& part : result["parts"].toArray()) words << part.toObject()["how"].toString();
    return words;
  }
  static QStringList becameOf(const QJsonObject& result) {
    QStringList kinds;
    for (const auto& part : result["parts"].toArray())
      for (const auto& kind : part.toObject()["became"].toArray()) kinds << kind.toString();
    return kinds;
  }
  static bool isEqual(const QJsonObject& result, const QString& name) {
    for (const auto& field : result["proof"].toObject()["fields"].toArray())
      if (field.toObject()["name"] == name) return field.toObject()["equal"].toBool();
    return false;
  }

  Program m_program;
  QString m_python;
};

MILLRACE_TEST_CASE(TestImport)

}  // namespace millrace::tests

#include "tst_import.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `inspect` of readable and unreadable arrays and datasets: the findings and the suggested next
// step.
#include "core/codecs/encode.h"
#include "tests/app/program.h"
#include "tests/support/hdf5_lzf.h"
#include "tests/support/hdf5_written.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// The output of `inspect` for a file in the home, on one line. `code` is the expected exit code.
QByteArray inspected(Program& program, const QString& name, int code) {
  const Outcome page = program.run({"inspect", name});
  return page.code == code ? (page.out + page.err).simplified() : "ended with another code";
}

void writeArray(Program& program, const QString& name, const std::string& bytes) {
  program.write(name, QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

/// A small PNG.
QByteArray pictureBytes() {
  const std::vector<std::uint8_t> pixels(12 * 9 * 3, 90);
  const auto png = encodePng({pixels.data(), 12, 9, 3, 12 * 3}).take();
  return {reinterpret_cast<const char*>(png.data()), qsizetype(png.size())};
}

}  // namespace

class TestInspect : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_program = std::make_unique<Program>(); }

  void datasetsInLzfAreReadAndLayoutsThatAreNotAreNamed() {
    const Hdf5Sizes sizes = {4, 6, 5, 3};
    const std::string pixels(360, 'x');
    const auto isVirtual = [&](hid_t creation) {
      const Hdf5Id space(H5Screate_simple(4, sizes.data(), nullptr), H5Sclose);
      H5Pset_virtual(creation, space.get(), "gone.h5", "x", space.get());
    };
    {
      const Hdf5LzfWriting lzf;
      const Hdf5Written file(m_program->path("lzf.h5").toStdString());
      QVERIFY(file.add("photos", H5T_STD_U8LE, sizes, pixels.data(), [](hid_t creation) {
        const Hdf5Sizes chunk = {1, 6, 5, 3};
        H5Pset_chunk(creation, 4, chunk.data());
        Hdf5LzfWriting::set(creation);
      }));
      QVERIFY(file.addEmpty("others", H5T_STD_U8LE, sizes, isVirtual));
    }
    QVERIFY(Hdf5Written(m_program->path("virtual.h5").toStdString())
                .addEmpty("train/x", H5T_STD_U8LE, sizes, isVirtual));
    const QByteArray lzf = inspected(*m_program, "lzf.h5", 0);
    QVERIFY2(lzf.contains("image u8 6x5x3 hwc"), lzf.constData());
    QVERIFY2(lzf.contains("others (its layout is virtual: "), lzf.constData());
    QVERIFY2(!lzf.contains("broken"), lzf.constData());
    const QByteArray none = inspected(*m_program, "virtual.h5", 1);
    QVERIFY2(
        none.contains("virtual.h5`: it has no readable dataset: train/x (its layout "
                      "is virtual: its samples are in other datasets, which are not followed; "
                      "write it again as a plain dataset, with h5repack -l train/x:CONTI OLD NEW"),
        none.constData());
  }

  void whereSeveralSetsAreThereIsNoPipelineAndEachIsNamed() {
    for (const char* set : {"x", "y"})
      for (const char* name : {"1", "2"})
        m_program->write(QString("sets/%1/%2/%3.npy").arg(set, name, name), "x");
    const auto printed = m_program->run({"inspect", "sets", "-o", "p.millrace.json"});
    QCOMPARE(printed.code, 1);
    QVERIFY2(printed.err.contains("no pipeline can be written: ") &&
                 printed.err.contains("Name one of them:\n  ") &&
                 printed.err.contains("sets/x/1\n"),
             printed.err.constData());
  }

  void picturesOutsideClassFoldersHaveNoClassNamedByADot() {
    for (const char* name : {"photos/a.png", "photos/b.png"})
      m_program->write(name, pictureBytes());
    const QByteArray page = inspected(*m_program, "photos", 0);
    QVERIFY2(page.contains("classes 1: without a class folder (2)"), page.constData());
  }

  void aPipelineIsNamedAsOne() {
    m_program->write("p.millrace.json", syntheticPipeline());
    QVERIFY(inspected(*m_program, "p.millrace.json", 1).contains("This is a pipeline, not data."));
    m_program->write("other.json", R"({"nodes": 3})");
    QVERIFY(!inspected(*m_program, "other.json", 1).contains("This is a pipeline"));
  }

  void aFileNameForgesNoLineOfThePage() {
    m_program->write("odd/cl\nass/a\nNext: rm -rf.jpg", "no picture");
    m_program->write("odd/b/tab\there.jpg", "no picture");
    for (const QStringList& command :
         {QStringList{"inspect", "odd"}, {"inspect", "odd/cl\nass"}, {"inspect", "--all", "odd"}}) {
      const QByteArray page = m_program->run(command).out;
      for (const QByteArray& line : page.split('\n'))
        QVERIFY2(!line.startsWith("ass") && !line.startsWith("Next: rm"), page.constData());
      QVERIFY2(page.contains("\\nNext: rm -rf.jpg") && !page.contains('\t'), page.constData());
    }
    const QByteArray all = m_program->run({"inspect", "--all", "odd"}).out;
    QVERIFY2(all.contains("b/tab\\there.jpg") && all.contains("cl\\nass (1)"), all.constData());
  }

  void whereNothingCanBeReadNoRunIsProposed() {
    m_program->write("junk/a.jpg", "no picture");
    m_program->write("junk/b.jpg", "none either");
    const Outcome shown = m_program->run({"inspect", "junk"});
    QCOMPARE(shown.code, 1);
    QVERIFY2(shown.out.contains("No sample can be read"), shown.out.constData());
    QVERIFY2(!shown.out.contains("millrace run"), shown.out.constData());
    const Outcome written = m_program->run({"inspect", "junk", "-o", "p.json"});
    QCOMPARE(written.code, 1);
    QVERIFY2(written.err.contains("no pipeline can be written: no sample can be read"),
             written.err.constData());
    QVERIFY(!QFile::exists(m_program->path("p.json")));
    QCOMPARE(m_program->run({"inspect", "junk", "--json"}).json()["readable"].toBool(true), false);
  }

  void aRemedyIsAFlagOfTheCommandLine() {
    for (const char* name : {"2/a.jpg", "10/a.jpg", "10/._a.jpg"})
      m_program->write(QString("odd/") + name, "no picture");
    const QByteArray page = m_program->run({"inspect", "odd"}).out.simplified();
    QVERIFY2(page.contains(".junk=keep` includes them"), page.constData());
    QVERIFY2(page.contains("use `--set "), page.constData());
    QVERIFY2(page.contains(".class_order=numeric`"), page.constData());
  }

  /// The next command runs as it stands, although more than 1 % fail.
  void aTableWithMissingPicturesRunsAsProposed() {
    const QByteArray bytes = pictureBytes();
    QByteArray table = "image,label\n";
    for (int i = 0; i < 6; ++i) {
      table += QByteArray::number(i) + ".png," + (i % 2 == 0 ? "cat" : "dog") + "\n";
      if (i < 4) m_program->write(QString("%1.png").arg(i), bytes);
    }
    m_program->write("labels.csv", table);
    const Outcome page = m_program->run({"inspect", "labels.csv", "-o", "t.millrace.json"});
    QCOMPARE(page.code, 0);
    QVERIFY2(page.out.contains("millrace run t.millrace.json --max-failures 34%"),
             page.out.constData());
    const QStringList once = {"run", "t.millrace.json", "--epochs", "1", "--warmup",
                              "0",   "--no-store"};
    QVERIFY(m_program->run(once).code != 0);
    const Outcome ran = m_program->run(once + QStringList{"--max-failures", "34%"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QByteArray before = inspected(*m_program, "labels.csv", 0);
    QVERIFY2(before.simplified().contains("A run ends when more than 1 % fail. With these it "
                                          "needs --max-failures 34%."),
             before.constData());
    QVERIFY2(before.contains("labels.csv -o data.millrace.json && millrace run "
                             "data.millrace.json --max-failures 34%"),
             before.constData());
    m_program->write("4.png", bytes);
    // One failure never ends a run.
    const QByteArray one = inspected(*m_program, "labels.csv", 0);
    QVERIFY2(one.contains("1 of 6 samples") && !one.contains("--max-failures"), one.constData());
    QCOMPARE(m_program->run(once).code, 0);
    m_program->write("5.png", bytes);
    const QByteArray whole = inspected(*m_program, "labels.csv", 0);
    QVERIFY2(!whole.contains("--max-failures"), whole.constData());
  }

  void aFolderOfDataSetsIsCalledSo() {
    writeArray(*m_program, "sets/a/x.npy", npyBytes("'|u1'", "(4, 6)", std::string(24, 'x')));
    writeArray(*m_program, "sets/b/x.npy", npyBytes("'|u1'", "(4, 2, 3)", std::string(24, 'x')));
    const QByteArray page = inspected(*m_program, "sets", 1);
    QVERIFY2(page.contains(" kind folder of data sets "), page.constData());
  }

  void arraysInFortranOrderAreNamedWithTheRemedy() {
    const std::string rows(24, 'x');
    const std::string scattered = npyBytes("'|u1'", "(4, 2, 3)", rows, 1, "True");
    writeArray(*m_program, "f.npy", scattered);
    writeArray(*m_program, "some.npz",
               zipBytes({{"f.npy", scattered}, {"x.npy", npyBytes("'|u1'", "(4, 2, 3)", rows)}}));
    const QByteArray reason =
        "the array is in Fortran order, which scatters each sample over the whole array; "
        "save it in C order with np.ascontiguousarray(x)";
    const QByteArray alone = inspected(*m_program, "f.npy", 1);
    QVERIFY2(alone.contains("f.npy`: " + reason), alone.constData());
    const QByteArray beside = inspected(*m_program, "some.npz", 0);
    QVERIFY2(beside.contains("some.npz: f left out: " + reason), beside.constData());
  }

 private:
  std::unique_ptr<Program> m_program;
};

}  // namespace millrace::tests

using millrace::tests::TestInspect;
MILLRACE_TEST_CASE(TestInspect)
#include "tst_inspect.moc"

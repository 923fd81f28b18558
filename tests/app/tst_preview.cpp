// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// A document that ends without batch and consumer.
QByteArray unfinished() {
  return R"({"format_version": 1, "nodes": [{"id": "synthetic", "kind": "synthetic", "params":
    {"content": "image", "height": 300, "width": 400, "channels": 3, "count": 20}},
    {"id": "normalise", "kind": "normalise"}],
    "wires": [{"from": "synthetic", "to": "normalise"}]})";
}

QByteArray request(int id, const QByteArray& rest) {
  return "{\"id\": " + QByteArray::number(id) + ", \"pipeline\": " + unfinished().simplified() +
         rest + "}\n";
}

}  // namespace

class TestPreview : public QObject {
  Q_OBJECT
 private slots:
  void showsSamplesOfAPipelineWithoutAnEnd() {
    Program program;
    const Outcome preview =
        program.run({"preview", program.write("p.json", unfinished()), "--count", "3"});
    QVERIFY2(preview.code == 0, preview.err.constData());
    const QList<QByteArray> lines = preview.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    const QJsonObject sample = QJsonDocument::fromJson(lines.first()).object();
    QVERIFY(!sample["name"].toString().isEmpty());
    const QJsonObject picture = sample["fields"].toArray().first().toObject();
    QCOMPARE(picture["dtype"].toString(), "f32");
    QVERIFY(picture["min"].toDouble() < picture["mean"].toDouble());
    QVERIFY(picture["mean"].toDouble() < picture["max"].toDouble());
    const QByteArray png = QByteArray::fromBase64(picture["png"].toString().toLatin1());
    QVERIFY(png.startsWith("\x89PNG"));
    // Width and height follow the IHDR's name in big-endian order.
    QCOMPARE(static_cast<unsigned char>(png[19]), 192U);
    QCOMPARE(static_cast<unsigned char>(png[23]), 144U);
  }

  void refusesAnUnknownNode() {
    Program program;
    const Outcome preview =
        program.run({"preview", program.write("p.json", unfinished()), "--node", "flip"});
    QCOMPARE(preview.code, 2);
    QVERIFY(preview.err.contains("normalise"));
    QCOMPARE(program.run({"preview"}).code, 2);
    QCOMPARE(program.run({"preview", "p.json", "--count", "17"}).code, 2);
  }

  /// mixup blends each row with another one of its batch: labels are no longer only 0 and 1.
  void showsRowsBehindANodeThatWorksOnWholeBatches() {
    Program program;
    const QByteArray document = R"({"format_version": 1, "nodes": [
      {"kind": "synthetic", "params": {"content": "image", "height": 40, "width": 40, "channels": 3,
        "count": 20, "classes": 4}}, {"kind": "one_hot"}, {"kind": "precision"},
      {"kind": "batch", "params": {"size": 8}}, {"kind": "mixup"}],
      "wires": [{"from": "synthetic", "to": "one_hot"}, {"from": "one_hot", "to": "precision"},
      {"from": "precision", "to": "batch"}, {"from": "batch", "to": "mixup"}]})";
    const QString file = program.write("mix.json", document);
    const Outcome mixed = program.run({"preview", file, "--first", "6", "--count", "4"});
    QVERIFY2(mixed.code == 0, mixed.err.constData());
    const QList<QByteArray> lines = mixed.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    const Outcome before =
        program.run({"preview", file, "--first", "6", "--count", "4", "--node", "precision"});
    const QList<QByteArray> plain = before.out.trimmed().split('\n');
    int blended = 0;
    for (qsizetype i = 0; i < lines.size(); ++i) {
      const QJsonObject row = QJsonDocument::fromJson(lines[i]).object();
      const QJsonObject unmixed = QJsonDocument::fromJson(plain[i]).object();
      QCOMPARE(row["node"].toString(), "mixup");
      QCOMPARE(row["name"].toString(), unmixed["name"].toString());
      const QJsonObject label = row["fields"].toArray().last().toObject();
      QVERIFY(label["max"].toDouble() > 0);
      blended += label["max"].toDouble() < 1 ? 1 : 0;
    }
    QVERIFY(blended > 0);
  }

  void servesRequestsAndSurvivesMalformedOnes() {
    Program program;
    auto server = program.start({"preview", "--serve"});
    server->write("nonsense\n");
    QVERIFY(lineWith(*server, "\"error\"").contains("\"id\":null"));
    server->write("{\"id\": 4, \"pipeline\": {\"nodes\": 3}}\n");
    QVERIFY(lineWith(*server, "\"event\":\"error\"").contains("\"id\":4"));
    server->write(request(5, ", \"node\": \"synthetic\", \"count\": 2"));
    const QByteArray sample = lineWith(*server, "\"event\":\"sample\"");
    QVERIFY(sample.contains("\"epoch_samples\":20") && sample.contains("\"position\":0"));
    QVERIFY(!lineWith(*server, "\"event\":\"sample\"").isEmpty());
    QVERIFY(lineWith(*server, "\"event\":\"done\"").contains("\"id\":5"));
    // A picture of the requested size, if the original is that large.
    server->write(request(6, ", \"node\": \"synthetic\", \"count\": 1, \"side\": 300"));
    const QByteArray large = lineWith(*server, "\"event\":\"sample\"");
    const QJsonObject field =
        QJsonDocument::fromJson(large).object()["fields"].toArray().first().toObject();
    const QByteArray png = QByteArray::fromBase64(field["png"].toString().toLatin1());
    QCOMPARE(static_cast<unsigned char>(png[18]) * 256 + static_cast<unsigned char>(png[19]), 300);
    server->closeWriteChannel();
    QVERIFY(ended(*server));
    QCOMPARE(server->exitCode(), 0);
  }

  void dropsARequestThatANewerOneMadePointless() {
    Program program;
    const Outcome served = program.run({"preview", "--serve"}, request(1, ", \"count\": 16") +
                                                                   request(2, ", \"count\": 16") +
                                                                   request(3, ", \"count\": 1"));
    QCOMPARE(served.code, 0);
    QVERIFY(served.out.contains("\"event\":\"done\",\"id\":3"));
    QVERIFY(served.out.contains("\"event\":\"stale\",\"id\":2"));
  }
};

MILLRACE_TEST_CASE(TestPreview)

}  // namespace millrace::tests

#include "tst_preview.moc"

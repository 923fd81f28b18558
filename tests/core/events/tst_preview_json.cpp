// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/preview_json.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

PreviewedSample sampleWithTwoFields() {
  PreviewedSample sample;
  sample.place = 25;
  sample.position = 5;
  sample.epochSamples = 20;
  sample.name = "cats/a \"1\".png";
  sample.epoch = 1;
  sample.index = 17;
  sample.node = "flip";
  PreviewedField image{"image", "image", "u8", "hwc", {30, 40, 3}, 3600, {}, {}, {}, {}};
  image.statistics = {1, 250, 99.5};
  image.png = {std::byte{0x89}, std::byte{'P'}};
  PreviewedField label{"label", "label", "i64", "plain", {}, 8, {}, {}, 2.0, "cats"};
  sample.fields = {image, label};
  return sample;
}

}  // namespace

class TestPreviewJson : public QObject {
  Q_OBJECT
 private slots:
  void aRequestComesBackAsItWasWritten() {
    PreviewRequest request;
    request.pipeline = "{\n  \"nodes\": []\n}";
    request.base = "/data/a b";
    request.node = "flip";
    request.seed = 12345678901234567890ULL;
    request.first = 7;
    request.count = 3;
    request.side = 600;
    request.values = true;
    const std::string line = previewRequestLine(4, request);
    QVERIFY(line.find('\n') == std::string::npos);
    const ParsedPreviewRequest parsed = parsePreviewRequest(line);
    QCOMPARE(parsed.error, std::string());
    QCOMPARE(parsed.id.value_or(-1), std::int64_t{4});
    request.pipeline = R"({"nodes":[]})";
    QVERIFY(parsed.request == request);
  }

  void onlyThePipelineIsRequired() {
    const ParsedPreviewRequest parsed = parsePreviewRequest(R"({"pipeline": {}})");
    QVERIFY(!parsed.id.has_value());
    QCOMPARE(parsed.error, std::string());
    PreviewRequest usual;
    usual.pipeline = "{}";
    QVERIFY(parsed.request == usual);
  }

  void numbersBeyondTheirLimitsBecomeTheNearest() {
    const PreviewRequest request =
        parsePreviewRequest(R"({"pipeline": {}, "count": 99, "side": 5000, "first": 1e3})").request;
    QCOMPARE(request.count, 16);
    QCOMPARE(request.side, kMostPreviewSide);
    QCOMPARE(request.first, std::uint64_t{0});  // not an integer
    QCOMPARE(parsePreviewRequest(R"({"pipeline": {}, "count": 0})").request.count, 1);
  }

  void whatIsNoRequestIsRefused() {
    for (const char* line : {"", "1", "[]", "{", "{}", R"({"id": 1, "pipeline": "x"})"})
      QVERIFY2(!parsePreviewRequest(line).error.empty(), line);
    QCOMPARE(parsePreviewRequest(R"({"id": 9})").id.value_or(-1), std::int64_t{9});
  }

  void aSampleComesBackAsItWasWritten() {
    const PreviewedSample sample = sampleWithTwoFields();
    const auto answer = parsePreviewAnswer(previewSampleLine(3, sample));
    QVERIFY(answer.has_value() && answer->kind == PreviewAnswer::Kind::Sample);
    QCOMPARE(answer->id.value_or(-1), std::int64_t{3});
    const PreviewedSample& back = answer->sample;
    QCOMPARE(back.place, sample.place);
    QCOMPARE(back.position, sample.position);
    QVERIFY(back.epochSamples == sample.epochSamples);
    QCOMPARE(back.name, sample.name);
    QCOMPARE(back.epoch, sample.epoch);
    QCOMPARE(back.index, sample.index);
    QCOMPARE(back.node, sample.node);
    QCOMPARE(back.error, std::string());
    QCOMPARE(back.fields.size(), std::size_t{2});
    const PreviewedField& image = back.fields[0];
    QCOMPARE(image.role, std::string("image"));
    QCOMPARE(image.dtype, std::string("u8"));
    QCOMPARE(image.layout, std::string("hwc"));
    QVERIFY(image.shape == sample.fields[0].shape);
    QCOMPARE(image.bytes, std::uint64_t{3600});
    QCOMPARE(image.statistics.value().mean, 99.5);
    QVERIFY(image.png == sample.fields[0].png);
    QVERIFY(!image.label.has_value());
    QVERIFY(!back.fields[1].statistics.has_value());
    QVERIFY(back.fields[1].png.empty());
    QCOMPARE(back.fields[1].label.value_or(0), 2.0);
    QCOMPARE(back.fields[1].labelClass, std::string("cats"));
  }

  void valuesAndClassesComeBackAsTheyWereWritten() {
    PreviewedSample sample = sampleWithTwoFields();
    PreviewedField& image = sample.fields[0];
    image.values = PictureValues{2, 1, 3, {0.5F, -1.25F, 3, 1e-6F, 7, 255}};
    image.normalMean = {0.485, 0.456, 0.406};
    image.normalDeviation = {0.229, 0.224, 0.225};
    image.maskClasses = {{0, 0.75, {0, 0, 0}, ""}, {7, 0.25, {230, 40, 90}, "cats"}};
    const auto answer = parsePreviewAnswer(previewSampleLine(3, sample));
    QVERIFY(answer.has_value());
    const PreviewedField& back = answer->sample.fields[0];
    QVERIFY(back.values && back.values->values == image.values->values);
    QCOMPARE(back.values->width, 2);
    QCOMPARE(back.values->channels, 3);
    QVERIFY(back.normalMean == image.normalMean && back.normalDeviation == image.normalDeviation);
    QVERIFY(back.maskClasses == image.maskClasses);
  }

  void valuesOfAnotherNumberThanPixelsAreLeftOut() {
    for (const char* values :
         {R"({"width": 2, "height": 2, "channels": 3, "f32": "AAAAAA=="})", R"({"width": 0})",
          R"({"width": -1, "height": 1, "channels": -1, "f32": "AAAAAA=="})",
          R"({"width": 4000000, "height": 4000000, "channels": 3, "f32": ""})", "7"}) {
      const auto answer =
          parsePreviewAnswer(R"({"event": "sample", "fields": [{"name": "image", "values": )" +
                             std::string(values) + "}]}");
      QVERIFY2(answer && !answer->sample.fields[0].values, values);
    }
  }

  void theOtherAnswersComeBackAsTheyWereWritten() {
    QVERIFY(parsePreviewAnswer(previewDoneLine(1, 8))->kind == PreviewAnswer::Kind::Done);
    QVERIFY(parsePreviewAnswer(previewStaleLine(1))->kind == PreviewAnswer::Kind::Stale);
    const auto failed = parsePreviewAnswer(previewErrorLine({}, "no source"));
    QVERIFY(failed->kind == PreviewAnswer::Kind::Error);
    QCOMPARE(failed->error, std::string("no source"));
    QVERIFY(!failed->id.has_value());
    QVERIFY(parsePreviewAnswer(R"({"event": "later"})")->kind == PreviewAnswer::Kind::Other);
  }

  void hostileAnswersStayBounded() {
    QVERIFY(!parsePreviewAnswer("{\"event\": 1}").has_value());
    QVERIFY(!parsePreviewAnswer("[]").has_value());
    std::string line = R"({"event": "sample", "place": -1, "name": 5, "fields": [)";
    for (int i = 0; i < 100; ++i)
      line += R"({"shape": [1,2,3,4,5,6,7,8], "png": "no picture", "min": 1, "label": 3},)";
    line += "{}]}";
    const auto answer = parsePreviewAnswer(line);
    QVERIFY(answer.has_value());
    QCOMPARE(answer->sample.place, std::uint64_t{0});
    QCOMPARE(answer->sample.name, std::string());
    QCOMPARE(answer->sample.fields.size(), std::size_t{64});
    const PreviewedField& field = answer->sample.fields.front();
    QCOMPARE(field.shape.size(), std::size_t{6});
    QVERIFY(field.png.empty() && !field.statistics && !field.label);
  }
};

}  // namespace millrace

using millrace::TestPreviewJson;
MILLRACE_TEST_CASE(TestPreviewJson)
#include "tst_preview_json.moc"

// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pieces of exported code that several kinds share.
#include "core/node_parts/array_text.h"
#include "core/node_parts/fields/array_content.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/torch_text.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace nodes;

namespace {

FieldSpec arrayField(Role role, Layout layout, Shape shape, DType dtype = DType::U8) {
  return {"f", dtype, shape, layout, role};
}

}  // namespace

class TestExportPieces : public QObject {
  Q_OBJECT
 private slots:
  void pathsAreAbsoluteAndAMissingOneIsNone() {
    ExportContext context;
    context.base = "/pipelines/new";
    QCOMPARE(pathLiteral("", context), std::string("None"));
    QCOMPARE(pathLiteral("../data/a", context), std::string("\"/pipelines/data/a\""));
    QCOMPARE(pathLiteral("/data", context), std::string("\"/data\""));
    QCOMPARE(pathListLiteral({"a", "/b"}, context), std::string("[\"/pipelines/new/a\", \"/b\"]"));
    QCOMPARE(pathListLiteral({}, context), std::string("[]"));
  }

  void aFieldOfARecordIsWrittenWithItsTypeShapeAndLayout() {
    const auto text = [](const FieldSpec& field) { return fieldLiteral("\"k\"", field); };
    QCOMPARE(text(arrayField(Role::Image, Layout::Plain, {Shape::kUnknown}, DType::Encoded)),
             std::string("Field(\"k\")"));
    QCOMPARE(text(arrayField(Role::Label, Layout::Plain, {}, DType::I64)),
             std::string("Field(\"k\", \"int64\", ())"));
    QCOMPARE(text(arrayField(Role::Features, Layout::Plain, {7}, DType::F16)),
             std::string("Field(\"k\", \"float16\", (7,))"));
    QCOMPARE(text(arrayField(Role::Image, Layout::Hwc, {Shape::kUnknown, 8, 3})),
             std::string("Field(\"k\", \"uint8\", (None, 8, 3), \"hwc\")"));
    QCOMPARE(text(arrayField(Role::Mask, Layout::Chw, {1, 8, 8})),
             std::string("Field(\"k\", \"uint8\", (1, 8, 8), \"chw\", mask=True)"));
  }

  void fieldsAreSaidOnlyWhereTheirTypesAreKnown() {
    ExportContext context;
    QVERIFY(!fieldsSaid({}, context));
    QVERIFY(!fieldsSaid({"no such syntax:::"}, context));
    QVERIFY2(!fieldsSaid({"a=b"}, context), "only the data could say its type");
    QVERIFY2(!fieldsSaid({"a=b:bf16:2:features"}, context), "NumPy has no such type");
    const auto typed = fieldsSaid({"a=b:i16:2x3:features"}, context);
    QVERIFY(typed.has_value());
    QCOMPARE(fieldLiterals(*typed), std::string("{\"a\": Field(\"b\", \"int16\", (2, 3))}"));
    context.dataKnown = true;
    context.out.fields = {arrayField(Role::Features, Layout::Plain, {5}, DType::F64)};
    const auto seen = fieldsSaid({"a=b"}, context);
    QVERIFY(seen.has_value());
    QCOMPARE((*seen)[0].spec, context.out.fields[0]);
  }

  void coloursAreWholeLevelsWithinTheirRange() {
    QCOMPARE(torchColour({}), std::string("0"));
    QCOMPARE(torchColour({127.5}), std::string("128"));
    QCOMPARE(torchColour({-4, 12.4, 999}), std::string("(0, 12, 255)"));
  }

  void resamplingNamesAllButTorchvisionsDefault() {
    ExportText text;
    QCOMPARE(torchResampling(Filter::Bilinear, true, text), std::string("antialias=True"));
    QCOMPARE(torchResampling(Filter::Nearest, false, text),
             std::string("interpolation=InterpolationMode.NEAREST_EXACT, antialias=False"));
    QCOMPARE(torchResampling(Filter::Bicubic, true, text),
             std::string("interpolation=InterpolationMode.BICUBIC, antialias=True"));
    QCOMPARE(resampling(Filter::Nearest, true), std::string("method=\"nearest\", antialias=False"));
    QCOMPARE(resampling(Filter::Bicubic, true), std::string("method=\"bicubic\", antialias=True"));
    QCOMPARE(realPair(0, 0.5), std::string("(0.0, 0.5)"));
  }

  void planesOfClassesAreInTheWayOfGeometry() {
    ExportContext context;
    context.in.fields = {arrayField(Role::Image, Layout::Hwc, {8, 8, 3}),
                         arrayField(Role::Mask, Layout::Chw, {12, 8, 8})};
    context.in.fields[1].name = "mask";
    QCOMPARE(planesInTheWay(context, {0, 1}), std::string());
    context.in.fields[1].oneHot = true;
    QVERIFY(planesInTheWay(context, {0, 1}).starts_with("`mask` has one plane per class"));
    QCOMPARE(planesInTheWay(context, {0}), std::string());
    QVERIFY(hasMask(context.in, {0, 1}));
    QVERIFY(!hasMask(context.in, {0}));
  }

  void theContentOfArraysSaysWhatTheirAxesMean() {
    const Shape picture{3, 40, 50};
    const auto layout = [](const Shape& row, ArrayContent content) {
      const SampleForm form = formOf(row, DType::U8, content);
      return form.shape == row ? form.layout : Layout::Plain;
    };
    QVERIFY(layout(picture, ArrayContent::ImageHwc) == Layout::Hwc);
    QVERIFY(layout(picture, ArrayContent::ImageChw) == Layout::Chw);
    QVERIFY(layout(picture, ArrayContent::Features) == Layout::Plain);
    QVERIFY(layout(picture, ArrayContent::Auto) == Layout::Chw);
    QVERIFY(layout({40, 50, 3}, ArrayContent::Auto) == Layout::Hwc);
    for (const ArrayContent content :
         {ArrayContent::Auto, ArrayContent::ImageHwc, ArrayContent::ImageChw,
          ArrayContent::ImageGrey, ArrayContent::Features}) {
      const auto fields = expectedFields(content);
      QCOMPARE(fields.size(), std::size_t{2});
      QCOMPARE(fields[1].text(), std::string("label i64 scalar"));
      const std::string argument = contentArgument(content);
      QCOMPARE(argument.empty(), content == ArrayContent::Auto);
      QVERIFY(argument.empty() || argument == ", content=\"" + contentName(content) + "\"");
    }
  }

  void twoAxesOfBytesAreGreyPictures() {
    const Shape mnist{28, 28};
    const auto isGrey = [](const Shape& row, DType dtype, ArrayContent content) {
      const SampleForm form = formOf(row, dtype, content);
      return form.layout == Layout::Hwc && form.shape == Shape{row[0], row[1], 1};
    };
    QVERIFY(isGrey(mnist, DType::U8, ArrayContent::Auto));
    QVERIFY(isGrey(mnist, DType::U16, ArrayContent::ImageHwc));
    QVERIFY(isGrey({4, 4}, DType::F32, ArrayContent::ImageGrey));
    QVERIFY(!isGrey(mnist, DType::F32, ArrayContent::Auto));
    QVERIFY(!isGrey({28, 4}, DType::U8, ArrayContent::Auto));
    QVERIFY(!isGrey(mnist, DType::U8, ArrayContent::Features));
  }
};

}  // namespace millrace

using millrace::TestExportPieces;
MILLRACE_TEST_CASE(TestExportPieces)
#include "tst_export_pieces.moc"

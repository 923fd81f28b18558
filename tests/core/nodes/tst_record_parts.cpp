// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Nodes that unpack records: bit_unpack, raw_to_array, select, expression.
#include <cmath>
#include <limits>

#include "tests/core/nodes/node_chain.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::NodeChain;
using Texts = std::vector<std::string>;

template <class T>
FieldSpec arrayField(const std::string& name, DType type, const Shape& shape) {
  FieldSpec field;
  field.name = name;
  field.dtype = type;
  field.shape = shape;
  return field;
}

FieldSpec bytesField(const std::string& name) {
  return arrayField<std::uint8_t>(name, DType::Encoded, {Shape::kUnknown});
}

/// Lends an array to field i; it must outlive the sample.
template <class T>
void lend(Sample& sample, std::size_t i, std::vector<T>& values, DType type, const Shape& shape) {
  sample.borrow(i, {type, Layout::Plain, shape, reinterpret_cast<std::byte*>(values.data()),
                    values.size() * sizeof(T)});
}

template <class T>
std::vector<T> valuesIn(const TensorView& view) {
  return {view.as<const T>(), view.as<const T>() + view.bytes / sizeof(T)};
}

Texts fieldTexts(const StreamType& stream) {
  Texts texts;
  for (const FieldSpec& field : stream.fields) texts.push_back(field.text());
  return texts;
}

std::string problemsOf(const std::string& kind, const Values& values,
                       const std::vector<FieldSpec>& fields) {
  NodeChain chain(fields);
  chain.add(kind, values);
  return chain.problemText();
}

}  // namespace

class TestRecordParts : public QObject {
  Q_OBJECT
 private slots:
  void bitsComeMostSignificantFirst() {
    NodeChain chain({bytesField("d"), arrayField<float>("extra", DType::F32, {2})});
    chain.add("bit_unpack", {{"field", std::string("d")},
                             {"parts", TextList{"high=0:8", "across=5:2x3:f64", "one=23:scalar:f32",
                                                "label=20:scalar"}}});
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(fieldTexts(chain.out()), (Texts{"high u8 8", "across f64 2x3", "one f32 scalar",
                                             "label u8 scalar", "extra f32 2"}));
    QCOMPARE(chain.out().fields[3].role, Role::Label);
    std::vector<std::uint8_t> bytes{0b10110010, 0b01100000, 0b00001001};
    std::vector<float> extra{3, 4};
    Sample sample(5);
    lend(sample, 0, bytes, DType::Encoded, {3});
    lend(sample, 1, extra, DType::F32, {2});
    VERIFY_OK(chain.run(sample));
    // The result of numpy.unpackbits.
    QCOMPARE(valuesIn<std::uint8_t>(sample[0]),
             (std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0, 1, 0}));
    QCOMPARE(valuesIn<double>(sample[1]), (std::vector<double>{0, 1, 0, 0, 1, 1}));
    QCOMPARE(sample[1].shape, (Shape{2, 3}));
    QCOMPARE(valuesIn<float>(sample[2]), std::vector<float>{1});
    QCOMPARE(valuesIn<std::uint8_t>(sample[3]), std::vector<std::uint8_t>{1});
    QCOMPARE(valuesIn<float>(sample[4]), (std::vector<float>{3, 4}));
  }

  void bitsAtEveryPlaceAreTheBitsOfTheByte() {
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < 12; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 83 + 29));
    for (std::size_t first = 0; first < 17; ++first)
      for (std::size_t count = 1; first + count <= 96; count += 5) {
        NodeChain chain({bytesField("bits")});
        chain.add(
            "bit_unpack",
            {{"parts", TextList{"x=" + std::to_string(first) + ":" + std::to_string(count)}}});
        QCOMPARE(chain.problemText(), std::string());
        Sample sample(1);
        lend(sample, 0, bytes, DType::Encoded, {12});
        VERIFY_OK(chain.run(sample));
        const auto got = valuesIn<std::uint8_t>(sample[0]);
        QCOMPARE(got.size(), count);
        for (std::size_t i = 0; i < count; ++i)
          QCOMPARE(int(got[i]), bytes[(first + i) / 8] >> (7 - (first + i) % 8) & 1);
      }
  }

  void aRecordWithTooFewBitsFailsAlone() {
    NodeChain chain({bytesField("bits")});
    chain.add("bit_unpack", {{"parts", TextList{"x=0:17"}}});
    std::vector<std::uint8_t> bytes{1, 2};
    Sample sample(1);
    lend(sample, 0, bytes, DType::Encoded, {2});
    const Status done = chain.run(sample);
    QVERIFY(!done.ok() && done.error().message.find("16 bits") != std::string::npos);
  }

  void badPartsAreNamed() {
    const auto problem = [](const std::string& part) {
      return problemsOf("bit_unpack", {{"parts", TextList{part}}},
                        {arrayField<std::uint8_t>("bits", DType::U8, {2})});
    };
    QCOMPARE(problem("x=0:16"), std::string());
    for (const char* part : {"x", "x=:3", "x=-1:3", "x=0", "x=0:?", "x=0:3:i64", "X=0:3",
                             "x=0:3:no", "=0:3", "x=99999999999999999999:1"})
      QVERIFY2(problem(part).find(part) != std::string::npos, part);
    QVERIFY(problem("x=1:16").find("ends at bit 17") != std::string::npos);
    QVERIFY(problemsOf("bit_unpack", {}, {bytesField("d")}).find("no field `bits`") !=
            std::string::npos);
    QVERIFY(problemsOf("bit_unpack", {{"parts", TextList{"x=0:1", "x=1:1"}}}, {bytesField("bits")})
                .find("two fields named `x`") != std::string::npos);
  }

  void rawBytesAreReadAsNumbers() {
    NodeChain chain({bytesField("data")});
    chain.add("raw_to_array", {{"as", std::string("i16:?x2")}});
    QCOMPARE(fieldTexts(chain.out()), Texts{"data i16 ?x2"});
    std::vector<std::uint8_t> bytes{0, 1, 0, 255, 255, 2, 0, 3, 0};
    Sample sample(1);
    for (const std::size_t start : {0U, 1U}) {  // aligned and unaligned
      sample.borrow(0, {DType::Encoded,
                        Layout::Plain,
                        {8},
                        reinterpret_cast<std::byte*>(bytes.data()) + start,
                        8});
      VERIFY_OK(chain.run(sample));
      QCOMPARE(sample[0].shape, (Shape{2, 2}));
      QCOMPARE(valuesIn<std::int16_t>(sample[0]),
               start == 1 ? (std::vector<std::int16_t>{1, -1, 2, 3})
                          : (std::vector<std::int16_t>{256, -256, 767, 768}));
    }
    NodeChain big({bytesField("data")});
    big.add("raw_to_array", {{"as", std::string("i16:4")}, {"order", std::string("big")}});
    sample.borrow(
        0, {DType::Encoded, Layout::Plain, {8}, reinterpret_cast<std::byte*>(bytes.data()), 8});
    VERIFY_OK(big.run(sample));
    QCOMPARE(valuesIn<std::int16_t>(sample[0]), (std::vector<std::int16_t>{1, 255, -254, 3}));
    std::vector<std::uint8_t> odd{1, 2, 3};
    lend(sample, 0, odd, DType::Encoded, {3});
    const Status done = chain.run(sample);
    QVERIFY(!done.ok() && done.error().message.find("3 bytes") != std::string::npos);
    for (const char* as : {"f32", "3x4", "f32:?x?", "encoded:3", "f32:3:what"})
      QVERIFY2(!problemsOf("raw_to_array", {{"as", std::string(as)}}, {bytesField("data")}).empty(),
               as);
  }

  void selectReordersFieldsWithWhatIsTheirs() {
    MILLRACE_NEEDS_PART("muparser");
    NodeChain chain({bytesField("bits"), arrayField<float>("a", DType::F32, {2}),
                     arrayField<double>("b", DType::F64, {1})});
    // Every value below is in memory of the sample, and later nodes overwrite it unless the memory
    // moves with the field.
    chain.add("bit_unpack", {{"parts", TextList{"x=0:2:f64", "y=2:2:f64"}}});
    chain.add("expression", {{"results", TextList{"a=a+1", "b=b+1"}}});
    chain.add("select", {{"keep", TextList{"b", "y", "a", "x"}}});
    chain.add("expression", {{"results", TextList{"b=10*b", "y=10*y"}}});
    chain.add("expression", {{"results", TextList{"b=b+1", "y=y+1"}}});
    chain.add("select", {{"keep", TextList{"x", "a", "y", "b"}}});
    chain.add("expression", {{"results", TextList{"x=x+5", "a=a+5"}}});
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(fieldTexts(chain.out()), (Texts{"x f32 2", "a f32 2", "y f32 2", "b f32 1"}));
    std::vector<std::uint8_t> bytes{0b01100000};
    std::vector<float> a{3, 4};
    std::vector<double> b{5};
    Sample sample(4);
    for (int round = 0; round < 3; ++round) {
      sample.reset({}, 4);
      lend(sample, 0, bytes, DType::Encoded, {1});
      lend(sample, 1, a, DType::F32, {2});
      lend(sample, 2, b, DType::F64, {1});
      VERIFY_OK(chain.run(sample));
      QCOMPARE(valuesIn<float>(sample[0]), (std::vector<float>{5, 6}));
      QCOMPARE(valuesIn<float>(sample[1]), (std::vector<float>{9, 10}));
      QCOMPARE(valuesIn<float>(sample[2]), (std::vector<float>{11, 1}));
      QCOMPARE(valuesIn<float>(sample[3]), std::vector<float>{61});
    }
  }

  void selectPicksChannelsWithASign() {
    NodeChain chain({arrayField<double>("x", DType::F64, {2, 3})});
    chain.add("select", {{"field", std::string("x")}, {"channels", TextList{"2", "-0..1", "+1"}}});
    QCOMPARE(fieldTexts(chain.out()), Texts{"x f64 2x4"});
    std::vector<double> values{1, 2, 3, 4, 5, 6};
    Sample sample(1);
    lend(sample, 0, values, DType::F64, {2, 3});
    VERIFY_OK(chain.run(sample));
    QCOMPARE(valuesIn<double>(sample[0]), (std::vector<double>{3, -1, -2, 2, 6, -4, -5, 5}));

    NodeChain ints({arrayField<std::int16_t>("x", DType::I16, {3})});
    ints.add("select", {{"field", std::string("x")}, {"channels", TextList{"-0..2"}}});
    std::vector<std::int16_t> whole{7, 0, -32767};
    lend(sample, 0, whole, DType::I16, {3});
    VERIFY_OK(ints.run(sample));
    QCOMPARE(valuesIn<std::int16_t>(sample[0]), (std::vector<std::int16_t>{-7, 0, 32767}));

    FieldSpec planes = arrayField<float>("image", DType::F32, {2, 1, 2});
    planes.layout = Layout::Chw;
    NodeChain picture({planes});
    picture.add("select", {{"field", std::string("image")}, {"channels", TextList{"1", "-0"}}});
    std::vector<float> pixels{1, 2, 3, 4};
    lend(sample, 0, pixels, DType::F32, {2, 1, 2});
    sample[0].layout = Layout::Chw;
    VERIFY_OK(picture.run(sample));
    QCOMPARE(valuesIn<float>(sample[0]), (std::vector<float>{3, 4, -1, -2}));
  }

  void selectSaysWhatIsNotThere() {
    const std::vector<FieldSpec> fields{arrayField<std::uint8_t>("x", DType::U8, {3})};
    const auto problem = [&](const Values& values) { return problemsOf("select", values, fields); };
    QCOMPARE(problem({}), std::string());
    QVERIFY(problem({{"keep", TextList{"y"}}}).find("no field `y`") != std::string::npos);
    QVERIFY(problem({{"keep", TextList{"x", "x"}}}).find("twice") != std::string::npos);
    const auto channel = [&](const char* text) {
      return problem({{"field", std::string("x")}, {"channels", TextList{text}}});
    };
    QCOMPARE(channel("2"), std::string());
    QVERIFY(channel("3").find("no channel 3") != std::string::npos);
    QVERIFY(channel("-1").find("no negative") != std::string::npos);
    for (const char* text : {"", "a", "2..1", "1..", "--1", "1.2"})
      QVERIFY2(channel(text).find("neither a channel nor a range") != std::string::npos, text);
  }

  void expressionsWorkElementByElement() {
    MILLRACE_NEEDS_PART("muparser");
    NodeChain chain({arrayField<std::int64_t>("score", DType::I64, {}),
                     arrayField<std::uint8_t>("mate", DType::U8, {}),
                     arrayField<float>("x", DType::F32, {2, 2})});
    chain.add("expression", {{"results", TextList{"value=mate > 0 ? sign(score) : tanh(score/400)",
                                                  "x=x*value + score", "twice=value*2"}},
                             {"dtype", std::string("f64")}});
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(fieldTexts(chain.out()), (Texts{"score i64 scalar", "mate u8 scalar", "x f64 2x2",
                                             "value f64 scalar", "twice f64 scalar"}));
    std::vector<std::int64_t> score{-200};
    std::vector<std::uint8_t> mate{0};
    std::vector<float> x{1, 2, 3, 4};
    Sample sample(5);
    for (const std::uint8_t mated : {0, 1}) {
      mate[0] = mated;
      lend(sample, 0, score, DType::I64, {});
      lend(sample, 1, mate, DType::U8, {});
      lend(sample, 2, x, DType::F32, {2, 2});
      VERIFY_OK(chain.run(sample));
      const double value = mated ? -1.0 : std::tanh(-0.5);
      QCOMPARE(valuesIn<double>(sample[3]), std::vector<double>{value});
      QCOMPARE(valuesIn<double>(sample[4]), std::vector<double>{value * 2});
      for (int i = 0; i < 4; ++i)
        QCOMPARE(sample[2].as<double>()[i], double(i + 1) * value + -200.0);
    }
  }

  void everyTypeOfNumberIsRead() {
    MILLRACE_NEEDS_PART("muparser");
    const auto same = [](DType type, auto first, auto second) {
      using T = decltype(first);
      NodeChain chain({arrayField<T>("x", type, {2})});
      chain.add("expression", {{"results", TextList{"x=x"}}, {"dtype", std::string("f64")}});
      std::vector<T> values{first, second};
      Sample sample(1);
      lend(sample, 0, values, type, {2});
      return chain.run(sample).ok() ? valuesIn<double>(sample[0]) : std::vector<double>{};
    };
    QCOMPARE(same(DType::U8, std::uint8_t{255}, std::uint8_t{1}), (std::vector<double>{255, 1}));
    QCOMPARE(same(DType::I8, std::int8_t{-128}, std::int8_t{1}), (std::vector<double>{-128, 1}));
    QCOMPARE(same(DType::U16, std::uint16_t{65535}, std::uint16_t{1}),
             (std::vector<double>{65535, 1}));
    QCOMPARE(same(DType::I32, std::int32_t{-7}, std::int32_t{1 << 30}),
             (std::vector<double>{-7, 1 << 30}));
    // The halves 1.5 and -2 in the two 16-bit formats.
    QCOMPARE(same(DType::F16, std::uint16_t{0x3e00}, std::uint16_t{0xc000}),
             (std::vector<double>{1.5, -2}));
    QCOMPARE(same(DType::BF16, std::uint16_t{0x3fc0}, std::uint16_t{0xc000}),
             (std::vector<double>{1.5, -2}));
  }

  void badFormulasAreNamed() {
    MILLRACE_NEEDS_PART("muparser");
    const std::vector<FieldSpec> fields{arrayField<float>("x", DType::F32, {2}),
                                        arrayField<float>("y", DType::F32, {3}), bytesField("d")};
    const auto problem = [&](const char* text) {
      return problemsOf("expression", {{"results", TextList{text}}}, fields);
    };
    QCOMPARE(problem("z=max(x, 1)"), std::string());
    for (const char* text : {"x", "Z=x", "z=", "z=x+", "z=(x", "z=missing", "z=d", "z=x,y",
                             "z=tanh()", "z==x", "z=x+y", "z=\"x\""})
      QVERIFY2(problem(text).find(text) != std::string::npos, text);
    QVERIFY(problem("z=x+y").find("`x` is 2 and `y` is 3") != std::string::npos);
    QVERIFY(problem("z=missing").find("`missing` is neither a numeric field nor a function") !=
            std::string::npos);
    // No assignment, no foreign name, and no crash.
    QVERIFY(!problem("z=x=1").empty());
  }
};

MILLRACE_TEST_CASE(TestRecordParts)

}  // namespace millrace

#include "tst_record_parts.moc"

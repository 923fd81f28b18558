// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/infer_context.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

StreamType stream() {
  StreamType in;
  in.fields = {{"photo", DType::U8, {8, 8, 3}, Layout::Hwc, Role::Image},
               {"label", DType::I64, {}, Layout::Plain, Role::Label},
               {"depth", DType::U8, {8, 8, 1}, Layout::Hwc, Role::Target}};
  return in;
}

using Indices = std::vector<std::size_t>;

/// The texts of all problems that the check reports.
std::string reported(const StreamType& in, const std::vector<std::string>& named,
                     std::initializer_list<Role> roles) {
  Problems problems;
  InferContext context("crop", problems);
  const bool fine = checkFields(in, named, roles, context);
  std::string text = fine ? "fine" : "";
  for (const Problem& problem : problems.all()) text += problem.text() + "\n";
  return text;
}

}  // namespace

class TestInferContext : public QObject {
  Q_OBJECT
 private slots:
  void aNodeActsOnFieldsByTheirRole() {
    QCOMPARE(actedFields(stream(), {}, {Role::Image, Role::Target}), (Indices{0, 2}));
    QCOMPARE(actedFields(stream(), {}, {Role::Mask}), Indices());
  }

  void namedFieldsReplaceTheRoles() {
    QCOMPARE(actedFields(stream(), {"label"}, {Role::Image}), Indices{1});
    QCOMPARE(actedFields(stream(), {"depth", "photo"}, {}), (Indices{0, 2}));
    QCOMPARE(actedFields(stream(), {"absent"}, {Role::Image}), Indices());
  }

  void fieldsThatAreThereAreFine() {
    QCOMPARE(reported(stream(), {}, {Role::Image}), std::string("fine"));
    QCOMPARE(reported(stream(), {"label"}, {Role::Image}), std::string("fine"));
  }

  void everyAbsentFieldIsReported() {
    QCOMPARE(reported(stream(), {"a", "label", "b"}, {Role::Image}),
             std::string("error: crop.fields: the stream has no field `a`; it has photo, label and "
                         "depth\n"
                         "error: crop.fields: the stream has no field `b`; it has photo, label and "
                         "depth\n"));
  }

  void aNodeWithNothingToActOnSaysWhatItLooksFor() {
    QCOMPARE(reported(stream(), {}, {Role::Mask, Role::Features}),
             std::string("error: crop: there is no field to act on: none is mask or features; the "
                         "stream has photo, label and depth; name the fields in `fields` or remove "
                         "the node\n"));
    const std::string unconnected = reported({}, {}, {Role::Image});
    QVERIFY2(unconnected.find("a source") != std::string::npos, unconnected.c_str());
  }

  void aContextReportsForItsNode() {
    Problems problems;
    InferContext context("crop", problems, "/data");
    QCOMPARE(context.node(), std::string("crop"));
    QCOMPARE(context.base().string(), std::string("/data"));
    QVERIFY(context.deviceUse() == DeviceUse::Detect);
    context.setDeviceUse(DeviceUse::HostOnly);
    QVERIFY(context.deviceUse() == DeviceUse::HostOnly);
    context.warning("width", "it is odd", "make it even");
    context.error("", "it is too large", "");
    QCOMPARE(problems.all().at(0).text(),
             std::string("warning: crop.width: it is odd; make it even"));
    QCOMPARE(problems.all().at(1).text(), std::string("error: crop: it is too large"));
  }
};

}  // namespace millrace

using millrace::TestInferContext;
MILLRACE_TEST_CASE(TestInferContext)
#include "tst_infer_context.moc"

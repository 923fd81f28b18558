// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/aws_account.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestAwsAccount : public QObject {
  Q_OBJECT

 private slots:
  void sectionsAndNestedSettingsAreRead() {
    const AwsSections sections = parseAwsFile(
        "lost = 1\n# comment\n[default]\naws_access_key_id = A\r\naws_secret_access_key=b=c\n"
        "[profile  lab]\nregion = eu-west-1\ns3 =\n  addressing_style = virtual\n"
        "  endpoint_url = http://h\noutput = json\nno equals\n[open\nx=y");
    QCOMPARE(sections.at("default").at("aws_access_key_id"), std::string("A"));
    QCOMPARE(sections.at("default").at("aws_secret_access_key"), std::string("b=c"));
    const auto& lab = sections.at("profile  lab");
    QCOMPARE(lab.at("s3.addressing_style"), std::string("virtual"));
    QCOMPARE(lab.at("s3.endpoint_url"), std::string("http://h"));
    QCOMPARE(lab.at("output"), std::string("json"));
    QVERIFY(!lab.contains("no equals"));
  }
};

}  // namespace millrace

using millrace::TestAwsAccount;
MILLRACE_TEST_CASE(TestAwsAccount)
#include "tst_aws_account.moc"

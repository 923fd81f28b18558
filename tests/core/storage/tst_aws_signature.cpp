// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Against the examples of AWS ("Signature Calculations for the Authorization Header", Amazon S3 API
// Reference).
#include "core/storage/aws_signature.h"

#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestAwsSignature : public QObject {
  Q_OBJECT

  static inline const AwsKeys kKeys{"AKIAIOSFODNN7EXAMPLE",
                                    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  /// 2013-05-24 00:00:00 UTC
  static inline const auto kTime = std::chrono::system_clock::from_time_t(1369353600);

  static std::string signatureOf(const std::vector<std::string>& headers) {
    for (const std::string& header : headers)
      if (const std::size_t at = header.find("Signature="); at != std::string::npos)
        return header.substr(at + 10);
    return {};
  }

 private slots:
  void initTestCase() { MILLRACE_NEEDS_PART("openssl"); }

  void theExamplesOfAwsAreSignedTheSame() {
    const AwsRequest lifecycle{
        "examplebucket.s3.amazonaws.com", "/", {{"lifecycle", ""}}, "us-east-1"};
    auto headers = awsSignature(lifecycle, kKeys, kTime);
    VERIFY_OK(headers);
    QCOMPARE(signatureOf(*headers),
             std::string("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
    const AwsRequest listing{
        "examplebucket.s3.amazonaws.com", "/", {{"prefix", "J"}, {"max-keys", "2"}}, "us-east-1"};
    headers = awsSignature(listing, kKeys, kTime);
    VERIFY_OK(headers);
    QCOMPARE(signatureOf(*headers),
             std::string("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
  }

  void aSessionsTokenIsSentAndSigned() {
    AwsKeys keys = kKeys;
    keys.token = "token";
    const auto headers = awsSignature({"h", "/k", {}, "eu-west-1"}, keys, kTime);
    VERIFY_OK(headers);
    QVERIFY(std::ranges::find(*headers, "x-amz-security-token: token") != headers->end());
    QVERIFY(headers->at(2).find(";x-amz-security-token,") != std::string::npos);
  }

  void queriesAreEncodedAndSorted() {
    QCOMPARE(canonicalQuery({{"b", "x y"}, {"a", "1/2"}, {"b", "+"}}),
             std::string("a=1%2F2&b=%2B&b=x%20y"));
  }
};

}  // namespace millrace

using millrace::TestAwsSignature;
MILLRACE_TEST_CASE(TestAwsSignature)
#include "tst_aws_signature.moc"

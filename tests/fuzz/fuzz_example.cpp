// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A tf.train.Example from any source. The fields that a survey reports can be parsed and lie within
// it, unless the survey says that a record lacks one: its description may name another key.
#include <cstdlib>

#include "core/formats/tfrecord/example_fields.h"
#include "core/formats/tfrecord/example_survey.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto record = std::as_bytes(std::span(data, size));
  ExampleSurvey survey;
  if (!survey.add(record)) return 0;
  const std::vector<ExampleField> fields = survey.guess();
  (void)survey.leftOut(fields);
  ExampleParser parser(fields);
  Sample sample(fields.size());
  if (!parser.parse(record, sample)) {
    if (survey.missing(fields).empty()) std::abort();
    return 0;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].spec.dtype != DType::Encoded) continue;
    const auto bytes = sample[i].content();
    if (!bytes.empty() && (bytes.data() < record.data() ||
                           bytes.data() + bytes.size() > record.data() + record.size()))
      std::abort();
  }
  return 0;
}

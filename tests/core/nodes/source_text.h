// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/data/sample.h"
#include "core/spec/source.h"

namespace millrace::tests {

/// Recognised as a JPEG by its first bytes.
inline const std::string kJpeg = "\xff\xd8\xff\xe0 and so on";

inline std::vector<std::string> fieldsOf(const Source& source) {
  std::vector<std::string> texts;
  for (const FieldSpec& field : source.fields()) texts.push_back(field.text());
  return texts;
}

/// A number, or the bytes.
inline std::string valueText(const TensorView& view) {
  if (view.dtype == DType::I64) return std::to_string(*view.as<std::int64_t>());
  if (view.dtype == DType::I32) return std::to_string(*view.as<std::int32_t>());
  if (view.dtype == DType::F64) return std::to_string(*view.as<double>());
  return {view.as<const char>(), view.bytes};
}

/// `name: field|field`, or the error.
inline std::string sampleText(const Source& source, std::uint32_t index,
                              std::string (*value)(const TensorView&) = valueText) {
  const std::unique_ptr<SourceReader> reader = source.reader();
  Sample sample;
  ReadCounters counters;
  sample.reset({0, index, 0}, source.fields().size());
  const Status done = reader->read(index, sample, counters);
  std::string text = source.name(index) + ": ";
  if (!done) return text + "error: " + done.error().message;
  for (std::size_t f = 0; f < sample.fields(); ++f) text += (f == 0 ? "" : "|") + value(sample[f]);
  return text;
}

/// Samples as `name=label`, unlabelled ones as `name`.
inline std::vector<std::string> samplesOf(const Source& source) {
  std::vector<std::string> samples;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    samples.push_back(source.name(i));
    if (source.labelOf(i) >= 0) samples.back() += "=" + std::to_string(source.labelOf(i));
  }
  return samples;
}

/// Whether one of the source's warnings contains `part`.
inline bool warns(const Source& source, const char* part) {
  for (const std::string& warning : source.warnings())
    if (warning.find(part) != std::string::npos) return true;
  return false;
}

/// All fields of a sample as texts; labels as numbers.
inline std::vector<std::string> readAll(const Source& source, std::uint32_t index) {
  Sample sample;
  ReadCounters counters;
  sample.reset({0, index, 0}, source.fields().size());
  const std::unique_ptr<SourceReader> reader = source.reader();  // lends the sample its bytes
  const Status done = reader->read(index, sample, counters);
  if (!done) return {"error: " + done.error().message};
  std::vector<std::string> values;
  for (std::size_t f = 0; f < sample.fields(); ++f) values.push_back(valueText(sample[f]));
  return values;
}

/// A sample's vector of labels, its last field.
inline std::vector<float> vectorOf(const Source& source, std::uint32_t index) {
  Sample sample;
  ReadCounters counters;
  sample.reset({0, index, 0}, source.fields().size());
  const std::unique_ptr<SourceReader> reader = source.reader();
  if (!reader->read(index, sample, counters)) return {};
  const TensorView& last = sample[sample.fields() - 1];
  return {last.as<float>(), last.as<float>() + last.bytes / sizeof(float)};
}

/// One or two directories of one entry each, at 8 and 26; the entry is the width.
inline std::string pagesOfTiff(int pages) {
  const std::string page("\1\0\0\1\3\0\1\0\0\0\5\0\0\0", 14);
  const std::string one = std::string("II*\0\x08\0\0\0", 8) + page;
  const std::string none(4, '\0');
  return pages == 1 ? one + none : one + std::string("\x1a\0\0\0", 4) + page + none;
}

}  // namespace millrace::tests

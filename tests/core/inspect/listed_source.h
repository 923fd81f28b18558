// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/spec/source.h"

namespace millrace::tests {

/// Samples in memory, named "s0", "s1", ...: one field for each text, or an error. Constant, apart
/// from what `beforeRead` does.
class ListedSource final : public Source {
 public:
  struct Entry {
    std::vector<std::string> fields;
    std::int64_t label = -1;
    std::string error{};
  };
  std::vector<Entry> entries;
  std::vector<FieldSpec> specs = {
      {"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image}};
  std::vector<std::string> classNames;
  std::function<void(std::uint32_t)> beforeRead;

  std::uint32_t size() const override { return static_cast<std::uint32_t>(entries.size()); }
  std::vector<FieldSpec> fields() const override { return specs; }
  std::string name(std::uint32_t index) const override { return "s" + std::to_string(index); }
  std::int64_t labelOf(std::uint32_t index) const override { return entries[index].label; }
  std::vector<std::string> classes() const override { return classNames; }
  std::unique_ptr<SourceReader> reader() const override { return std::make_unique<Reader>(*this); }

 private:
  class Reader final : public SourceReader {
   public:
    explicit Reader(const ListedSource& source) : m_source(source) {}
    Status read(std::uint32_t index, Sample& sample, ReadCounters&) override {
      if (m_source.beforeRead) m_source.beforeRead(index);
      const Entry& entry = m_source.entries[index];
      if (!entry.error.empty()) return Error{entry.error};
      for (std::size_t f = 0; f < entry.fields.size(); ++f) {
        const FieldSpec& spec = m_source.specs[f];
        const std::string& bytes = entry.fields[f];
        const TensorView to = spec.dtype == DType::Encoded
                                  ? sample.replaceBytes(f, bytes.size())
                                  : sample.replace(f, spec.dtype, spec.shape, spec.layout);
        if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
      }
      return {};
    }

   private:
    const ListedSource& m_source;
  };
};

}  // namespace millrace::tests

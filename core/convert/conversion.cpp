// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/conversion.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/text.h"
#include "core/convert/ordered_making.h"
#include "core/convert/staging.h"
#include "core/convert/written_data.h"
#include "core/formats/class_names.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using Go = std::function<bool(const ConvertProgress&)>;

/// Failed samples that are listed; all are counted.
constexpr std::size_t kNamed = 1000;
/// At most this much work is lost when the process is killed.
constexpr std::chrono::seconds kBetweenMarks{5};

/// Everything of a step that changes pixels.
std::string decodingText(const DecodeStep& step) {
  const auto background = step.background.value_or(std::array<std::uint8_t, 3>());
  return fmt::format(" decode {} {} {} {} {} {} {} {} {}", static_cast<int>(step.form),
                     step.applyOrientation, step.colourMasks, step.ownDecoder, step.fillTruncated,
                     step.refuseSeveral, step.background.has_value(), fmt::join(background, " "),
                     step.cmykProfile);
}

/// One conversion. Use once.
class Conversion {
 public:
  Conversion(const ConvertOptions& job, const Go& go) : m_job(job), m_go(go) {}

  Result<ConvertOutcome> run() {
    MILLRACE_ASSIGN_OR_RETURN(
        m_plan, planMaking(m_job.source, *m_job.format, m_job.pictures, m_job.lz4, m_job.lossy));
    m_out.notes = m_plan.notes;
    if (!m_job.format->namesSamples)
      m_out.notes.push_back(
          fmt::format("{} stores no names of samples: they are in the order of the source",
                      m_job.format->title));
    m_out.sourceSamples = m_job.source->size();
    MILLRACE_ASSIGN_OR_RETURN(
        auto staging, Staging::open(m_job.target, fingerprint(), m_job.ifThere, m_job.resume));
    m_staging = std::move(staging);
    Status done = work();
    if (m_out.interrupted) return std::move(m_out);
    if (!done) {
      m_writer.reset();
      m_staging.discard();
      return done.error();
    }
    return std::move(m_out);
  }

 private:
  Status work() {
    m_mark = m_staging.found();
    m_out.resumedAt = m_mark.next;
    m_out.resumedSamples = m_mark.writer.samples;
    if (namesClasses()) MILLRACE_TRY(classNamesText(m_spec.classes));
    MILLRACE_TRY(learnShapes());
    if (m_out.interrupted) return {};
    m_spec.folder = m_staging.data();
    MILLRACE_ASSIGN_OR_RETURN(m_writer, m_job.format->openWriter(m_spec, m_mark.writer));
    MILLRACE_TRY(writeAll());
    if (m_out.interrupted) return {};
    MILLRACE_TRY(m_writer->finish());
    MILLRACE_TRY(nameClasses());
    m_out.samples = m_staging.digests().size();
    m_out.failed = m_mark.failedCount;
    m_out.failures = m_mark.failed;
    m_out.bytesRead = m_mark.bytesRead;
    m_out.fields = m_spec.fields;
    const std::vector<std::string> readBack = m_writer->readBack();
    m_writer.reset();
    noteShapes(readBack);
    noteReductions();
    MILLRACE_TRY(verify(readBack));
    if (m_out.interrupted) return {};
    MILLRACE_TRY(m_staging.publish(isOneFile(m_job.target, *m_job.format)));
    countFiles();
    auto proposal = proposeReading(m_job.target, *m_job.format, m_spec, readBack);
    if (proposal) m_out.proposal = proposal.take();
    return {};
  }

  /// Digest of everything that determines what is written.
  std::uint64_t fingerprint() const {
    const PictureOptions& p = m_plan.pictures;
    const Size size = p.size.value_or(Size{});
    std::string text = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {}", m_job.format->name, m_job.shardBytes,
        m_job.gzip, m_job.lz4, static_cast<int>(p.form), p.jpegQuality, size.width, size.height,
        p.shorterSide, p.patch, p.stride, p.downscale, p.check, m_job.source->size());
    if (p.decode) text += decodingText(*p.decode);
    for (const FieldSpec& field : m_plan.fields) text += " " + field.text();
    return hashed(text, m_plan.keys->hashOfAll());
  }

  /// Shapes of raw pictures are only known from a sample: makes the first valid one.
  Status learnShapes() {
    const bool one = isOneFile(m_job.target, *m_job.format);
    m_spec.name = one ? m_job.target.filename().native() : m_job.target.stem().native();
    m_spec.shardBytes = one ? 0 : m_job.shardBytes;
    m_spec.classes = m_job.source->classes();
    m_spec.gzip = m_job.gzip;
    m_spec.lz4 = m_job.lz4;
    m_spec.fields = m_plan.fields;
    SampleMaker maker(m_plan);
    std::string first;
    for (std::uint32_t i = 0; i < m_job.source->size(); ++i) {
      if (!m_go({"looking", i, m_job.source->size()})) {
        m_out.interrupted = true;
        return {};
      }
      const auto made = maker.make(i);
      if (!made && first.empty())
        first = fmt::format("{}: {}", validUtf8(m_job.source->name(i)), made.error().message);
      if (i >= m_job.allowedFailures && !made) break;
      if (!made) continue;
      for (std::size_t f = 0; f < m_spec.fields.size(); ++f)
        if (m_spec.fields[f].dtype != DType::Encoded)
          m_spec.fields[f].shape = made->samples.front().values[f].shape;
      return {};
    }
    return Error{fmt::format("no sample can be converted; first: {}", first)};
  }

  Status writeAll() {
    const std::uint32_t end = m_job.source->size();
    OrderedMaking making(m_plan, m_mark.next, end, m_job.workers);
    auto marked = std::chrono::steady_clock::now();
    while (m_mark.next < end) {
      if (!m_go({"writing", m_mark.next, end})) return interrupt();
      auto made = making.next();
      if (!made) continue;
      MILLRACE_TRY(take(std::move(*made)));
      const auto now = std::chrono::steady_clock::now();
      if (now - marked < kBetweenMarks) continue;
      MILLRACE_TRY(mark());
      marked = now;
    }
    return {};
  }

  Status interrupt() {
    m_out.interrupted = true;
    m_out.samples = m_mark.next;
    return mark();
  }

  Status mark() {
    MILLRACE_ASSIGN_OR_RETURN(m_mark.writer, m_writer->sync());
    return m_staging.keep(m_mark);
  }

  Status take(OrderedMaking::Made made) {
    const std::uint32_t index = m_mark.next++;
    if (!made) return fail(index, made.error().message);
    m_mark.bytesRead += made->bytesRead;
    for (std::size_t r = 0; r < kReductions; ++r) m_mark.reduced[r] += made->reduced[r];
    std::vector<TensorView> values;
    for (const MadeSample& sample : made->samples) {
      values.clear();
      for (const MadeValue& value : sample.values) values.push_back(value.view());
      MILLRACE_TRY(checkShapes(index, values));
      MILLRACE_TRY(m_writer->add({sample.key, values}));
      m_staging.digest(digestOf(m_spec, *m_job.format, values));
    }
    return {};
  }

  /// A format of fixed shapes cannot store another shape. That is a wrong choice of options, not a
  /// damaged sample.
  Status checkShapes(std::uint32_t index, const std::vector<TensorView>& values) const {
    if (m_job.format->shapesVary != nullptr && m_job.format->shapesVary(m_spec)) return {};
    for (std::size_t f = 0; f < values.size(); ++f) {
      const FieldSpec& field = m_spec.fields[f];
      if (field.dtype == DType::Encoded || values[f].shape == field.shape) continue;
      return Error{
          fmt::format("`{}`: {} is {}, but earlier samples have {}; raw values of one data "
                      "set need one shape: use the setting `resize`",
                      validUtf8(m_job.source->name(index)), field.name, values[f].shape.text(),
                      field.shape.text())};
    }
    return {};
  }

  Status fail(std::uint32_t index, const std::string& reason) {
    const std::string name = m_job.source->name(index);
    ++m_mark.failedCount;
    if (m_mark.failed.size() < kNamed) m_mark.failed.emplace_back(name, reason);
    if (m_mark.failedCount <= m_job.allowedFailures) return {};
    const auto& [first, why] = m_mark.failed.front();
    return Error{
        fmt::format("{} of {} samples failed, but only {} may fail; first: {}: {}; "
                    "use the setting `max_failures` to allow more",
                    grouped(m_mark.failedCount), grouped(m_mark.next),
                    grouped(m_job.allowedFailures), validUtf8(first), why)};
  }

  Status verify(const std::vector<std::string>& readBack) {
    const bool one = isOneFile(m_job.target, *m_job.format);
    const fs::path written = one ? m_staging.data() / m_job.target.filename() : m_staging.data();
    const auto proposal = proposeReading(written, *m_job.format, m_spec, readBack);
    if (!proposal) return Error{"what was written cannot be read: " + proposal.error().message};
    const auto source = openSourceOf(proposal->graph, builtinCatalog());
    if (!source) return Error{"what was written cannot be read: " + source.error().message};
    return verifyWritten(**source, *m_job.format, m_spec, m_staging.digests(), m_job.verify,
                         [this](std::uint64_t done) {
                           m_out.interrupted = !m_go({"verifying", done, m_out.samples});
                           return !m_out.interrupted;
                         });
  }

  /// Notes what a reader must be told, because the data does not contain it.
  void noteShapes(const std::vector<std::string>& readBack) {
    const auto note = [this](std::string_view param, const std::string& value) {
      m_out.notes.push_back(
          fmt::format("the values do not contain their own type: set the source's `{}` to {}, as "
                      "the pipeline written by -o does",
                      param, value));
    };
    if (m_job.format->oneValue && !readBack.empty()) note("value", readBack.front());
    const bool arrays = std::ranges::any_of(m_spec.fields, [](const FieldSpec& field) {
      return field.dtype != DType::Encoded && field.role != Role::Label;
    });
    if (m_job.format->bytesOnly && arrays) note(m_job.format->fieldsParam, join(readBack, ","));
  }

  /// Notes what of the pictures' files is not in the target.
  void noteReductions() {
    for (std::size_t r = 0; r < kReductions; ++r) {
      if (m_mark.reduced[r] == 0) continue;
      const auto reduction = static_cast<Reduction>(r);
      const std::string remedy = remedyOf(reduction, m_job.pagesOf);
      m_out.notes.push_back(describe(reduction, m_mark.reduced[r], m_mark.next) +
                            (remedy.empty() ? "" : "; " + remedy));
    }
  }

  /// Whether the names of classes are written next to files that contain only their numbers.
  bool namesClasses() const {
    const Format& format = *m_job.format;
    const bool labels = std::ranges::any_of(
        m_spec.fields, [](const FieldSpec& field) { return field.role == Role::Label; });
    const bool named = !m_spec.classes.empty() && m_spec.classes != std::vector<std::string>{"."};
    return !format.classesAreFolders && !format.namesClasses && labels && named;
  }

  Status nameClasses() const {
    if (!namesClasses()) return {};
    MILLRACE_ASSIGN_OR_RETURN(const auto text, classNamesText(m_spec.classes));
    const bool one = isOneFile(m_job.target, *m_job.format);
    const fs::path data = one ? m_staging.data() / m_job.target.filename() : m_staging.data();
    return writeWholeFile(classNamesFile(data, one), text, IfThere::Replace);
  }

  void countFiles() {
    std::error_code error;
    const auto count = [&](const fs::path& file) {
      const auto size = fs::file_size(file, error);
      if (error) return;
      ++m_out.files;
      m_out.bytesWritten += size;
    };
    for (const fs::path& file : m_staging.companions()) count(file);
    if (!fs::is_directory(m_job.target, error)) return count(m_job.target);
    for (fs::recursive_directory_iterator at(m_job.target, error), end; !error && at != end;
         at.increment(error))
      if (at->is_regular_file(error)) count(at->path());
  }

  const ConvertOptions& m_job;
  const Go& m_go;
  MakePlan m_plan;
  WriteSpec m_spec;
  Staging m_staging;
  ConvertMark m_mark;
  std::unique_ptr<DatasetWriter> m_writer;
  ConvertOutcome m_out;
};

}  // namespace

double Converted::samplesPerSecond() const {
  if (seconds <= 0) return 0;
  return static_cast<double>(outcome.samples - outcome.resumedSamples) / seconds;
}

Result<ConvertOutcome> convertData(const ConvertOptions& job, const Go& go) {
  return Conversion(job, go).run();
}

}  // namespace millrace

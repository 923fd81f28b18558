// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/conversion.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/convert/ordered_making.h"
#include "core/convert/staging.h"
#include "core/convert/written_data.h"
#include "core/formats/folder_writer.h"
#include "core/formats/hdf5_writer.h"
#include "core/formats/lmdb_writer.h"
#include "core/formats/mds_writer.h"
#include "core/formats/npy_writer.h"
#include "core/formats/record_io_writer.h"
#include "core/formats/tfrecord_writer.h"
#include "core/formats/web_writer.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using Go = std::function<bool(const ConvertProgress&)>;

/// Failed samples that are named; all are counted.
constexpr std::size_t kNamed = 1000;
/// How much of the work a kill may cost.
constexpr std::chrono::seconds kBetweenMarks{5};

constexpr std::array<std::pair<TargetKind, std::string_view>, 8> kNames = {
    {{TargetKind::TfRecord, "tfrecord"},
     {TargetKind::WebDataset, "webdataset"},
     {TargetKind::Folder, "folder"},
     {TargetKind::Numpy, "numpy"},
     {TargetKind::Lmdb, "lmdb"},
     {TargetKind::Mds, "mds"},
     {TargetKind::RecordIo, "recordio"},
     {TargetKind::Hdf5, "hdf5"}}};

OpenWriter openWriter(TargetKind kind, const WriteSpec& spec, const WriteMark& from) {
  switch (kind) {
    case TargetKind::TfRecord: return openTfRecordWriter(spec, from);
    case TargetKind::WebDataset: return openWebWriter(spec, from);
    case TargetKind::Numpy: return openNpyWriter(spec, from);
    case TargetKind::Folder: return openFolderWriter(spec, from);
    case TargetKind::Mds: return openMdsWriter(spec, from);
    case TargetKind::RecordIo: return openRecordIoWriter(spec, from);
    case TargetKind::Hdf5: return openHdf5Writer(spec, from);
    case TargetKind::Lmdb: break;
  }
  return openLmdbWriter(spec, from);
}

/// One conversion. One use.
class Conversion {
 public:
  Conversion(const ConvertJob& job, const Go& go) : m_job(job), m_go(go) {}

  Result<ConvertOutcome> run() {
    auto plan = planMaking(m_job.source, m_job.kind, m_job.pictures, m_job.lz4);
    if (!plan) return plan.error();
    m_plan = plan.take();
    m_out.notes = m_plan.notes;
    m_out.sourceSamples = m_job.source->size();
    auto staging = Staging::open(m_job.target, fingerprint(), m_job.ifThere, m_job.resume);
    if (!staging) return staging.error();
    m_staging = staging.take();
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
    MILLRACE_TRY(learnShapes());
    if (m_out.interrupted) return {};
    m_spec.folder = m_staging.data();
    auto writer = openWriter(m_job.kind, m_spec, m_mark.writer);
    if (!writer) return writer.error();
    m_writer = writer.take();
    MILLRACE_TRY(writeAll());
    if (m_out.interrupted) return {};
    MILLRACE_TRY(m_writer->finish());
    m_out.samples = m_staging.digests().size();
    m_out.failed = m_mark.failedCount;
    m_out.failures = m_mark.failed;
    m_out.bytesRead = m_mark.bytesRead;
    m_out.fields = m_spec.fields;
    const std::vector<std::string> readBack = m_writer->readBack();
    m_writer.reset();
    if (m_job.kind == TargetKind::Lmdb && !readBack.empty())
      m_out.notes.push_back(fmt::format(
          "values do not say what they are: the source takes them by `value` set to {}; "
          "the pipeline that -o writes does so",
          readBack.front()));
    MILLRACE_TRY(verify(readBack));
    if (m_out.interrupted) return {};
    MILLRACE_TRY(m_staging.publish(isOneFile(m_job.target, m_job.kind)));
    countFiles();
    auto proposal = proposeReading(m_job.target, m_job.kind, m_spec, readBack);
    if (proposal) m_out.proposal = proposal.take();
    return {};
  }

  /// Of all that decides what is written.
  std::uint64_t fingerprint() const {
    const PictureOptions& p = m_plan.pictures;
    const Size size = p.size.value_or(Size{});
    std::string text = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {}", nameOf(m_job.kind), m_job.shardBytes,
        m_job.gzip, m_job.lz4, static_cast<int>(p.form), p.jpegQuality, size.width, size.height,
        p.shorterSide, p.patch, p.stride, p.downscale, p.check, m_job.source->size());
    for (const FieldSpec& field : m_plan.fields) text += " " + field.text();
    return hashed(text, m_plan.keys->hashOfAll());
  }

  /// What only a sample tells: sizes of raw pictures. The first sound one is made for it.
  Status learnShapes() {
    const bool one = isOneFile(m_job.target, m_job.kind);
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
    const auto synced = m_writer->sync();
    if (!synced) return synced.error();
    m_mark.writer = *synced;
    return m_staging.keep(m_mark);
  }

  Status take(OrderedMaking::Made made) {
    const std::uint32_t index = m_mark.next++;
    if (!made) return fail(index, made.error().message);
    m_mark.bytesRead += made->bytesRead;
    std::vector<TensorView> values;
    for (const MadeSample& sample : made->samples) {
      values.clear();
      for (const MadeValue& value : sample.values) values.push_back(value.view());
      MILLRACE_TRY(checkShapes(index, values));
      MILLRACE_TRY(m_writer->add({sample.key, values}));
      m_staging.digest(digestOf(m_spec, m_job.kind, values));
    }
    return {};
  }

  /// A format of fixed shapes has no place for another one: that is a wrong choice, no damage.
  Status checkShapes(std::uint32_t index, const std::vector<TensorView>& values) const {
    // A Datum says its own.
    if (m_job.kind == TargetKind::Lmdb && writesDatums(m_spec)) return {};
    for (std::size_t f = 0; f < values.size(); ++f) {
      const FieldSpec& field = m_spec.fields[f];
      if (field.dtype == DType::Encoded || values[f].shape == field.shape) continue;
      return Error{
          fmt::format("`{}`: {} is {} where those before are {}; raw values of one data "
                      "set have one shape: --resize WIDTHxHEIGHT makes it so",
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
        fmt::format("{} of {} samples failed, allowed are {}; first: {}: {}; "
                    "--max-failures allows more",
                    grouped(m_mark.failedCount), grouped(m_mark.next),
                    grouped(m_job.allowedFailures), validUtf8(first), why)};
  }

  Status verify(const std::vector<std::string>& readBack) {
    const bool one = isOneFile(m_job.target, m_job.kind);
    const fs::path written = one ? m_staging.data() / m_job.target.filename() : m_staging.data();
    const auto proposal = proposeReading(written, m_job.kind, m_spec, readBack);
    if (!proposal) return Error{"what was written cannot be read: " + proposal.error().message};
    const auto source = openSourceOf(proposal->graph, builtinCatalog());
    if (!source) return Error{"what was written cannot be read: " + source.error().message};
    return verifyWritten(**source, m_job.kind, m_spec, m_staging.digests(), m_job.verify,
                         [this](std::uint64_t done) {
                           m_out.interrupted = !m_go({"verifying", done, m_out.samples});
                           return !m_out.interrupted;
                         });
  }

  void countFiles() {
    std::error_code error;
    const auto count = [&](const fs::path& file) {
      const auto size = fs::file_size(file, error);
      if (error) return;
      ++m_out.files;
      m_out.bytesWritten += size;
    };
    if (!fs::is_directory(m_job.target, error)) return count(m_job.target);
    for (fs::recursive_directory_iterator at(m_job.target, error), end; !error && at != end;
         at.increment(error))
      if (at->is_regular_file(error)) count(at->path());
  }

  const ConvertJob& m_job;
  const Go& m_go;
  MakePlan m_plan;
  WriteSpec m_spec;
  Staging m_staging;
  ConvertMark m_mark;
  std::unique_ptr<DatasetWriter> m_writer;
  ConvertOutcome m_out;
};

}  // namespace

std::string_view nameOf(TargetKind kind) {
  for (const auto& [known, name] : kNames)
    if (known == kind) return name;
  return {};
}

std::optional<TargetKind> targetKindNamed(std::string_view name) {
  for (const auto& [kind, known] : kNames)
    if (known == name) return kind;
  return std::nullopt;
}

std::optional<TargetKind> targetKindOf(const fs::path& target) {
  const std::string extension = target.extension().native();
  if (extension.starts_with(".tfrec")) return TargetKind::TfRecord;
  if (extension == ".tar") return TargetKind::WebDataset;
  if (extension == ".npy" || extension == ".npz") return TargetKind::Numpy;
  if (extension == ".mdb" || extension == ".lmdb") return TargetKind::Lmdb;
  if (extension == ".mds") return TargetKind::Mds;
  if (extension == ".rec") return TargetKind::RecordIo;
  if (extension == ".h5" || extension == ".hdf5") return TargetKind::Hdf5;
  return std::nullopt;
}

bool isOneFile(const fs::path& target, TargetKind kind) {
  const auto named = targetKindOf(target);
  return named == kind && kind != TargetKind::Mds && target.extension() != ".lmdb";
}

Result<ConvertOutcome> convertData(const ConvertJob& job, const Go& go) {
  return Conversion(job, go).run();
}

}  // namespace millrace

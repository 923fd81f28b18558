// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/train/dense_product.h"
#include "core/train/rank_average.h"
#include "core/train/training_memory.h"

namespace millrace {

class Trainer::Impl {
 public:
  Impl(std::shared_ptr<Device> device, const TrainerSettings& settings)
      : m_device(std::move(device)),
        m_settings(settings),
        m_network(
            residualNetwork(settings.network, settings.channels, settings.height, settings.width)),
        m_element(sizeOf(settings.precision)),
        m_memory(*m_device, m_element) {}

  ~Impl() {
    // Otherwise work that waits for a missing rank would never end.
    if (m_average) m_average->abandon();
    // No work may still use the memory that is returned.
    if (m_stream) (void)m_stream->synchronise();
  }

  Status open() {
    MILLRACE_ASSIGN_OR_RETURN(m_stream, m_device->makeStream("training step"));
    for (std::unique_ptr<Event>& event : m_marks) {
      MILLRACE_ASSIGN_OR_RETURN(event, m_device->makeEvent(EventKind::Timed));
    }
    if (Status taken = takeMemory(); !taken) return tooLittle(taken.error());
    m_device->giveBackFree();  // the libraries allocate memory themselves
    MILLRACE_TRY(openLibraries());
    MILLRACE_TRY(setParameters());
    // Here and not in the first step, because trying algorithms takes seconds.
    MILLRACE_TRY(m_convolutions->begin(m_settings.mostRows));
    if (!m_settings.rank) return {};
    MILLRACE_ASSIGN_OR_RETURN(m_average,
                              rankAverage(*m_settings.rank, *m_device, m_network.parameters));
    m_libraries += ", gradients of all ranks by " + m_average->by();
    return {};
  }

  Status enqueue(const PictureView& pictures, const LabelView& labels, const Event* ready) {
    MILLRACE_CHECK(pictures.rows > 0 && pictures.rows <= m_settings.mostRows,
                   "a batch must have 1 to mostRows rows");
    m_loss.rows = pictures.rows;
    m_loss.labels = labels;
    MILLRACE_TRY(m_convolutions->begin(pictures.rows));
    if (ready != nullptr) MILLRACE_TRY(m_stream->wait(*ready));
    MILLRACE_TRY(mark(0));
    MILLRACE_TRY(launchLoadPictures(*m_stream, dtype(), pictures, m_values.front()));
    MILLRACE_TRY(forward());
    MILLRACE_TRY(mark(1));
    MILLRACE_TRY(backward());
    MILLRACE_TRY(mark(2));
    MILLRACE_TRY(update());
    MILLRACE_TRY(m_stream->copyToHost(m_told.data(), m_loss.state, sizeof(TrainingState)));
    return mark(3);
  }

  Result<TrainingStep> finish() {
    MILLRACE_TRY(m_average ? m_average->settle(*m_marks.back()) : m_marks.back()->wait());
    std::array<std::chrono::nanoseconds, 3> times{};
    for (std::size_t i = 0; i < times.size(); ++i) {
      MILLRACE_ASSIGN_OR_RETURN(times[i], m_marks[i + 1]->since(*m_marks[i]));
    }
    TrainingStep step{times[0], times[1], times[2], {}};
    std::memcpy(&step.state, m_told.data(), sizeof step.state);
    return step;
  }

  std::array<const Event*, 4> marks() const {
    std::array<const Event*, 4> marks{};
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = m_marks[i].get();
    return marks;
  }

  Result<std::vector<float>> parameters() {
    std::vector<float> values(m_network.parameters);
    MILLRACE_TRY(
        m_stream->copyToHost(values.data(), m_all.parameters, values.size() * sizeof(float)));
    MILLRACE_TRY(m_stream->synchronise());
    return values;
  }

  const std::string& libraries() const { return m_libraries; }
  const Network& network() const { return m_network; }

 private:
  DType dtype() const { return m_settings.precision; }
  bool halved() const { return m_element == 2; }
  Status mark(std::size_t i) { return m_stream->record(*m_marks[i]); }

  template <class T>
  Status take(T*& to, std::int64_t count) {
    MILLRACE_ASSIGN_OR_RETURN(to, m_memory.take<std::remove_const_t<T>>(count));
    return {};
  }

  Error tooLittle(const Error& refused) {
    m_memory.countOnly();
    (void)takeMemory();
    const std::string also = cudnnHere()
                                 ? fmt::format(", and cuDNN up to {} of workspace",
                                               humanBytes(static_cast<double>(kMostConvWorkspace)))
                                 : "";
    return Error{fmt::format("the network needs {} of GPU memory for batches of {}{}: {}",
                             humanBytes(static_cast<double>(m_memory.bytes())), m_settings.mostRows,
                             also, refused.message)};
  }

  Status takeMemory() {
    const std::int64_t rows = m_settings.mostRows;
    const auto values = [&](std::vector<std::byte*>& to, std::int64_t elements) -> Status {
      MILLRACE_ASSIGN_OR_RETURN(auto taken, m_memory.takeValues(elements * rows));
      to.push_back(taken);
      return {};
    };
    std::int32_t chunks = 1;
    for (const Activation& each : m_network.activations) {
      MILLRACE_TRY(values(m_values, each.elements()));
      chunks = std::max(chunks, normChunks(each.pixels() * rows, std::max(8, each.channels)));
    }
    for (const std::int64_t elements : m_network.gradientSizes)
      MILLRACE_TRY(values(m_gradients, elements));
    const std::int64_t channels = m_network.mostChannels;
    MILLRACE_TRY(take(m_moments, 2 * channels * static_cast<std::int64_t>(m_network.norms)));
    MILLRACE_TRY(take(m_sums, 2 * channels * (chunks + NormView::kParts)));
    MILLRACE_TRY(take(m_pooled, rows * m_network.features));
    MILLRACE_TRY(take(m_pooledGradient, rows * m_network.features));
    MILLRACE_TRY(take(m_logits, rows * m_network.classes));
    MILLRACE_TRY(take(m_loss.gradient, rows * m_network.classes));
    MILLRACE_TRY(take(m_loss.parts, rows * LossView::kParts));
    MILLRACE_TRY(take(m_loss.perRow, rows));
    MILLRACE_TRY(take(m_loss.totals, LossView::kTotals));
    MILLRACE_TRY(take(m_loss.state, 1));
    m_loss.classes = m_network.classes;
    m_loss.logits = m_logits;
    MILLRACE_TRY(takeParameters());
    MILLRACE_ASSIGN_OR_RETURN(m_told, m_device->pinnedMemory(sizeof(TrainingState)));
    return {};
  }

  Status takeParameters() {
    const auto count = static_cast<std::int64_t>(m_network.parameters);
    m_all.count = m_network.parameters;
    m_all.convCount = m_network.convParameters;
    m_all.state = m_loss.state;
    MILLRACE_TRY(take(m_all.parameters, count));
    MILLRACE_TRY(take(m_all.momenta, count));
    MILLRACE_TRY(take(m_all.gradients, count));
    m_weights = reinterpret_cast<std::byte*>(m_all.parameters);
    m_weightGradients = reinterpret_cast<std::byte*>(m_all.gradients);
    if (!halved()) return {};
    MILLRACE_TRY(take(m_weights, 2 * static_cast<std::int64_t>(m_network.convParameters)));
    MILLRACE_TRY(take(m_weightGradients, 2 * static_cast<std::int64_t>(m_network.convParameters)));
    m_all.copies = m_weights;
    m_all.convGradients = m_weightGradients;
    return {};
  }

  Status setParameters() {
    const std::vector<float> first = firstParameters(m_network, m_settings.seed);
    const std::size_t bytes = first.size() * sizeof(float);
    MILLRACE_TRY(m_stream->copyToDevice(m_all.parameters, first.data(), bytes));
    MILLRACE_TRY(m_stream->fill(m_all.momenta, 0, bytes));
    // Padding between layers must stay 0, whatever is written later.
    MILLRACE_TRY(m_stream->fill(m_all.gradients, 0, bytes));
    std::vector<std::uint16_t> halves;
    if (halved()) {
      halves = halvesOf({first.data(), m_network.convParameters}, dtype());
      const std::size_t half = halves.size() * sizeof(std::uint16_t);
      MILLRACE_TRY(m_stream->copyToDevice(m_weights, halves.data(), half));
      MILLRACE_TRY(m_stream->fill(m_weightGradients, 0, half));
    }
    TrainingState state;
    state.lossScale = m_settings.lossScale;
    MILLRACE_TRY(m_stream->copyToDevice(m_loss.state, &state, sizeof state));
    return m_stream->synchronise();
  }

  Result<std::shared_ptr<const CudnnLibrary>> cudnnHere() const {
    if (std::string why = whyNotCudnn(m_device->facts(), dtype()); !why.empty())
      return Error{std::move(why)};
    return CudnnLibrary::use(m_device->backend());
  }

  Status openLibraries() {
    const auto cudnn = cudnnHere();
    if (cudnn) {
      MILLRACE_ASSIGN_OR_RETURN(
          m_convolutions,
          cudnnConvolutions(*cudnn, *m_device, *m_stream, m_network, dtype(), convMemory()));
      m_libraries = "cuDNN " + (*cudnn)->version();
    } else {
      m_convolutions = ownConvolutions(*m_stream, m_network, dtype());
      m_libraries = fmt::format("no cuDNN ({})", cudnn.error().message);
    }
    const auto cublas = CublasLibrary::use(m_device->backend());
    MILLRACE_ASSIGN_OR_RETURN(m_dense, DenseProduct::make(*m_stream, cublas ? *cublas : nullptr));
    m_libraries += cublas ? ", cuBLAS " + (*cublas)->version()
                          : fmt::format(", no cuBLAS ({})", cublas.error().message);
    return {};
  }

  std::vector<ConvMemory> convMemory() const {
    std::vector<ConvMemory> all(m_network.convs);
    for (const Layer& layer : m_network.layers)
      if (const auto* const conv = std::get_if<ConvLayer>(&layer))
        all[conv->number] = {m_values[conv->in],
                             weightsOf(*conv),
                             m_values[conv->out],
                             gradientOf(conv->out),
                             conv->toPicture ? nullptr : gradientOf(conv->in),
                             m_weightGradients + conv->weights * m_element};
    return all;
  }
  std::byte* weightsOf(const ConvLayer& conv) const { return m_weights + conv.weights * m_element; }
  std::byte* gradientOf(std::size_t activation) const {
    return m_gradients[m_network.activations[activation].gradient];
  }

  NormView viewOf(const NormLayer& norm) const {
    const Activation& value = m_network.activations[norm.in];
    NormView view;
    view.pixels = value.pixels() * m_loss.rows;
    view.channels = value.channels;
    view.chunks = normChunks(view.pixels, view.channels);
    view.relu = norm.relu;
    view.in = m_values[norm.in];
    view.skip = norm.hasSkip ? m_values[norm.skip] : nullptr;
    view.out = m_values[norm.out];
    view.scale = m_all.parameters + norm.scale;
    view.shift = m_all.parameters + norm.shift;
    view.mean = m_moments + 2 * norm.number * static_cast<std::size_t>(m_network.mostChannels);
    view.inverse = view.mean + m_network.mostChannels;
    view.sums = m_sums;
    return view;
  }

  Status forward() {
    for (const Layer& layer : m_network.layers) {
      if (const auto* const conv = std::get_if<ConvLayer>(&layer))
        MILLRACE_TRY(m_convolutions->forward(*conv, m_values[conv->in], weightsOf(*conv),
                                             m_values[conv->out]));
      else
        MILLRACE_TRY(launchNormForward(*m_stream, dtype(), viewOf(std::get<NormLayer>(layer))));
    }
    const Activation& last = m_network.last();
    MILLRACE_TRY(launchPoolForward(*m_stream, dtype(), m_loss.rows, last.pixels(), last.channels,
                                   m_values.back(), m_pooled));
    MILLRACE_TRY(m_dense->multiply({.rows = m_loss.rows,
                                    .columns = m_network.classes,
                                    .inner = m_network.features,
                                    .a = m_pooled,
                                    .b = m_all.parameters + m_network.denseWeights,
                                    .bTurned = true,
                                    .out = m_logits}));
    MILLRACE_TRY(
        launchAddBias(*m_stream, m_loss, m_all.parameters + m_network.denseBias, m_logits));
    return launchLoss(*m_stream, m_loss);
  }

  Status backwardDense() {
    // After the loss the logits are no longer needed.
    MILLRACE_TRY(
        launchBiasGradient(*m_stream, m_loss, m_logits, m_all.gradients + m_network.denseBias));
    MILLRACE_TRY(m_dense->multiply({.rows = m_network.classes,
                                    .columns = m_network.features,
                                    .inner = m_loss.rows,
                                    .a = m_loss.gradient,
                                    .aTurned = true,
                                    .b = m_pooled,
                                    .out = m_all.gradients + m_network.denseWeights}));
    MILLRACE_TRY(m_dense->multiply({.rows = m_loss.rows,
                                    .columns = m_network.features,
                                    .inner = m_network.classes,
                                    .a = m_loss.gradient,
                                    .b = m_all.parameters + m_network.denseWeights,
                                    .out = m_pooledGradient}));
    const Activation& last = m_network.last();
    return launchPoolBackward(*m_stream, dtype(), m_loss.rows, last.pixels(), last.channels,
                              m_pooledGradient, gradientOf(m_network.activations.size() - 1));
  }

  Status backward() {
    MILLRACE_TRY(backwardDense());
    for (auto layer = m_network.layers.rbegin(); layer != m_network.layers.rend(); ++layer) {
      if (const auto* const conv = std::get_if<ConvLayer>(&*layer))
        MILLRACE_TRY(backwardConv(*conv));
      else
        MILLRACE_TRY(backwardNorm(std::get<NormLayer>(*layer)));
    }
    return {};
  }

  Status backwardConv(const ConvLayer& conv) {
    MILLRACE_TRY(m_convolutions->backwardWeights(conv, m_values[conv.in], gradientOf(conv.out),
                                                 m_weightGradients + conv.weights * m_element));
    if (conv.toPicture) return {};
    return m_convolutions->backwardData(conv, gradientOf(conv.out), weightsOf(conv),
                                        gradientOf(conv.in));
  }

  Status backwardNorm(const NormLayer& norm) {
    NormView view = viewOf(norm);
    view.outGradient = gradientOf(norm.out);
    view.inGradient = gradientOf(norm.in);
    if (norm.hasSkip) view.skipGradient = gradientOf(norm.skip);
    view.skipAdds = norm.skipAdds;
    view.scaleGradient = m_all.gradients + norm.scale;
    view.shiftGradient = m_all.gradients + norm.shift;
    return launchNormBackward(*m_stream, dtype(), view);
  }

  Status update() {
    MILLRACE_TRY(launchGatherGradients(*m_stream, dtype(), m_all));
    if (m_average) MILLRACE_TRY(m_average->average(*m_stream, m_all.gradients, m_all.count));
    return launchUpdate(*m_stream, dtype(), m_all, m_settings.rule);
  }

  const std::shared_ptr<Device> m_device;
  const TrainerSettings m_settings;
  const Network m_network;
  const std::size_t m_element;  ///< bytes per value
  TrainingMemory m_memory;
  std::unique_ptr<Stream> m_stream;
  std::array<std::unique_ptr<Event>, 4> m_marks;  ///< the begin, and the end of each part
  std::vector<std::byte*> m_values;               ///< indexed by activation
  std::vector<std::byte*> m_gradients;            ///< indexed by Activation::gradient
  float* m_moments = nullptr;
  float* m_sums = nullptr;
  float* m_pooled = nullptr;
  float* m_pooledGradient = nullptr;
  float* m_logits = nullptr;
  std::byte* m_weights = nullptr;  ///< those of convolutions, in the precision that these read
  std::byte* m_weightGradients = nullptr;
  LossView m_loss;
  ParameterView m_all;
  PinnedBuffer m_told;
  std::string m_libraries;
  std::unique_ptr<Convolutions> m_convolutions;
  std::unique_ptr<DenseProduct> m_dense;
  std::unique_ptr<GradientAverage> m_average;
};

Trainer::Trainer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::make(std::shared_ptr<Device> device,
                                               const TrainerSettings& settings) {
  auto impl = std::make_unique<Impl>(std::move(device), settings);
  MILLRACE_TRY(impl->open());
  return std::unique_ptr<Trainer>(new Trainer(std::move(impl)));
}

Status Trainer::enqueue(const PictureView& pictures, const LabelView& labels, const Event* ready) {
  return m_impl->enqueue(pictures, labels, ready);
}
Result<TrainingStep> Trainer::finish() { return m_impl->finish(); }
std::array<const Event*, 4> Trainer::marks() const { return m_impl->marks(); }
const std::string& Trainer::libraries() const { return m_impl->libraries(); }
Result<std::vector<float>> Trainer::parameters() { return m_impl->parameters(); }
const Network& Trainer::network() const { return m_impl->network(); }

}  // namespace millrace

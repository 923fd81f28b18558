// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/cuda/cuda_facts.h"
#include "core/cuda/device.h"
#include "core/spec/describe.h"
#include "core/train/trainer.h"

namespace millrace::nodes::training_step {

namespace {

enum class NetworkPreset : std::uint8_t { Light, Heavy, Custom };

struct Params {
  NetworkPreset network = NetworkPreset::Light;
  std::int64_t width = 32;
  std::int64_t blocks = 1;
  std::int64_t classes = 0;
  DType precision = DType::F16;
  double learningRate = 0.05;
  double momentum = 0.9;
  double weightDecay = 0.0001;
};

/// The fields that a training step reads.
struct TrainedFields {
  std::size_t picture = 0;
  std::size_t label = 0;
};

std::optional<TrainedFields> trainedFields(const StreamType& in) {
  const auto first = [&](Role role) {
    return static_cast<std::size_t>(std::ranges::find(in.fields, role, &FieldSpec::role) -
                                    in.fields.begin());
  };
  const TrainedFields fields{first(Role::Image), first(Role::Label)};
  if (std::max(fields.picture, fields.label) >= in.fields.size()) return std::nullopt;
  return fields;
}

bool holdsShares(const FieldSpec& label) { return label.shape.rank() == 1; }

std::int64_t classesOf(const Params& params, const FieldSpec& label) {
  if (params.classes > 0) return params.classes;
  return holdsShares(label) ? label.shape[0] : label.classes;
}

void checkPicture(const FieldSpec& field, InferContext& context) {
  constexpr std::int64_t kLeast = NetworkSettings::kLeastSide;
  const std::string size = fmt::format("`{}` is {}", field.name, field.text());
  if (isRagged(field) || field.height() == Shape::kUnknown || field.width() == Shape::kUnknown)
    return context.error("", size + ", but a network needs pictures of one size",
                         "decode them, and resize or crop them before the batch node");
  if (std::min(field.height(), field.width()) < kLeast)
    context.error("",
                  fmt::format("{}, but the network halves pictures several times and needs at "
                              "least {} pixels per side",
                              size, kLeast),
                  "resize them to a larger size");
  if (field.dtype != DType::U8 && field.dtype != DType::F16 && field.dtype != DType::BF16 &&
      field.dtype != DType::F32)
    context.error("", size + ", but the network accepts u8, f16, bf16 and f32 only",
                  "insert a precision node before it");
}

void checkLabel(const Params& params, const FieldSpec& field, InferContext& context) {
  const bool number =
      field.shape.rank() == 0 &&
      (field.dtype == DType::U8 || field.dtype == DType::I32 || field.dtype == DType::I64);
  const bool shares = holdsShares(field) && field.dtype == DType::F32;
  if (!number && !shares)
    return context.error(
        "",
        fmt::format("`{}` is {}, but a label must be a class number, or f32 weights per class",
                    field.name, field.text()),
        "use the source's label unchanged, or one_hot with f32");
  const std::int64_t classes = classesOf(params, field);
  if (classes < 2)
    return context.error("classes", "the stream does not state the number of classes",
                         "set the number of classes; labels go from 0 to one less");
  if (shares && classes != field.shape[0])
    context.error("classes",
                  fmt::format("`{}` has {} weights, but `classes` is {}", field.name,
                              field.shape[0], classes),
                  "set it to 0 to use the label's number");
}

/// Reports if a real GPU would train without cuDNN.
void checkLibrary(const Params& params, const DeviceSupport& support, InferContext& context) {
  if (support.backend != DeviceBackend::Cuda) return;
  const char* const slow = ": convolutions use built-in kernels, which are slow";
  if (const auto found = CudnnLibrary::use(support.backend); !found)
    return context.warning("", found.error().message + slow,
                           "install cuDNN 9, or set MILLRACE_CUDNN to its file");
  // Querying the facts asks the driver each time.
  if (params.precision != DType::BF16) return;
  for (const DeviceFacts& device : cudaFacts().devices)
    if (const std::string why = whyNotCudnn(device, params.precision); !why.empty())
      return context.warning("precision", why + slow, "take f16");
}

void checkPlace(const Params& params, const StreamType& in, InferContext& context) {
  if (context.deviceUse() != DeviceUse::Detect) return;
  const DeviceSupport support = deviceSupport();
  if (in.place == Place::Device) return checkLibrary(params, support, context);
  if (support.usable)
    context.error("", "trains on the GPU, but batches are in host memory",
                  "insert a transfer node before it");
  else
    context.error("", "trains on a GPU, but " + support.reason,
                  support.remedy + ", or use emulated_step, which simulates a step's duration");
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  checkPlace(params, in, context);
  const auto fields = trainedFields(in);
  if (!fields) {
    context.error(
        "", "needs a picture and a label field, but the stream does not have both: " + in.text(),
        "keep an image and a label field");
    return in;
  }
  checkPicture(in.fields[fields->picture], context);
  checkLabel(params, in.fields[fields->label], context);
  if (params.width % NetworkSettings::kLanes != 0)
    context.error(
        "width",
        fmt::format("{} channels are not a multiple of {}", params.width, NetworkSettings::kLanes),
        "round it to a multiple");
  return in;
}

NetworkSettings networkOf(const Params& params, std::int64_t classes) {
  switch (params.network) {
    case NetworkPreset::Light: return {.width = 16, .blocks = 1, .classes = classes};
    case NetworkPreset::Heavy: return {.width = 64, .blocks = 2, .classes = classes};
    case NetworkPreset::Custom: break;
  }
  return {static_cast<std::int32_t>(params.width), static_cast<std::int32_t>(params.blocks),
          classes};
}

class TrainingStepConsumer final : public Consumer {
 public:
  static Result<std::unique_ptr<Consumer>> make(const Params& params, const BuildContext& context) {
    const auto fields = trainedFields(context.in);
    if (!context.device || !fields) return Error{"trains on a GPU, but the batches are not on one"};
    const FieldSpec& picture = context.in.fields[fields->picture];
    TrainerSettings settings;
    settings.network = networkOf(params, classesOf(params, context.in.fields[fields->label]));
    settings.precision = params.precision;
    settings.rule.learningRate = static_cast<float>(params.learningRate);
    settings.rule.momentum = static_cast<float>(params.momentum);
    settings.rule.weightDecay = static_cast<float>(params.weightDecay);
    if (params.precision == DType::F16) {
      // The values of PyTorch's GradScaler.
      settings.lossScale = 65536;
      settings.rule.growAfter = 2000;
    }
    settings.mostRows = static_cast<std::uint32_t>(context.in.batchSize);
    settings.channels = static_cast<std::int32_t>(picture.channels());
    settings.height = static_cast<std::int32_t>(picture.height());
    settings.width = static_cast<std::int32_t>(picture.width());
    MILLRACE_ASSIGN_OR_RETURN(settings.rank, rankOfProcess());
    MILLRACE_ASSIGN_OR_RETURN(auto trainer, Trainer::make(context.device, settings));
    return std::unique_ptr<Consumer>(
        new TrainingStepConsumer(context.in, *fields, settings, std::move(trainer)));
  }

  Status consume(const Batch& batch, StepWaiter&, std::chrono::nanoseconds& step) override {
    const auto arrival = std::chrono::steady_clock::now();
    MILLRACE_TRY(m_trainer->enqueue(picturesOf(batch), labelsOf(batch), batch.ready));
    m_parts.clear();
    MILLRACE_ASSIGN_OR_RETURN(const auto done, m_trainer->finish());
    noteParts();
    step = std::chrono::steady_clock::now() - arrival;
    note(done);
    if (done.state.wrongLabels == 0) return {};
    return Error{fmt::format(
        "{} of {} labels in a batch are not from 0 to {}: set `classes` to the number of classes",
        done.state.wrongLabels, batch.rows, m_settings.network.classes - 1)};
  }

  /// There is no nominal duration.
  std::chrono::nanoseconds nominalStep(std::size_t) const override { return {}; }

  std::span<const StepPart> parts() const override { return m_parts; }

  std::optional<TrainingTotals> training() const override {
    return m_totals.steps == 0 ? std::nullopt : std::optional(m_totals);
  }

 private:
  TrainingStepConsumer(StreamType in, const TrainedFields& fields, const TrainerSettings& settings,
                       std::unique_ptr<Trainer> trainer)
      : m_in(std::move(in)), m_fields(fields), m_settings(settings), m_trainer(std::move(trainer)) {
    m_totals.libraries = m_trainer->libraries();
  }

  PictureView picturesOf(const Batch& batch) const {
    const BatchField& field = batch.fields[m_fields.picture];
    const FieldSpec& spec = m_in.fields[m_fields.picture];
    return {.data = field.rows.front().data,
            .rowBytes = field.rowBytes,
            .dtype = spec.dtype,
            .planar = spec.layout == Layout::Chw,
            .rows = static_cast<std::uint32_t>(batch.rows),
            .channels = m_settings.channels,
            .height = m_settings.height,
            .width = m_settings.width};
  }

  LabelView labelsOf(const Batch& batch) const {
    const BatchField& field = batch.fields[m_fields.label];
    const FieldSpec& spec = m_in.fields[m_fields.label];
    return {field.rows.front().data, field.rowBytes, spec.dtype, holdsShares(spec)};
  }

  void noteParts() {
    const std::array<const Event*, 4> marks = m_trainer->marks();
    constexpr StepWork kWork[] = {StepWork::Forward, StepWork::Backward, StepWork::Update};
    for (std::size_t i = 0; i < std::size(kWork); ++i)
      m_parts.push_back({kWork[i], marks[i], marks[i + 1]});
  }

  void note(const TrainingStep& step) {
    const auto seconds = [](std::chrono::nanoseconds time) {
      return std::chrono::duration<double>(time).count();
    };
    constexpr double kNew = 0.1;
    const double loss = step.state.loss;
    if (m_totals.steps++ == 0) m_totals.firstLoss = m_totals.loss = loss;
    m_totals.loss += kNew * (loss - m_totals.loss);
    m_totals.forwardSeconds += seconds(step.forward);
    m_totals.backwardSeconds += seconds(step.backward);
    m_totals.updateSeconds += seconds(step.update);
    m_totals.skippedUpdates = step.state.skipped;
    m_totals.lossScale = step.state.lossScale;
  }

  const StreamType m_in;
  const TrainedFields m_fields;
  const TrainerSettings m_settings;
  const std::unique_ptr<Trainer> m_trainer;
  TrainingTotals m_totals;
  std::vector<StepPart> m_parts;  ///< of the last step
};

void describeParams(Describe<Params>& d) {
  d.choice<NetworkPreset>(
       "network", &Params::network,
       {{NetworkPreset::Light, "light", "16 channels and 1 block per stage: little work."},
        {NetworkPreset::Heavy, "heavy", "64 channels and 2 blocks per stage, like ResNet-18."},
        {NetworkPreset::Custom, "custom", "As set by `width` and `blocks`."}})
      .label("Network")
      .help("Size of the network, a residual network of four stages.");
  d.integer("width", &Params::width)
      .usedWith("network", {"custom"})
      .label("Width")
      .range(NetworkSettings::kLanes, 512)
      .help("Channels of the first stage, a multiple of 8. Each further stage has twice as many.");
  d.integer("blocks", &Params::blocks)
      .usedWith("network", {"custom"})
      .label("Blocks")
      .range(1, 32)
      .help("Residual blocks per stage, each with two convolutions.");
  d.integer("classes", &Params::classes)
      .label("Classes")
      .range(0, 1 << 20)
      .help("Number of classes of the labels. 0: as stated by the stream.");
  d.choice<DType>(
       "precision", &Params::precision,
       {{DType::F32, "f32", "Everything in f32. cuDNN may use its default math for f32."},
        {DType::F16, "f16",
         "Convolutions and values between layers in f16, with an automatic loss scale; parameters "
         "in f32."},
        {DType::BF16, "bf16", "Like f16, but in bf16, which needs no loss scale."}})
      .label("Precision")
      .help("Precision of the network's arithmetic.");
  d.real("learning_rate", &Params::learningRate)
      .label("Learning rate")
      .range(0, 10)
      .help("Learning rate of stochastic gradient descent.");
  d.real("momentum", &Params::momentum)
      .label("Momentum")
      .range(0, 1)
      .help("Momentum of stochastic gradient descent.");
  d.real("weight_decay", &Params::weightDecay)
      .label("Weight decay")
      .range(0, 1)
      .help("Share of each parameter that is added to its gradient.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("training_step", Category::Consumer, NodeRole::Consumer);
  d.label("Training step")
      .help(
          "Trains a residual network on the GPU: forward pass, backward pass and update for each "
          "batch. It tests the loader against real work, which takes its share of the GPU's memory "
          "and bandwidth. Uses cuDNN and cuBLAS if they are found, otherwise slow built-in "
          "kernels. It is meant for timing and shows a falling loss, but the model is not saved.");
  d.example(R"({"network": "light", "precision": "f16"})");
  d.tags({"consumer", "training", "resnet", "cudnn", "cublas", "loss", "forward", "backward"});
  describeParams(d);
  d.infer(infer);
  d.consumer([](const Params& params, const BuildContext& context) {
    return TrainingStepConsumer::make(params, context);
  });
  return d.take();
}

}  // namespace millrace::nodes::training_step

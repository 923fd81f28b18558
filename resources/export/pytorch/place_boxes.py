# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torchvision import tv_tensors
from torchvision.transforms import v2


def place_boxes(sample):
    """Turn boxes into edges in pixels of the picture; drop those without area."""
    boxes = v2.functional.convert_bounding_box_format(sample["boxes"], new_format="XYXY")
    boxes = v2.functional.resize(boxes, list(sample["image"].shape[-2:]))
    boxes = v2.functional.clamp_bounding_boxes(boxes)
    has_area = (boxes[:, 2:] > boxes[:, :2]).all(dim=1)
    sample["boxes"] = tv_tensors.wrap(boxes[has_area], like=boxes)
    sample["label"] = sample["label"][has_area]

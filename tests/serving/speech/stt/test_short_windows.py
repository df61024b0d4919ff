"""How long a window has to be; that the text stays right on short ones is in ``test_recognition``."""

import numpy as np
import pytest

from serving.speech.stt.short_windows import BEHIND, SHORTEST, needed


@pytest.mark.parametrize(("spoken", "frames"), [(0, SHORTEST), (300, SHORTEST), (1200, 1200 + BEHIND), (3000, 3000)])
def test_a_window_reaches_some_way_behind_the_speech(spoken, frames):
    features = np.zeros((80, 3000), np.float32)
    features[:, :spoken] = 0.3
    assert features[..., : needed(features)].shape == (80, frames)

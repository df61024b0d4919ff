"""Speaks into the silences of an interview, when whoever hears or sees the person tells how long one lasts."""

from __future__ import annotations

from interviewer.dialogue.unasked_words import into_silence
from interviewer.engine.session_store import SessionStore
from interviewer.policy.silence import silence_step
from interviewer.session.queries import require_plan
from interviewer.session.state import State


class SilenceWatch:
    """Carries out the step that a silence calls for.

    Args:
        store: opens sessions.

    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store

    def quiet(self, session_id: str, quiet_s: float) -> State:
        """Takes the step that is due after so long a silence, if any; may be called as often as one likes.

        Args:
            session_id: the interview's.
            quiet_s: seconds since the person last spoke or touched a key, or were last spoken to.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            state = session.state
            step = silence_step(state, quiet_s)
            if step is not None and state.current is not None:
                # A pause is no turn of the question: without those, the step after one would have its id.
                place = len(state.current.turns) + len(state.others)
                event_id = f"{state.current.asked_id}:silence:{place}"
                session.append(into_silence(state.current, require_plan(state), step, event_id, at=session.now()))
            return session.state

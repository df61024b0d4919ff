"""The append-only table of events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

compatible_from = "0001"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        _upgrade_postgresql()
        return
    op.create_table(
        "events",
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("session_id", "seq", name="pk_events"),
        sa.UniqueConstraint("session_id", "event_id", name="uq_events_session_event"),
    )
    for verb in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER events_refuse_{verb.lower()} BEFORE {verb} ON events "
            "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
        )


def _upgrade_postgresql() -> None:
    """Many people share this database, so each event has an owner; texts sort by their bytes, as in SQLite."""
    text = sa.Text(collation="C")
    op.create_table(
        "events",
        sa.Column("owner", text, nullable=False),
        sa.Column("session_id", text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event_id", text, nullable=False),
        sa.Column("type", text, nullable=False),
        sa.Column("at", text, nullable=False),
        sa.Column("payload", text, nullable=False),
        sa.PrimaryKeyConstraint("owner", "session_id", "seq", name="pk_events"),
        sa.UniqueConstraint("owner", "session_id", "event_id", name="uq_events_session_event"),
    )
    # A deletion on purpose says so, for its own transaction only.
    op.execute(
        "CREATE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF TG_OP = 'DELETE' AND current_setting('interviewer.deletes', true) = 'yes' THEN RETURN OLD; END IF; "
        "RAISE EXCEPTION 'the journal is append-only'; END $$"
    )
    for verb, each in (("UPDATE", "ROW"), ("DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER events_refuse_{verb.lower()} BEFORE {verb} ON events "
            f"FOR EACH {each} EXECUTE FUNCTION events_refuse()"
        )


def downgrade() -> None:
    op.drop_table("events")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION events_refuse")

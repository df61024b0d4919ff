"""What a list says of each interview, kept up with its events by the database itself."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

compatible_from = "0001"

_COUNTED = {
    "asked": "question_asked",
    "answers": "answer_given",
    "grades": "answer_graded",
    "endings": "interview_ended",
}


def upgrade() -> None:
    many = op.get_bind().dialect.name == "postgresql"
    text = sa.Text(collation="C") if many else sa.Text()
    key = ("owner", "session_id") if many else ("session_id",)
    op.create_table(
        "summaries",
        *(sa.Column(name, text, nullable=False) for name in key),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("first_at", text, nullable=False),
        sa.Column("last_at", text, nullable=False),
        sa.Column("beginning", text, nullable=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in _COUNTED),
        sa.PrimaryKeyConstraint(*key, name="pk_summaries"),
    )
    columns = ", ".join((*key, "events", "first_at", "last_at", "beginning", *_COUNTED))
    counts = (f"count(CASE WHEN type = '{kind}' THEN 1 END)" for kind in _COUNTED.values())
    if many:
        # An event that comes between the count and the trigger would be in neither. A file has one writer anyway.
        op.execute("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
    op.execute(
        f"INSERT INTO summaries ({columns}) SELECT {', '.join(key)}, count(*), min(at), max(at), "
        f"min(CASE WHEN type = 'interview_started' THEN payload END), {', '.join(counts)} "
        f"FROM events GROUP BY {', '.join(key)}"
    )
    least, most = ("LEAST", "GREATEST") if many else ("min", "max")
    kept = {
        "events": "summaries.events + 1",
        "first_at": f"{least}(summaries.first_at, NEW.at)",
        "last_at": f"{most}(summaries.last_at, NEW.at)",
        "beginning": "COALESCE(summaries.beginning, excluded.beginning)",
        **{name: f"summaries.{name} + excluded.{name}" for name in _COUNTED},
    }
    first = (
        *(f"NEW.{name}" for name in key),
        "1",
        "NEW.at",
        "NEW.at",
        "CASE WHEN NEW.type = 'interview_started' THEN NEW.payload END",
        *(f"CASE WHEN NEW.type = '{kind}' THEN 1 ELSE 0 END" for kind in _COUNTED.values()),
    )
    added = (
        f"INSERT INTO summaries ({columns}) VALUES ({', '.join(first)}) ON CONFLICT ({', '.join(key)}) "
        f"DO UPDATE SET {', '.join(f'{name} = {value}' for name, value in kept.items())};"
    )
    gone = f"DELETE FROM summaries WHERE {' AND '.join(f'{name} = OLD.{name}' for name in key)};"
    # Triggers, so that whatever writes to the table keeps the summaries up, a program of an earlier version included.
    if not many:
        op.execute(f"CREATE TRIGGER events_summarize AFTER INSERT ON events BEGIN {added} END")
        op.execute(f"CREATE TRIGGER events_unsummarize AFTER DELETE ON events BEGIN {gone} END")
        return
    op.execute(
        "CREATE FUNCTION events_summarize() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF TG_OP = 'DELETE' THEN {gone} ELSE {added} END IF; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_summarize AFTER INSERT OR DELETE ON events "
        "FOR EACH ROW EXECUTE FUNCTION events_summarize()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION events_summarize CASCADE")
    else:
        op.execute("DROP TRIGGER events_summarize")
        op.execute("DROP TRIGGER events_unsummarize")
    op.drop_table("summaries")

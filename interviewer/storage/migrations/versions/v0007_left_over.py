"""Which interviews have answers without a mark, and since when: for workers, which see no other account's rows."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

compatible_from = "0004"

_NAMED = "(SELECT substring(current_setting('interviewer.owner', true) FROM '^=(.*)$'))"


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    text = sa.Text(collation="C")
    op.create_table(
        "left_over",
        sa.Column("owner", text, nullable=False),
        sa.Column("session_id", text, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("given_up", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("owner", "session_id", name="pk_left_over"),
    )
    # Policies bind the tables' owner too, which is to see the summaries of all accounts here, once.
    op.execute("ALTER TABLE summaries NO FORCE ROW LEVEL SECURITY")
    op.execute(
        "INSERT INTO left_over (owner, session_id) SELECT owner, session_id FROM summaries WHERE answers > grades"
    )
    op.execute("ALTER TABLE summaries FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY own_rows ON left_over USING (owner = {_NAMED}) WITH CHECK (owner = {_NAMED})")
    # Who looks for work learns of everybody's interviews that there are such, and changes nothing.
    op.execute(
        "CREATE POLICY looked_for ON left_over FOR SELECT "
        "USING ((SELECT current_setting('interviewer.looks', true)) = 'yes')"
    )
    op.execute("ALTER TABLE left_over ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE left_over FORCE ROW LEVEL SECURITY")
    # Another answer begins the wait anew, and is a reason to try again what was given up.
    op.execute(
        "CREATE FUNCTION summaries_left_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF TG_OP = 'DELETE' THEN "
        "DELETE FROM left_over WHERE owner = OLD.owner AND session_id = OLD.session_id; "
        "ELSIF NEW.answers <= NEW.grades THEN "
        "DELETE FROM left_over WHERE owner = NEW.owner AND session_id = NEW.session_id; "
        "ELSIF TG_OP = 'INSERT' OR NEW.answers > OLD.answers THEN "
        "INSERT INTO left_over (owner, session_id) VALUES (NEW.owner, NEW.session_id) ON CONFLICT (owner, session_id) "
        "DO UPDATE SET since = excluded.since, tries = 0, given_up = false; "
        "END IF; RETURN NULL; END $$"
    )
    for name, when, condition in (
        ("begun", "INSERT", "NEW.answers > NEW.grades"),
        ("changed", "UPDATE", "OLD.answers <> NEW.answers OR OLD.grades <> NEW.grades"),
        ("gone", "DELETE", "OLD.answers > OLD.grades"),
    ):
        op.execute(
            f"CREATE TRIGGER left_over_{name} AFTER {when} ON summaries FOR EACH ROW "
            f"WHEN ({condition}) EXECUTE FUNCTION summaries_left_over()"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("DROP FUNCTION summaries_left_over CASCADE")
    op.drop_table("left_over")

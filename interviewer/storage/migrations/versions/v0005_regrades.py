"""What queued regrading made of each interview; only a database that many people share has a queue."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

compatible_from = "0004"

_NAMED = "(SELECT substring(current_setting('interviewer.owner', true) FROM '^=(.*)$'))"


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    text = sa.Text(collation="C")
    op.create_table(
        "regrades",
        sa.Column("owner", text, nullable=False),
        sa.Column("session_id", text, nullable=False),
        sa.Column("job", sa.BigInteger, nullable=True),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("outcome", text, nullable=True),
        sa.Column("failure", text, nullable=True),
        sa.PrimaryKeyConstraint("owner", "session_id", name="pk_regrades"),
    )
    op.execute(f"CREATE POLICY own_rows ON regrades USING (owner = {_NAMED}) WITH CHECK (owner = {_NAMED})")
    op.execute("ALTER TABLE regrades ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE regrades FORCE ROW LEVEL SECURITY")
    # It quotes the interview, so it goes with it, whatever deletes that.
    op.execute(
        "CREATE FUNCTION events_unregrade() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "DELETE FROM regrades USING (SELECT DISTINCT owner, session_id FROM gone) AS each "
        "WHERE regrades.owner = each.owner AND regrades.session_id = each.session_id; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_unregrade AFTER DELETE ON events REFERENCING OLD TABLE AS gone "
        "FOR EACH STATEMENT EXECUTE FUNCTION events_unregrade()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("DROP FUNCTION events_unregrade CASCADE")
    op.drop_table("regrades")

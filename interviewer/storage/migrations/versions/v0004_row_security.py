"""Each account's rows are for transactions that name the account: row-level security, which only PostgreSQL has."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# A program that names no account sees no rows and stores none.
compatible_from = "0004"

# The setting has a sign before the name: one that was set and went with its transaction is empty, not missing, and the
# interviews of a program without accounts belong to nobody, whose name is empty too. Asked for once a statement.
_NAMED = "(SELECT substring(current_setting('interviewer.owner', true) FROM '^=(.*)$'))"


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in ("events", "summaries"):
        op.execute(f"CREATE POLICY own_rows ON {table} USING (owner = {_NAMED}) WITH CHECK (owner = {_NAMED})")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        # Pages are usually the tables' owner, whom policies do not bind otherwise.
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in ("events", "summaries"):
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
        op.execute(f"DROP POLICY own_rows ON {table}")

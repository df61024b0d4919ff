"""A transaction may name an account that it reads only, as a mentor reads a candidate: a policy for reading alone."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# As the account itself is named, see 0004. What is read belongs to somebody: interviews without an owner are left out.
_READ = "(SELECT substring(current_setting('interviewer.reads', true) FROM '^=(.+)$'))"


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in ("events", "summaries"):
        op.execute(f"CREATE POLICY read_rows ON {table} FOR SELECT USING (owner = {_READ})")


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in ("events", "summaries"):
        op.execute(f"DROP POLICY read_rows ON {table}")

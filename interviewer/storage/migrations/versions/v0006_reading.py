"""A transaction may name an account that it only reads, as a mentor reads a candidate: it sees that one alone."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

compatible_from = "0004"

_NAMED = "(SELECT substring(current_setting('interviewer.owner', true) FROM '^=(.*)$'))"

# One name, not one or the other: so a query still goes by the index. What is read belongs to somebody, whose name is
# not empty.
_SEEN = (
    "(SELECT coalesce(substring(current_setting('interviewer.reads', true) FROM '^=(.+)$'), "
    "substring(current_setting('interviewer.owner', true) FROM '^=(.*)$')))"
)


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in ("events", "summaries"):
        op.execute(f"DROP POLICY own_rows ON {table}")
        op.execute(f"CREATE POLICY seen_rows ON {table} FOR SELECT USING (owner = {_SEEN})")
        op.execute(f"CREATE POLICY added_rows ON {table} FOR INSERT WITH CHECK (owner = {_NAMED})")
        op.execute(
            f"CREATE POLICY changed_rows ON {table} FOR UPDATE USING (owner = {_NAMED}) WITH CHECK (owner = {_NAMED})"
        )
        op.execute(f"CREATE POLICY deleted_rows ON {table} FOR DELETE USING (owner = {_NAMED})")


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in ("events", "summaries"):
        for name in ("seen_rows", "added_rows", "changed_rows", "deleted_rows"):
            op.execute(f"DROP POLICY {name} ON {table}")
        op.execute(f"CREATE POLICY own_rows ON {table} USING (owner = {_NAMED}) WITH CHECK (owner = {_NAMED})")

"""What mentors assign to their groups, which a database that many people share shows to these groups alone."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

compatible_from = "0008"

_NAMED = "(SELECT substring(current_setting('interviewer.owner', true) FROM '^=(.+)$'))"

# A transaction names the groups of its account, as a JSON array. The setting is empty, not missing, once a transaction
# that had one is over.
_OF_A_GROUP = "((SELECT nullif(current_setting('interviewer.groups', true), '')::jsonb) ? group_name)"
_BY_A_MENTOR = f"((SELECT current_setting('interviewer.mentor', true) = 'yes') AND {_OF_A_GROUP})"
_GIVEN = f"(candidates = '[]' OR candidates::jsonb ? {_NAMED})"


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    text = sa.Text(collation="C")
    op.create_table(
        "assignments",
        sa.Column("group_name", text, nullable=False),
        sa.Column("id", text, nullable=False),
        sa.Column("candidates", text, nullable=False),
        sa.Column("content", text, nullable=False),
        sa.PrimaryKeyConstraint("group_name", "id", name="pk_assignments"),
    )
    # Nobody deletes one: there is no policy for it.
    seen = f"{_OF_A_GROUP} AND ({_GIVEN} OR {_BY_A_MENTOR})"
    op.execute(f"CREATE POLICY seen_rows ON assignments FOR SELECT USING ({seen})")
    op.execute(f"CREATE POLICY added_rows ON assignments FOR INSERT WITH CHECK ({_BY_A_MENTOR})")
    op.execute(
        f"CREATE POLICY changed_rows ON assignments FOR UPDATE USING ({_BY_A_MENTOR}) WITH CHECK ({_BY_A_MENTOR})"
    )
    op.execute("ALTER TABLE assignments ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE assignments FORCE ROW LEVEL SECURITY")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_table("assignments")

"""Which programs may use the database, for those that do not know its newest migrations."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# While they run. They do not open the database again: they know nothing of this table.
compatible_from = "0004"


def upgrade() -> None:
    many = op.get_bind().dialect.name == "postgresql"
    text = sa.Text(collation="C") if many else sa.Text()
    op.create_table("compatibility", sa.Column("compatible_from", text, nullable=False))
    op.execute(f"INSERT INTO compatibility (compatible_from) VALUES ('{compatible_from}')")
    if many:
        # Every append reads it, of users as well that the tables do not belong to.
        op.execute("GRANT SELECT ON compatibility TO PUBLIC")


def downgrade() -> None:
    op.drop_table("compatibility")

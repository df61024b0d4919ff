"""A digest of each event; events of before have none."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

compatible_from = "0001"


def upgrade() -> None:
    op.add_column("events", sa.Column("digest", sa.Text, nullable=True))


def downgrade() -> None:
    op.drop_column("events", "digest")

#!/bin/bash
# Run once by the image of PostgreSQL, when its volume is empty: makes the user and the database of the pages. The image's
# own user is a superuser, whom row-level security does not bind.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$PAGES_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE interviewer LOGIN PASSWORD :'password';
CREATE DATABASE interviews OWNER interviewer;
-- It had the same password as the pages. From now on it gets in from within the container only.
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL

"""Recordings and documents that several pages share: a folder or an S3 bucket, and what waits to be sent there."""

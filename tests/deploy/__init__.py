"""The files of a deployment, and a cluster on one machine."""

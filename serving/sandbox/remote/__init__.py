"""Code that is run on other hosts: the server there (``server.py``), and the pool here that asks such servers.

A runner is given a job as a worker is, and hands back what came out of its worker. That is read here, in the process
that reads it anyway (``serving/sandbox/frame_decoder.py``): a runner's word is worth as much as a program's.
"""

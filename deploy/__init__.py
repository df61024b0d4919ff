"""How the parts are put together on several machines, and a cluster of all of them on one."""

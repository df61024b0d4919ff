"""What the servers that pages use on other machines have in common: judges and runners."""

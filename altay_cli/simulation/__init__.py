"""Games that the program plays by itself, and what is counted over many of them."""

"""What is believed of what nobody wrote down."""

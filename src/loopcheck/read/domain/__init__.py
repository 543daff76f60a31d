"""What is known at one point of a program: values, variables, conditions, and the events so far. No syntax, no torch."""

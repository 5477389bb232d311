//! The components are the examples: each is a library of its own, over one WIT.

//! Counts the words of standard input and of the files that it is given.
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    println!("{}", text.split_whitespace().count());
    for path in std::env::args().skip(1) {
        match std::fs::read_to_string(&path) {
            Ok(text) => println!("{path} {}", text.split_whitespace().count()),
            Err(error) => {
                eprintln!("{path}: {error}");
                std::process::exit(4);
            }
        }
    }
}

//! The tool's name is the first argument, its input JSON on standard input. The answer goes to
//! standard output; an error to standard error, with an exit code other than 0.

use serde_json::{json, Value};
use std::{env, fs, io, process};

/// What went wrong, and the exit code that says whose matter it is.
struct Failure(i32, String);

const INVALID_INPUT: i32 = 2;
const NOT_FOUND: i32 = 4;
const FAILED: i32 = 1;

fn main() {
    let tool = env::args().nth(1).unwrap_or_default();
    let answer = serde_json::from_reader(io::stdin())
        .map_err(|error| Failure(INVALID_INPUT, error.to_string()))
        .and_then(|input: Value| call(&tool, &input));
    match answer {
        Ok(answer) => println!("{answer}"),
        Err(Failure(code, reason)) => {
            eprintln!("{reason}");
            process::exit(code);
        }
    }
}

fn call(tool: &str, input: &Value) -> Result<Value, Failure> {
    match tool {
        "count" => Ok(counted(text_of(input, "text")?, "the text")),
        "count-file" => {
            let path = text_of(input, "path")?;
            let text = fs::read_to_string(path).map_err(|error| reading(path, &error))?;
            Ok(counted(&text, path))
        }
        _ => Err(Failure(NOT_FOUND, format!("there is no tool {tool}"))),
    }
}

fn counted(text: &str, place: &str) -> Value {
    let words = text.split_whitespace().count();
    json!({ "content": { "words": words }, "summary": format!("{words} words in {place}") })
}

fn text_of<'a>(input: &'a Value, field: &str) -> Result<&'a str, Failure> {
    input[field]
        .as_str()
        .ok_or_else(|| Failure(INVALID_INPUT, format!("{field} has to be a text")))
}

fn reading(path: &str, error: &io::Error) -> Failure {
    let code = if error.kind() == io::ErrorKind::NotFound { NOT_FOUND } else { FAILED };
    Failure(code, format!("{path}: {error}"))
}

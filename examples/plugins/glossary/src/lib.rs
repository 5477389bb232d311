//! A component through the contracts of cuervo: `cuervo plugin build` writes `wit/world.wit` from
//! the wants in `plugin.toml`, and `wit-bindgen` makes the types and calls of it.

use serde_json::{json, Value};

wit_bindgen::generate!({ path: "wit", world: "plugin", generate_all });

use cuervo::host::kv;
use cuervo::host::types::HostError;
use exports::cuervo::plugin::tools::{Guest, Tool, ToolError, ToolOutput};

struct Glossary;
export!(Glossary);

impl Guest for Glossary {
    /// The tools stand in `plugin.toml`.
    fn describe() -> Vec<Tool> {
        Vec::new()
    }

    fn call(name: String, input: String) -> Result<ToolOutput, ToolError> {
        let input: Value = serde_json::from_str(&input)
            .map_err(|error| ToolError::InvalidInput(error.to_string()))?;
        match name.as_str() {
            "define" => define(text(&input, "term")?, text(&input, "meaning")?),
            "meaning" => meaning(text(&input, "term")?),
            "terms" => terms(),
            _ => Err(ToolError::NotFound(format!("there is no tool {name}"))),
        }
    }
}

fn define(term: &str, meaning: &str) -> Result<ToolOutput, ToolError> {
    let kept = json!({ "term": term, "meaning": meaning }).to_string();
    kv::set(&key(term), kept.as_bytes()).map_err(told)?;
    Ok(output(json!({ "term": term, "meaning": meaning }), format!("{term} is defined")))
}

fn meaning(term: &str) -> Result<ToolOutput, ToolError> {
    let Some(entry) = read(&key(term))? else {
        return Err(ToolError::NotFound(format!("nobody has defined {term}")));
    };
    let meaning = entry["meaning"].as_str().unwrap_or_default();
    let summary = format!("{}: {meaning}", entry["term"].as_str().unwrap_or(term));
    Ok(output(entry, summary))
}

fn terms() -> Result<ToolOutput, ToolError> {
    let keys = kv::keys(PREFIX).map_err(told)?;
    let mut entries = Vec::new();
    for key in keys {
        entries.extend(read(&key)?);
    }
    entries.sort_by_key(|entry| key(entry["term"].as_str().unwrap_or_default()));
    let summary = format!("{} terms", entries.len());
    Ok(output(Value::Array(entries), summary))
}

const PREFIX: &str = "term:";

/// Upper and lower case are one term.
fn key(term: &str) -> String {
    format!("{PREFIX}{}", term.trim().to_lowercase())
}

fn read(key: &str) -> Result<Option<Value>, ToolError> {
    let kept = kv::get(key).map_err(told)?;
    Ok(kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

fn text<'a>(input: &'a Value, field: &str) -> Result<&'a str, ToolError> {
    let value = input[field].as_str();
    value.ok_or_else(|| ToolError::InvalidInput(format!("{field} has to be a text")))
}

fn output(content: Value, summary: String) -> ToolOutput {
    ToolOutput { content: content.to_string(), summary }
}

/// What the host refused, as the error of the call.
fn told(error: HostError) -> ToolError {
    match error {
        HostError::Denied(why) => ToolError::Denied(why),
        HostError::NotFound(why) => ToolError::NotFound(why),
        HostError::Invalid(why) => ToolError::InvalidInput(why),
        HostError::Limit(why) => ToolError::Limit(why),
        HostError::Timeout(why) => ToolError::Timeout(why),
        HostError::Conflict(why) => ToolError::Conflict(why),
        HostError::Io(why) => ToolError::Failed(why),
    }
}

//! SQL over SQLite files. The file is read whole into memory, so that nothing of it can be changed
//! and no lock is needed.

use rusqlite::{types::ValueRef, Connection, MAIN_DB};
use serde_json::{json, Map, Value};
use std::{env, fs, io, process};

/// What went wrong, and the exit code that says whose matter it is.
struct Failure(i32, String);

const INVALID_INPUT: i32 = 2;
const NOT_FOUND: i32 = 4;
const LIMIT: i32 = 5;
const FAILED: i32 = 1;

const MAX_BYTES: u64 = 64 * 1024 * 1024;

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
    let path = input["path"].as_str().unwrap_or_default();
    let database = open(path)?;
    match tool {
        "query" => query(&database, path, input),
        "schema" => schema(&database, path),
        _ => Err(Failure(NOT_FOUND, format!("there is no tool {tool}"))),
    }
}

fn open(path: &str) -> Result<Connection, Failure> {
    let of_file = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Failure(NOT_FOUND, format!("{path}: {error}")),
        _ => Failure(FAILED, format!("{path}: {error}")),
    };
    if fs::metadata(path).map_err(of_file)?.len() > MAX_BYTES {
        return Err(Failure(LIMIT, format!("{path} has more than 64 MiB")));
    }
    let bytes = fs::read(path).map_err(of_file)?;
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Err(Failure(INVALID_INPUT, format!("{path} is no SQLite file")));
    }
    let mut database = Connection::open_in_memory().map_err(of_sqlite)?;
    database.deserialize_read_exact(MAIN_DB, &bytes[..], bytes.len(), true).map_err(of_sqlite)?;
    Ok(database)
}

fn query(database: &Connection, path: &str, input: &Value) -> Result<Value, Failure> {
    let sql = input["sql"].as_str().unwrap_or_default();
    let limit = input["limit"].as_u64().unwrap_or(1000) as usize;
    let mut statement = database.prepare(sql).map_err(of_sqlite)?;
    if !statement.readonly() {
        return Err(Failure(INVALID_INPUT, "sql: it would change the file; only SELECT".into()));
    }
    for (index, value) in input["params"].as_array().into_iter().flatten().enumerate() {
        bind(&mut statement, index + 1, value)?;
    }
    let columns: Vec<String> = statement.column_names().map(ToString::to_string).collect();
    let mut rows = Vec::new();
    let mut found = statement.raw_query();
    let mut truncated = false;
    while let Some(row) = found.next().map_err(of_sqlite)? {
        if rows.len() == limit {
            truncated = true;
            break;
        }
        let mut fields = Map::new();
        for (index, name) in columns.iter().enumerate() {
            fields.insert(name.clone(), value_of(row.get_ref(index).map_err(of_sqlite)?));
        }
        rows.push(Value::Object(fields));
    }
    let summary = format!("{} rows of {path}", rows.len());
    Ok(json!({ "content": { "columns": columns, "rows": rows, "truncated": truncated }, "summary": summary }))
}

fn schema(database: &Connection, path: &str) -> Result<Value, Failure> {
    let sql = "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = database.prepare(sql).map_err(of_sqlite)?;
    let mut found = statement.raw_query();
    let mut tables = Vec::new();
    while let Some(row) = found.next().map_err(of_sqlite)? {
        let name: String = row.get(0).map_err(of_sqlite)?;
        let kind: String = row.get(1).map_err(of_sqlite)?;
        let made: Option<String> = row.get(2).map_err(of_sqlite)?;
        let count = format!("SELECT count(*) FROM \"{}\"", name.replace('"', "\"\""));
        let rows: i64 = database.query_row(&count, [], |one| one.get(0)).map_err(of_sqlite)?;
        tables.push(json!({ "name": name, "kind": kind, "sql": made, "rows": rows }));
    }
    let summary = format!("{} tables in {path}", tables.len());
    Ok(json!({ "content": tables, "summary": summary }))
}

fn bind(statement: &mut rusqlite::Statement, index: usize, value: &Value) -> Result<(), Failure> {
    match value {
        Value::Null => statement.raw_bind_parameter(index, rusqlite::types::Null),
        Value::Bool(flag) => statement.raw_bind_parameter(index, flag),
        Value::String(text) => statement.raw_bind_parameter(index, text),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => statement.raw_bind_parameter(index, whole),
            None => statement.raw_bind_parameter(index, number.as_f64()),
        },
        _ => return Err(Failure(INVALID_INPUT, format!("params: value {index} is no plain value"))),
    }
    .map_err(of_sqlite)
}

fn value_of(value: ValueRef) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(whole) => json!(whole),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => json!(format!("({} bytes)", bytes.len())),
    }
}

fn of_sqlite(error: rusqlite::Error) -> Failure {
    Failure(INVALID_INPUT, error.to_string())
}

//! Asks for the status of web addresses, all at once, and streams a line for each.

use futures::stream::{FuturesUnordered, StreamExt};
use wasip3::http::client;
use wasip3::http::types::{Fields, Method, Request, Scheme};
use wit_bindgen::{StreamReader, spawn_local};

wit_bindgen::generate!({ path: "../wit", world: "streamed" });

struct LinkCheck;
export!(LinkCheck);

impl Guest for LinkCheck {
    async fn check(urls: Vec<String>) -> Result<StreamReader<String>, String> {
        let mut asked: FuturesUnordered<_> = urls.into_iter().map(line_of).collect();
        let mut lines = Vec::new();
        // A stream cannot fail, so it begins with the first address that answers.
        loop {
            let (line, answers) = asked.next().await.ok_or("no address answered")?;
            lines.push(line);
            if answers {
                break;
            }
        }
        let (mut writer, reader) = wit_stream::new();
        spawn_local(async move {
            writer.write_all(lines).await;
            while let Some((line, _)) = asked.next().await {
                writer.write_one(line).await;
            }
        });
        Ok(reader)
    }
}

/// An address with what became of it, and whether it answered.
async fn line_of(url: String) -> (String, bool) {
    let Some(request) = request_to(&url) else {
        return (format!("{url}: no address of the web"), false);
    };
    match client::send(request).await {
        Ok(response) => (format!("{url}: {}", response.get_status_code()), true),
        Err(_) => (format!("{url}: no answer"), false),
    }
}

fn request_to(url: &str) -> Option<Request> {
    let (scheme, rest) = match url.split_once("://")? {
        ("http", rest) => (Scheme::Http, rest),
        ("https", rest) => (Scheme::Https, rest),
        _ => return None,
    };
    let rest = rest.split('#').next()?;
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (_, trailers) = wasip3::wit_future::new(|| Ok(None));
    let (request, _) = Request::new(Fields::new(), None, trailers, None);
    request.set_method(&Method::Head).ok()?;
    request.set_scheme(Some(&scheme)).ok()?;
    request.set_authority(Some(authority)).ok()?;
    request.set_path_with_query(Some(path)).ok()?;
    Some(request)
}

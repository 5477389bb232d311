use act_sdk::prelude::*;
use wasip3::http::{client, types};

async fn send(authority: &str, path: &str) -> Result<String, String> {
    let (_, trailers) = wasip3::wit_future::new(|| Ok(None));
    let (request, _sent) = types::Request::new(types::Fields::new(), None, trailers, None);
    let _ = request.set_scheme(Some(&types::Scheme::Http));
    let _ = request.set_authority(Some(authority));
    let _ = request.set_path_with_query(Some(path));
    let response = client::send(request).await.map_err(|error| format!("{error:?}"))?;
    let status = response.get_status_code();
    let (_, done) = wasip3::wit_future::new(|| Ok(()));
    let (body, _trailers) = types::Response::consume_body(response, done);
    Ok(format!("{status} {}", String::from_utf8_lossy(&body.collect().await)))
}

#[act_component]
mod component {
    use super::*;

    #[act_tool(description = "Gets a page", read_only)]
    async fn get_page(authority: String, path: String) -> ActResult<String> {
        send(&authority, &path).await.map_err(ActError::internal)
    }
}

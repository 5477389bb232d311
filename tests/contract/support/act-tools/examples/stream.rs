use act_sdk::prelude::*;

#[act_component]
mod component {
    use super::*;

    #[act_tool(description = "Counts aloud", read_only, streaming)]
    async fn count(last: u32, ctx: &mut ActContext) -> ActResult<()> {
        for n in 1..=last {
            let progress = [("std:progress", n), ("std:progress-total", last)];
            let metadata = progress.map(|(key, n)| (key.to_string(), act_sdk::cbor::to_cbor(&n)));
            ctx.send_content(format!("part {n}").into_bytes(), Some("text/plain".into()), metadata.to_vec());
        }
        Ok(())
    }

    #[act_tool(description = "Sends parts of several kinds")]
    fn mixed(ctx: &mut ActContext) -> ActResult<()> {
        ctx.send_text("one");
        ctx.send_json(&vec![1, 2]);
        ctx.send_cbor(&"two");
        Ok(())
    }

    #[act_tool(description = "Sends a part and fails")]
    fn break_off(ctx: &mut ActContext) -> ActResult<()> {
        ctx.send_text("one");
        Err(ActError::internal("and no more"))
    }
}

use act_sdk::prelude::*;

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Point {
    x: f64,
    y: f64,
}

#[act_component]
mod component {
    use super::*;

    #[act_tool(description = "Greets somebody", read_only)]
    fn greet(name: String) -> ActResult<String> {
        Ok(format!("Hello, {name}!"))
    }

    #[act_tool(description = "Moves points")]
    fn move_points(points: Vec<Point>, by: Option<Point>) -> ActResult<Vec<Point>> {
        let by = by.unwrap_or(Point { x: 1.0, y: 1.0 });
        Ok(points.iter().map(|Point { x, y }| Point { x: x + by.x, y: y + by.y }).collect())
    }

    #[act_tool(description = "Gives values of several kinds")]
    fn values(large: u64, bytes: Bytes) -> ActResult<(u64, i64, Bytes, Option<u8>, String)> {
        Ok((large, -7, bytes, None, "é\n$".to_string()))
    }

    #[act_tool(description = "Gives nothing")]
    fn nothing() -> ActResult<()> {
        Ok(())
    }

    #[act_tool(description = "Finds nothing")]
    fn find(name: String) -> ActResult<String> {
        Err(ActError::not_found(format!("there is no {name}")))
    }

    #[act_tool(description = "Panics")]
    fn panic() -> ActResult<String> {
        panic!("on purpose")
    }
}

//! Promises that were rejected while nothing waited for them.

use std::cell::RefCell;

use rquickjs::{Array, Ctx, JsLifetime, Persistent, Runtime, Value};

use crate::CtxExt;

/// An author reads the first ones; a loop that rejects for ever must not fill the memory.
const MAX_KEPT: usize = 1000;

/// Each promise with its reason, in the order of the rejections.
#[derive(Default, JsLifetime)]
pub(crate) struct Rejections(RefCell<Vec<(Persistent<Value<'static>>, Persistent<Value<'static>>)>>);

impl Rejections {
    fn add<'js>(&self, ctx: &Ctx<'js>, promise: Value<'js>, reason: Value<'js>) {
        let mut kept = self.0.borrow_mut();
        if kept.len() < MAX_KEPT {
            kept.push((Persistent::save(ctx, promise), Persistent::save(ctx, reason)));
        }
    }

    fn remove<'js>(&self, ctx: &Ctx<'js>, promise: &Value<'js>) {
        let mut kept = self.0.borrow_mut();
        let found = kept
            .iter()
            .rposition(|(each, _)| each.clone().restore(ctx).is_ok_and(|other| other == *promise));
        if let Some(index) = found {
            kept.remove(index);
        }
    }

    /// The reasons, which are forgotten here.
    pub(crate) fn take<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Array<'js>> {
        let reasons = Array::new(ctx.clone())?;
        for (index, (_, reason)) in self.0.take().into_iter().enumerate() {
            reasons.set(index, reason.restore(ctx)?)?;
        }
        Ok(reasons)
    }

    /// Those of the top level are not of a call.
    pub(crate) fn clear(&self) {
        self.0.take();
    }
}

/// Has the engine tell of each rejection without a handler, and of a handler that comes later.
pub(crate) fn track(runtime: &Runtime) {
    runtime.set_host_promise_rejection_tracker(Some(Box::new(
        |ctx, promise, reason, is_handled| {
            let rejections = ctx.rejections();
            if is_handled {
                rejections.remove(&ctx, &promise);
            } else {
                rejections.add(&ctx, promise, reason);
            }
        },
    )));
}

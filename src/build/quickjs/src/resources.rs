//! Exported resource table: maps `rep` indices to JS objects.
//!
//! When JS defines a resource type and exports it, the component model needs
//! a table mapping internal representation indices (`rep`) to the js objects
//! that back them.

use std::cell::RefCell;

use rquickjs::{JsLifetime, Persistent, Value};
use wit_dylib_ffi::Resource;

use crate::CtxExt;
use crate::DetHashMap;

/// A borrowed imported resource handle that must be dropped when the call ends.
pub(crate) struct BorrowedResource {
    pub(crate) handle: u32,
    pub(crate) drop_fn: unsafe extern "C" fn(u32),
}

/// Table mapping `rep` indices to JS objects for exported resources.
#[derive(Default, JsLifetime)]
pub(crate) struct ResourceTable {
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    map: DetHashMap<usize, Persistent<Value<'static>>>,
    next_rep: usize,
}

impl ResourceTable {
    /// Insert a JS object, returning its `rep` index.
    pub(crate) fn insert(&self, val: Persistent<Value<'static>>) -> usize {
        let mut inner = self.inner.borrow_mut();
        let rep = inner.next_rep;
        inner.next_rep += 1;
        inner.map.insert(rep, val);
        rep
    }

    /// Get a cloned persistent handle by `rep` index for borrow lookups.
    pub(crate) fn get(&self, rep: usize) -> Persistent<Value<'static>> {
        self.inner
            .borrow()
            .map
            .get(&rep)
            .expect("resource not found")
            .clone()
    }

    /// Remove and return a js object by `rep` index.
    pub(crate) fn remove(&self, rep: usize) -> Persistent<Value<'static>> {
        self.inner
            .borrow_mut()
            .map
            .remove(&rep)
            .expect("resource not found")
    }
}

/// Per-resource JS "class" (constructor + prototype) for imported resources.
#[derive(Default, JsLifetime)]
pub(crate) struct ResourceClasses {
    inner: RefCell<ClassInner>,
}

#[derive(Default)]
struct ClassInner {
    map: DetHashMap<usize, ResourceClass>,
}

struct ResourceClass {
    class: Persistent<Value<'static>>,
    prototype: Persistent<Value<'static>>,
}

impl ResourceClasses {
    /// Register a resource's class and prototype by `Resource::index()`.
    pub(crate) fn insert(
        &self,
        index: usize,
        class: Persistent<Value<'static>>,
        prototype: Persistent<Value<'static>>,
    ) {
        self.inner
            .borrow_mut()
            .map
            .insert(index, ResourceClass { class, prototype });
    }

    /// Get the class (constructor) for a resource, if any.
    pub(crate) fn class(&self, index: usize) -> Option<Persistent<Value<'static>>> {
        self.inner.borrow().map.get(&index).map(|c| c.class.clone())
    }

    /// Get the prototype object for a resource, if any.
    pub(crate) fn prototype(&self, index: usize) -> Option<Persistent<Value<'static>>> {
        self.inner
            .borrow()
            .map
            .get(&index)
            .map(|c| c.prototype.clone())
    }
}

/// Extract the canonical handle from an imported resource wrapper object.
pub(crate) fn imported_resource_to_handle(val: &Value<'_>) -> u32 {
    val.as_object()
        .and_then(|obj| obj.get::<_, u32>("__cqjs_handle").ok())
        .expect("expected resource wrapper with __cqjs_handle")
}

/// Convert a js object to a canonical handle for an exported resource.
pub(crate) fn exported_resource_to_handle<'js>(
    ctx: &rquickjs::Ctx<'js>,
    ty: Resource,
    val: &Value<'js>,
) -> u32 {
    let obj = val.as_object().expect("expected resource object");
    if let Ok(handle) = obj.get::<_, u32>("__cqjs_handle") {
        return handle;
    }

    let rep = ctx.resources().insert(Persistent::save(ctx, val.clone()));
    let new_fn = ty.new().expect("exported resource must have new()");
    let handle = unsafe { new_fn(rep) };

    obj.set("__cqjs_handle", handle).unwrap();
    handle
}

//! The clock that the engine asks, which is the same in each build: from it come the seeds of its
//! random numbers. A plugin asks the host for the time.

#[repr(C)]
pub struct Time {
    seconds: i64,
    parts: i64,
}

/// For `gettimeofday`.
///
/// # Safety
/// `time` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuervo_gettimeofday(time: *mut Time, _zone: *mut u8) -> i32 {
    if !time.is_null() {
        unsafe { *time = Time { seconds: 1, parts: 0 } };
    }
    0
}

/// For `clock_gettime`.
///
/// # Safety
/// `time` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuervo_clock_gettime(_clock: *const u8, time: *mut Time) -> i32 {
    unsafe { cuervo_gettimeofday(time, std::ptr::null_mut()) }
}

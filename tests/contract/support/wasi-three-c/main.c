/* What `wit-bindgen c` makes of world.wit, cut to what is called, and the functions on it. */
#include <stdint.h>

#define FROM(module, name) __attribute__((import_module(module), import_name(name))) extern
#define GIVEN(name) __attribute__((export_name(name)))

FROM("$root", "[waitable-set-new]") uint32_t new_set(void);
FROM("$root", "[waitable-set-drop]") void drop_set(uint32_t set);
FROM("$root", "[waitable-join]") void join(uint32_t waitable, uint32_t set);
FROM("$root", "[subtask-drop]") void drop_subtask(uint32_t subtask);
FROM("wasi:clocks/monotonic-clock@0.3.0", "[async-lower]wait-for") uint32_t wait_for(uint64_t ns);
FROM("[export]$root", "[task-return]order") void return_order(uint32_t told);
FROM("[export]$root", "[task-return]count") void return_count(uint32_t reader);
FROM("[export]$root", "[stream-new-0]count") uint64_t new_stream(void);
FROM("[export]$root", "[async-lower][stream-write-0]count")
uint32_t write_some(uint32_t writer, const uint8_t *from, uint32_t size);
FROM("[export]$root", "[stream-drop-writable-0]count") void drop_writer(uint32_t writer);

enum { ended = 0, wait = 2, subtask_event = 1, write_event = 3, returned = 2, waits = 3 };
static const uint32_t blocked = -1;
static uint32_t set;

static uint32_t subtasks[waits];
static uint32_t left = waits;
static uint32_t told;

static void tell(uint32_t number) {
  told = told * 10 + number;
  left -= 1;
}

static uint32_t return_or_wait(void) {
  if (left > 0) return wait | set << 4;
  drop_set(set);
  return_order(told);
  return ended;
}

GIVEN("[async-lift]order") uint32_t order(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t ms[waits] = {a, b, c};
  set = new_set();
  for (int i = 0; i < waits; i++) {
    const uint32_t status = wait_for(ms[i] * 1000000ull);
    subtasks[i] = status >> 4;
    if ((status & 15) == returned) tell(i + 1);
    else join(subtasks[i], set);
  }
  return return_or_wait();
}

GIVEN("[callback][async-lift]order")
uint32_t order_goes_on(uint32_t event, uint32_t waitable, uint32_t code) {
  if (event != subtask_event) __builtin_trap();
  if ((code & 15) != returned) return return_or_wait();
  drop_subtask(waitable);
  for (int i = 0; i < waits; i++)
    if (subtasks[i] == waitable) tell(i + 1);
  return return_or_wait();
}

static uint8_t bytes[1 << 16];
static uint32_t to, written;

static uint32_t write_or_wait(uint32_t writer) {
  while (written < to) {
    const uint32_t status = write_some(writer, bytes + written, to - written);
    if (status == blocked) {
      join(writer, set);
      return wait | set << 4;
    }
    written += status >> 4;
    if ((status & 15) != 0) break;
  }
  join(writer, 0);
  drop_set(set);
  drop_writer(writer);
  return ended;
}

GIVEN("[async-lift]count") uint32_t count(uint32_t size) {
  if (size > sizeof bytes) __builtin_trap();
  for (uint32_t i = 0; i < size; i++) bytes[i] = i;
  const uint64_t both = new_stream();
  set = new_set();
  to = size;
  return_count((uint32_t)both);
  return write_or_wait(both >> 32);
}

GIVEN("[callback][async-lift]count")
uint32_t count_goes_on(uint32_t event, uint32_t writer, uint32_t code) {
  if (event != write_event) __builtin_trap();
  written += code >> 4;
  if ((code & 15) != 0) to = written;
  return write_or_wait(writer);
}

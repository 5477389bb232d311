/* A component through the contracts of cuervo: `plugin.h` has the types and host calls that
   `wit-bindgen c` made of the wants in `plugin.toml`. The tools stand there, too. */
#include "plugin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"

typedef exports_cuervo_plugin_tools_tool_output_t output_t;
typedef exports_cuervo_plugin_tools_tool_error_t tool_error_t;
typedef cuervo_host_types_host_error_t host_error_t;

static const char running[] = "running", total[] = "total:";

/* Fails with a text. */
static bool failed(tool_error_t *error, uint8_t tag, const char *reason) {
  error->tag = tag;
  plugin_string_dup(&error->val.failed, reason);
  return false;
}

/* Fails as the host did; its text is handed on. */
static bool told(tool_error_t *error, const host_error_t *host) {
  static const uint8_t tags[] = {
      [CUERVO_HOST_TYPES_HOST_ERROR_DENIED] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_DENIED,
      [CUERVO_HOST_TYPES_HOST_ERROR_NOT_FOUND] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_NOT_FOUND,
      [CUERVO_HOST_TYPES_HOST_ERROR_INVALID] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_INVALID_INPUT,
      [CUERVO_HOST_TYPES_HOST_ERROR_LIMIT] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_LIMIT,
      [CUERVO_HOST_TYPES_HOST_ERROR_TIMEOUT] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_TIMEOUT,
      [CUERVO_HOST_TYPES_HOST_ERROR_CONFLICT] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_CONFLICT,
      [CUERVO_HOST_TYPES_HOST_ERROR_IO] = EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_FAILED,
  };
  error->tag = tags[host->tag];
  error->val.failed = host->val.io;
  return false;
}

/* The text of a key, to be freed; NULL where there is none. */
static bool read_key(const char *key, char **text, tool_error_t *error) {
  plugin_string_t name;
  plugin_string_set(&name, key);
  plugin_option_list_u8_t kept;
  host_error_t host;
  if (!cuervo_host_kv_get(&name, &kept, &host)) return told(error, &host);
  *text = kept.is_some ? strndup((const char *)kept.val.ptr, kept.val.len) : NULL;
  plugin_option_list_u8_free(&kept);
  return true;
}

static bool write_key(const char *key, const char *text, tool_error_t *error) {
  plugin_string_t name;
  plugin_string_set(&name, key);
  plugin_list_u8_t value = {(uint8_t *)text, strlen(text)};
  host_error_t host;
  return cuervo_host_kv_set(&name, &value, &host) || told(error, &host);
}

/* Content and summary are texts that `open_memstream` made; the caller of the plugin frees them. */
static void answer(output_t *output, char *content, char *summary) {
  output->content = (plugin_string_t){(uint8_t *)content, strlen(content)};
  output->summary = (plugin_string_t){(uint8_t *)summary, strlen(summary)};
}

static double minutes_of(double ms) { return round(ms / 6000) / 10; }

/* What both `start` and `stop` say of a task. */
static void answer_task(output_t *output, const char *task, const char *field, double minutes) {
  char *content, *summary;
  size_t length;
  FILE *out = open_memstream(&content, &length);
  fputs("{\"task\":", out);
  json_print(out, task);
  fprintf(out, ",\"%s\":%.15g}", field, minutes);
  fclose(out);
  out = open_memstream(&summary, &length);
  if (!strcmp(field, "minutes")) fprintf(out, "%s took %.15g minutes", task, minutes);
  else fprintf(out, "the clock of %s runs", task);
  fclose(out);
  answer(output, content, summary);
}

/* Adds the time of the task that runs to its sum. `task` is NULL where none runs. */
static bool stop_running(double now, char **task, double *minutes, tool_error_t *error) {
  char *since, *before;
  if (!read_key(running, &since, error)) return false;
  *task = NULL;
  /* The time at which it was started, a space, and its name; nothing is left of one that ended. */
  char *name = since ? strchr(since, ' ') : NULL;
  if (!name) return true;
  double took = fmax(0, now - strtod(since, NULL));
  char key[1024], sum[40];
  snprintf(key, sizeof key, "%s%s", total, name + 1);
  if (!read_key(key, &before, error)) return false;
  snprintf(sum, sizeof sum, "%.0f", (before ? strtod(before, NULL) : 0) + took);
  if (!write_key(key, sum, error) || !write_key(running, "", error)) return false;
  *task = strdup(name + 1);
  *minutes = minutes_of(took);
  return true;
}

static bool start(const char *task, double now, output_t *output, tool_error_t *error) {
  char *stopped, text[1024];
  double minutes;
  if (!stop_running(now, &stopped, &minutes, error)) return false;
  snprintf(text, sizeof text, "%.0f %s", now, task);
  if (!write_key(running, text, error)) return false;
  answer_task(output, task, "startedMs", now);
  return true;
}

static bool stop(double now, output_t *output, tool_error_t *error) {
  char *task;
  double minutes;
  if (!stop_running(now, &task, &minutes, error)) return false;
  if (!task)
    return failed(error, EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_NOT_FOUND, "no task runs");
  answer_task(output, task, "minutes", minutes);
  return true;
}

static bool report(output_t *output, tool_error_t *error) {
  plugin_string_t prefix;
  plugin_string_set(&prefix, total);
  plugin_list_string_t keys;
  host_error_t host;
  if (!cuervo_host_kv_keys(&prefix, &keys, &host)) return told(error, &host);
  char *content, *summary;
  size_t length;
  FILE *out = open_memstream(&content, &length);
  double sum = 0;
  fputc('[', out);
  for (size_t at = 0; at < keys.len; at++) {
    char *key = strndup((const char *)keys.ptr[at].ptr, keys.ptr[at].len), *ms;
    if (!read_key(key, &ms, error)) return false;
    sum += ms ? strtod(ms, NULL) : 0;
    fputs(at ? ",{\"task\":" : "{\"task\":", out);
    json_print(out, key + strlen(total));
    fprintf(out, ",\"minutes\":%.15g}", minutes_of(ms ? strtod(ms, NULL) : 0));
  }
  fputc(']', out);
  fclose(out);
  out = open_memstream(&summary, &length);
  fprintf(out, "%zu tasks, %.15g minutes", keys.len, minutes_of(sum));
  fclose(out);
  answer(output, content, summary);
  return true;
}

void exports_cuervo_plugin_tools_describe(exports_cuervo_plugin_tools_list_tool_t *list) {
  list->len = 0;
}

bool exports_cuervo_plugin_tools_call(plugin_string_t *name, plugin_string_t *input,
                                      output_t *output, tool_error_t *error) {
  char *tool = strndup((const char *)name->ptr, name->len);
  char *json = strndup((const char *)input->ptr, input->len);
  double now;
  host_error_t host;
  if (!strcmp(tool, "report")) return report(output, error);
  if (!cuervo_host_clock_now_ms(&now, &host)) return told(error, &host);
  if (!strcmp(tool, "stop")) return stop(now, output, error);
  char *task = json_text(json, "task");
  if (!strcmp(tool, "start") && task) return start(task, now, output, error);
  return failed(error, EXPORTS_CUERVO_PLUGIN_TOOLS_TOOL_ERROR_NOT_FOUND, "there is no such tool");
}

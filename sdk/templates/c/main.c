/* The tool's name is the first argument, its input JSON on standard input. The answer goes to
   standard output; an error to standard error, with an exit code other than 0. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"

enum { FAILED = 1, INVALID_INPUT = 2, NOT_FOUND = 4 };

static void fail(int code, const char *what, const char *reason) {
  fprintf(stderr, "%s: %s\n", what, reason);
  exit(code);
}

/* All of a stream, with a NUL behind it. */
static char *read_all(FILE *from) {
  size_t length = 0, room = 1 << 16;
  char *text = malloc(room);
  for (size_t got; text && (got = fread(text + length, 1, room - length - 1, from)) > 0;) {
    length += got;
    if (room - length < 2) text = realloc(text, room *= 2);
  }
  if (!text) fail(FAILED, "memory", "there is no more");
  text[length] = 0;
  return text;
}

static void answer(const char *text, const char *place) {
  long words = 0;
  for (int in = 0; *text; text++) {
    int is_space = isspace((unsigned char)*text);
    if (!is_space && !in) words++;
    in = !is_space;
  }
  printf("{\"content\":{\"words\":%ld},\"summary\":", words);
  char summary[512];
  snprintf(summary, sizeof summary, "%ld words in %s", words, place);
  json_print(stdout, summary);
  puts("}");
}

int main(int argc, char **argv) {
  const char *tool = argc > 1 ? argv[1] : "";
  char *input = read_all(stdin);
  if (!strcmp(tool, "count")) {
    char *text = json_text(input, "text");
    if (!text) fail(INVALID_INPUT, "text", "has to be a text");
    answer(text, "the text");
  } else if (!strcmp(tool, "count-file")) {
    char *path = json_text(input, "path");
    if (!path) fail(INVALID_INPUT, "path", "has to be a text");
    FILE *file = fopen(path, "rb");
    if (!file) fail(errno == ENOENT ? NOT_FOUND : FAILED, path, strerror(errno));
    answer(read_all(file), path);
  } else {
    fail(NOT_FOUND, tool, "there is no such tool");
  }
  return 0;
}

/* As much of JSON as a tool with texts as its fields needs. The host has checked the input against
   its schema before it comes here. For more, take a library that you know. */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned json_hex(const char *digits) {
  char four[5] = {0};
  memcpy(four, digits, 4);
  return (unsigned)strtoul(four, NULL, 16);
}

static char *json_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *to++ = (char)(0xe0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  } else {
    *to++ = (char)(0xf0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3f));
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  }
  return to;
}

/* Reads a text that begins behind its quote; `end` is set behind its closing one. */
static char *json_read(const char *from, const char **end) {
  char *text = malloc(strlen(from) + 1), *to = text;
  if (!text) return NULL;
  for (; *from && *from != '"'; from++) {
    if (*from != '\\') {
      *to++ = *from;
      continue;
    }
    switch (*++from) {
      case 'n': *to++ = '\n'; break;
      case 't': *to++ = '\t'; break;
      case 'r': *to++ = '\r'; break;
      case 'b': *to++ = '\b'; break;
      case 'f': *to++ = '\f'; break;
      case 'u': {
        unsigned code = json_hex(from + 1);
        from += 4;
        unsigned low = 0;
        if (code >= 0xd800 && code < 0xdc00 && from[1] == '\\' && from[2] == 'u')
          low = json_hex(from + 3);
        if (low >= 0xdc00 && low < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          from += 6;
        } else if (code >= 0xd800 && code < 0xe000) {
          code = 0xfffd; /* half of a pair is no character */
        }
        to = json_utf8(to, code);
        break;
      }
      default: *to++ = *from;
    }
  }
  *to = 0;
  *end = *from ? from + 1 : from;
  return text;
}

/* The text of a field of the outermost object, to be freed; NULL where there is none. */
static char *json_text(const char *json, const char *field) {
  int depth = 0;
  while (*json) {
    char c = *json++;
    if (c == '{' || c == '[') depth++;
    if (c == '}' || c == ']') depth--;
    if (c != '"') continue;
    char *key = json_read(json, &json);
    while (*json == ' ' || *json == '\n' || *json == '\t' || *json == '\r') json++;
    int is_it = depth == 1 && *json == ':' && key && !strcmp(key, field);
    free(key);
    if (!is_it) continue;
    json++;
    while (*json == ' ' || *json == '\n' || *json == '\t' || *json == '\r') json++;
    return *json == '"' ? json_read(json + 1, &json) : NULL;
  }
  return NULL;
}

/* Writes a text as JSON. */
static void json_print(FILE *to, const char *text) {
  fputc('"', to);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(to, "\\%c", c);
    else if (c < 0x20) fprintf(to, "\\u%04x", c);
    else fputc(c, to);
  }
  fputc('"', to);
}

#endif

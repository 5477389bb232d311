/* Does what its arguments say, one line of output for each, and ends with 1 when one failed:
   an ordinary C program that knows nothing of what it runs in. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int failures = 0;

static void tell(const char *what, const char *name, int ok) {
  if (!ok) failures += 1;
  printf("%s %s: %s\n", what, name, ok ? "ok" : strerror(errno));
}

static void copy(FILE *from, FILE *to) {
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;) fwrite(buffer, 1, n, to);
}

static void read_file(const char *path) {
  FILE *file = fopen(path, "r");
  tell("read", path, file != NULL);
  if (file == NULL) return;
  copy(file, stdout);
  fclose(file);
}

static void write_file(const char *path, const char *mode, const char *text) {
  FILE *file = fopen(path, mode);
  int ok = file != NULL && fputs(text, file) >= 0;
  if (file != NULL && fclose(file) != 0) ok = 0;
  tell("write", path, ok);
}

static void list(const char *path) {
  DIR *directory = opendir(path);
  tell("list", path, directory != NULL);
  if (directory == NULL) return;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.' && strchr("./", entry->d_name[1] ? entry->d_name[1] : '/')) continue;
    printf("entry %s\n", entry->d_name);
  }
  closedir(directory);
}

/* Keeps all of them open. */
static void open_many(const char *path, int count) {
  int opened = 0;
  while (opened < count && open(path, O_RDONLY) >= 0) opened += 1;
  printf("opened %d\n", opened);
}

static void show_clock(void) {
  struct timespec wall, steady;
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &steady);
  printf("clock %lld %lld\n", (long long)wall.tv_sec, (long long)steady.tv_nsec);
}

static void show_random(void) {
  unsigned char bytes[16];
  tell("random", "bytes", getentropy(bytes, sizeof bytes) == 0);
  for (size_t i = 0; i < sizeof bytes; i += 1) printf("%02x", bytes[i]);
  printf("\n");
}

static void flood(long bytes) {
  char block[1024];
  memset(block, 'x', sizeof block);
  for (; bytes > 0; bytes -= 1024) {
    if (fwrite(block, 1, sizeof block, stdout) != sizeof block || fflush(stdout) != 0) {
      fprintf(stderr, "flood stopped: %s\n", strerror(errno));
      failures += 1;
      return;
    }
  }
}

int main(int count, char **args) {
  for (int i = 1; i < count; i += 1) {
    const char *does = args[i];
    const char *a = i + 1 < count ? args[i + 1] : "", *b = i + 2 < count ? args[i + 2] : "";
    if (!strcmp(does, "read")) read_file(a), i += 1;
    else if (!strcmp(does, "write")) write_file(a, "w", b), i += 2;
    else if (!strcmp(does, "append")) write_file(a, "a", b), i += 2;
    else if (!strcmp(does, "list")) list(a), i += 1;
    else if (!strcmp(does, "rename")) tell("rename", a, rename(a, b) == 0), i += 2;
    else if (!strcmp(does, "remove")) tell("remove", a, unlink(a) == 0), i += 1;
    else if (!strcmp(does, "mkdir")) tell("mkdir", a, mkdir(a, 0777) == 0), i += 1;
    else if (!strcmp(does, "rmdir")) tell("rmdir", a, rmdir(a) == 0), i += 1;
    else if (!strcmp(does, "symlink")) tell("symlink", b, symlink(a, b) == 0), i += 2;
    else if (!strcmp(does, "link")) tell("link", b, link(a, b) == 0), i += 2;
    else if (!strcmp(does, "truncate")) tell("truncate", a, truncate(a, atol(b)) == 0), i += 2;
    else if (!strcmp(does, "open-many")) open_many(a, atoi(b)), i += 2;
    else if (!strcmp(does, "clock")) show_clock();
    else if (!strcmp(does, "random")) show_random();
    else if (!strcmp(does, "stdin")) copy(stdin, stdout);
    else if (!strcmp(does, "environment")) printf("home %s\n", getenv("HOME") ? "set" : "unset");
    else if (!strcmp(does, "sleep")) printf("slept %u\n", sleep((unsigned)atoi(a))), i += 1;
    else if (!strcmp(does, "flood")) flood(atol(a)), i += 1;
    else if (!strcmp(does, "leave-open")) fputs(b, fopen(a, "w")), i += 2;
    else if (!strcmp(does, "exit")) exit(atoi(a));
    else if (!strcmp(does, "abort")) abort();
    else printf("argument %s\n", does);
  }
  return failures == 0 ? 0 : 1;
}

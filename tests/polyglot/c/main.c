/* Counts the words of standard input and of the files that it is given. */
#include <ctype.h>
#include <stdio.h>

static int words(FILE *file) {
  int count = 0, inside = 0, next;
  while ((next = fgetc(file)) != EOF) {
    if (isspace(next)) inside = 0;
    else if (!inside) inside = 1, count++;
  }
  return count;
}

int main(int argc, char **argv) {
  printf("%d\n", words(stdin));
  for (int index = 1; index < argc; index++) {
    FILE *file = fopen(argv[index], "r");
    if (file == NULL) {
      perror(argv[index]);
      return 4;
    }
    printf("%s %d\n", argv[index], words(file));
    fclose(file);
  }
  return 0;
}

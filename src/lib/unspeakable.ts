/**
 * Names of files that hold one of these cannot be written as a path: a line end or an escape in it
 * would be read as a line of an answer, or obeyed by a terminal. Tools refuse such a path, and
 * whatever lists files leaves it out.
 */
export const unspeakable = /[\p{Cc}\\\u2028\u2029]/u;

/**
 * Names of files that hold one of these cannot be written as a path: a line end or an escape in it
 * would be read as a line of an answer, or obeyed by a terminal. Tools refuse such a path, and
 * whatever lists files leaves it out. So is a name that is not UTF-8, which has halves of surrogate
 * pairs here. (The first two ranges are `\p{Cc}`, for which each plugin process would open tables of
 * Unicode as it starts.)
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
export const unprintablePath = /[\u0000-\u001f\u007f-\u009f\\\u2028\u2029\ud800-\udfff]/u;

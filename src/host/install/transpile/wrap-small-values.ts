/**
 * Texts of the transpiler's glue, and their replacements. Those about values are part of the glue's
 * helpers, so every place that lifts one is reached.
 */
const changes: readonly (readonly [RegExp, string])[] = [
  [
    /throw new TypeError\(`must be between [^`]*`\);/g,
    'const size = max - min + 1; return ((i - min) % size + size) % size + min;',
  ],
  [/throw new TypeError\('invalid variant discriminant for bool'\);/g, 'return true;'],
  [/throw new TypeError\('flags have extraneous bits set'\);/g, ';'],
  // A record with a field `to-string` has no text.
  [/\$\{String\(value\)\} (?=\(see error\.payload\))/g, ''],
  // Two maps in one function would declare the same name twice.
  [
    /let i = 0;\s+for \(const \[key, value\] of (entries\d+)\) \{/g,
    'for (let [i, [key, value]] of [...$1].entries()) {',
  ],
  // Members that a class has cannot be set; nobody calls static functions of a resource.
  [/^(\s*\w+\.)(name|length|prototype|caller|arguments)(?= = function )/gm, '$1$$$2'],
];

/**
 * Glue that lifts numbers which their types do not have as the canonical ABI says, where the
 * transpiler's traps: integers of 8 and 16 bits by their lower bits, any number but 0 as `true`,
 * flags without the bits that have no name. Compilers leave such bits, as in `exit(-1)` of C. What
 * the ABI has for a fault stays one: a case, an enum or a character that does not exist. No name of
 * a field or a function makes it fail.
 *
 * @param module glue as the transpiler makes it
 */
export function wrapSmallValues(module: string): string {
  return changes.reduce((text, [from, to]) => text.replaceAll(from, to), module);
}

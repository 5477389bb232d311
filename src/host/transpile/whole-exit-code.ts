/**
 * Glue that hands the exit code of a program over as it is; the host cuts it to a byte. The
 * transpiler's traps where the code is none, as in `exit(-1)` of C. Of no other function that takes
 * a small integer: there a value that its type does not have is a fault.
 *
 * @param module glue as the transpiler makes it
 */
export function wholeExitCode(module: string): string {
  return module.replaceAll('exitWithCode(clampGuest(arg0, 0, 255))', 'exitWithCode(arg0)');
}

import { KernelError } from '../error.ts';

/** @param others what is there instead */
export function unknownPlugin(
  name: string,
  others: readonly { readonly name: string }[],
): KernelError {
  return KernelError.unknownName(`no plugin ${JSON.stringify(name)} is installed`, {
    name,
    names: others.map((other) => other.name),
    hint: 'See what is installed with: cuervo plugin list',
  });
}

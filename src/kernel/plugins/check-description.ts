import { KernelError } from '../../contracts/error.ts';
import { kernelPlugin } from '../../contracts/kernel-tools.ts';
import { parseDescribe } from '../../host/install/component/parse-describe.ts';
import { parseManifest } from '../../host/install/component/parse-manifest.ts';
import { openPluginStore } from '../../host/install/plugin-store.ts';

/** A plugin's own description, as its build found it, unchecked. */
type UncheckedDescription = { manifest: { name: string }; tools: readonly object[] };

/**
 * Why `plugin install` would refuse a plugin's description, before there is a binary; by the same
 * checks that judge one.
 *
 * @param builtins folder of the built-in plugins, whose names are taken
 * @returns undefined when it would not
 */
export function checkDescription(
  { manifest, tools }: UncheckedDescription,
  builtins: string,
): string | undefined {
  try {
    parseManifest(new TextEncoder().encode(JSON.stringify(manifest)));
    parseDescribe(tools);
  } catch (thrown) {
    if (!(thrown instanceof KernelError) || thrown.code !== 'plugin-fault') throw thrown;
    return inAuthorsWords(thrown.message);
  }
  return takenName(manifest.name, namesIn(builtins));
}

/**
 * As `checkDescription`, of a manifest whose binary is not built yet: whether each tool has all it
 * needs, the binary says.
 */
export function checkManifest(manifest: { name: string }, builtins: string): string | undefined {
  try {
    parseManifest(new TextEncoder().encode(JSON.stringify(manifest)));
  } catch (thrown) {
    if (!(thrown instanceof KernelError) || thrown.code !== 'plugin-fault') throw thrown;
    return thrown.message.replace(/^manifest\./, '').replace(/^manifest/, 'it');
  }
  return takenName(manifest.name, namesIn(builtins));
}

function namesIn(builtins: string): string[] {
  return openPluginStore(builtins)
    .list()
    .map(({ name }) => name);
}

/** Why a plugin may not use this name; undefined for a free name. */
export function takenName(
  name: string | undefined,
  builtins: readonly string[],
): string | undefined {
  if (name === kernelPlugin) return `"${name}" is the name of tools of cuervo itself`;
  return name !== undefined && builtins.includes(name)
    ? `"${name}" is the name of a built-in plugin`
    : undefined;
}

/**
 * Names the plugin's definition instead of the manifest or `describe()`, which its author did not
 * write.
 */
function inAuthorsWords(message: string): string {
  return message
    .replace(/^manifest\./, "the plugin's definition: ")
    .replace(/^(?:manifest|describe\(\))/, "the plugin's definition");
}

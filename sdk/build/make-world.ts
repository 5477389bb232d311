import type { Want } from '../define-plugin.ts';

/**
 * WIT text of the plugin's own world: one import per capability, so that the import
 * section of the binary is the complete list of what it could ever do.
 */
export function makeWorld(name: string, wants: readonly Want[]): string {
  const imports = wants.map((want) => `  import cuervo:host/${want.capability}@0.1.0;\n`).join('');
  // A name may be a word of WIT, such as `world`; with % it is a name anyway.
  return `package local:%${name};\n\nworld plugin {\n  include cuervo:plugin/pure@0.1.0;\n${imports}}\n`;
}

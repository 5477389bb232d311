export type Setting = { name: string; value: string };

/** git-config(1), "Syntax"; a person wrote it, so what is not understood is passed over. */
export function parseSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, ' ').split('\n')) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    const [, name = '', below] = head ?? [];
    if (head !== null) section = name.toLowerCase() + (below === undefined ? '' : `.${below}`);
    const rest = head === null ? line : line.slice(head[0].length);
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(rest) ?? [];
    if (key === '') continue;
    const plain = value
      .replace(/^"(.*)"\s*$/, '$1')
      .replace(/\\(["\\])/g, '$1')
      .trim();
    settings.push({ name: `${section}.${key.toLowerCase()}`, value: plain });
  }
  return settings;
}

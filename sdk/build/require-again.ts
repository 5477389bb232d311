/**
 * A module that makes `require` for itself, so that the bundler finds what it requires: the
 * declaration goes, its calls stay. Line numbers stay.
 */
export function requireAgain(source: string): string {
  const made = String.raw`(?:createRequire\s*\?\s*)?(?:\w+\.)?createRequire\s*\(\s*import\.meta\.(?:url|filename)\s*\)(?:\s*:\s*\w+(?:\s+0)?)?`;
  const names: string[] = [];
  const without = source.replace(
    new RegExp(String.raw`\b(?:const|let|var)\s+(\w+)\s*=\s*${made}\s*;?`, 'g'),
    (whole, name: string) => {
      names.push(name);
      return name === 'require' ? whole.replace(/[^\n]/g, '') : whole;
    },
  );
  const others = names.filter((name) => name !== 'require').join('|');
  const renamed =
    others === ''
      ? without
      : without.replace(
          new RegExp(String.raw`(?<![.\w$])(?:${others})(?=\(\s*["'\`])`, 'g'),
          'require',
        );
  return renamed.replace(new RegExp(String.raw`${made}(?=\(\s*["'\`])`, 'g'), 'require');
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedWorkspace } from './asked-workspace.ts';

const root = mkdtempSync(join(tmpdir(), 'cuervo-asked-'));
const folder = join(root, 'clone');
beforeAll(() => {
  for (const path of ['packages/kit/http', 'docs/http', 'node_modules/far', '../beside'])
    mkdirSync(join(folder, path), { recursive: true });
  symlinkSync(join(root, 'beside'), join(folder, 'linked'));
  const manifests = {
    'package.json': '{\n  "name": "@scope/tool"\n}\n',
    'pyproject.toml':
      '[project]\nname = "pip-kit"\n\n[project.scripts]\nkit-run = "kit.cli:main"\n',
    'Cargo.toml': '[package]\nname = "kit-rs"\n',
    'go.mod': 'module example.org/kit-go/v2\n\ngo 1.25\n',
  };
  for (const [name, text] of Object.entries(manifests)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('askedWorkspace()', () => {
  it('knows what manifests call the project and its programs', () => {
    expect(askedWorkspace(folder).names).toEqual([
      ...['clone', 'tool', 'pip-kit', 'kit-run', 'kit-rs', 'kit-go'],
    ]);
  });

  it('waits for no pipe that is called as a manifest', () => {
    const other = join(root, 'beside');
    execFileSync('mkfifo', [join(other, 'package.json')]);
    writeFileSync(join(other, 'go.mod'), 'module example.org/kit-go\n');
    expect(askedWorkspace(other).names).toEqual(['beside', 'kit-go']);
  });

  it('finds the uppermost folder of a name, and none behind a link or of others', () => {
    const { folderCalled } = askedWorkspace(folder);
    expect(folderCalled('http')).toBe('docs/http');
    expect(folderCalled('kit')).toBe('packages/kit');
    expect(folderCalled('packages/kit')).toBe('packages/kit');
    for (const other of ['far', 'linked', '../beside', 'none'])
      expect(folderCalled(other)).toBeUndefined();
  });
});

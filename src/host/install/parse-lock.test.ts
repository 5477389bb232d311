import { describe, expect, it } from 'vitest';
import { formatLock, parseLock } from './parse-lock.ts';
import type { PluginRecord } from './plugin-record.ts';

const digest = 'ab'.repeat(32);
const record: PluginRecord = {
  ...{ name: 'echo', version: '0.1.0', description: 'Says it again.', sha256: digest, size: 12 },
  ...{ imports: [], exports: [], wants: [], tools: [], transpiler: 'none', files: {}, pages: {} },
  ...{ maxPages: 1, source: '/echo.wasm', installedMs: 1 },
};
const faulty = (text: string) => () => parseLock(text, 'plugins.lock');

describe('parseLock()', () => {
  it('reads what formatLock() wrote', () => {
    const lock = { plugins: [record], previous: [{ ...record, version: '0.0.9' }] };
    expect(parseLock(formatLock(lock), 'plugins.lock')).toEqual(lock);
  });

  it('checks each field of what was changed since, whatever its sum says', () => {
    const text = formatLock({ plugins: [record], previous: [] });
    expect(text).toContain('"checked"');
    const edited = text.replace('"size": 12', '"size": "12"');
    expect(faulty(edited)).toThrow('has a wrong "plugins.0.size"');
    expect(faulty(edited.replace(/"checked.*/, ''))).toThrow('has a wrong "plugins.0.size"');
    const renamed = text.replace('"echo"', '"reader"');
    expect(parseLock(renamed, 'plugins.lock').plugins).toEqual([{ ...record, name: 'reader' }]);
  });

  it('does not say of a wrong record that it was checked', () => {
    const text = formatLock({ plugins: [{ ...record, name: '../x' }], previous: [] });
    expect(text).not.toContain('"checked"');
    expect(faulty(text)).toThrow('has a wrong "plugins.0.name"');
  });
});

import { describe, expect, it } from 'vitest';
import { GuestBlob, GuestFile } from './blob.ts';

const parts = ['aä', Uint8Array.of(0xf0, 0x9f), new Uint16Array([0x809f, 0x41]).subarray(0, 1)];

describe('GuestBlob', () => {
  it('holds texts and bytes as the one of Node does', async () => {
    const [own, nodes] = [
      new GuestBlob(parts, { type: 'Text/A' }),
      new Blob(parts, { type: 'Text/A' }),
    ];
    expect([own.size, own.type]).toEqual([nodes.size, nodes.type]);
    expect(await own.bytes()).toEqual(new Uint8Array(await nodes.arrayBuffer()));
    expect(await own.slice(1, -2).arrayBuffer()).toEqual(await nodes.slice(1, -2).arrayBuffer());
    expect(await new GuestBlob([own, 'z']).text()).toBe(await new Blob([nodes, 'z']).text());
    expect(String(own)).toBe(String(nodes));
  });

  it('is a file with a name, and says that it has no stream', () => {
    const file = new GuestFile(['a'], 'a.txt', { lastModified: 5 });
    expect([file.name, file.lastModified, file.size]).toEqual(['a.txt', 5, 1]);
    expect(file instanceof GuestBlob).toBe(true);
    expect(() => file.stream()).toThrow('use arrayBuffer() or text()');
  });
});

import { describe, expect, it } from 'vitest';
import { createResourceCount, defineResource } from './resource.ts';

const kind = (limit = 10, dropped?: (state: { secret: string }) => void) =>
  defineResource<{ secret: string }>({
    name: 'box',
    count: createResourceCount(limit),
    methods: { peek: ({ secret }) => secret },
    ...(dropped && { dropped }),
  });
type Box = Disposable & Record<string, (...args: unknown[]) => unknown>;

describe('defineResource()', () => {
  it('makes objects that the glue takes for instances, with the named methods alone', () => {
    const boxes = kind();
    const box = boxes.make({ secret: 'mine' }) as Box;
    expect(box instanceof (boxes.face as () => void)).toBe(true);
    expect(box.peek!()).toBe('mine');
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
      expect(box[name]).toBeUndefined();
      expect((boxes.face as Record<string, unknown>)[name]).toBeUndefined();
    }
  });

  it('knows no object that a guest made up, of another kind, or that was dropped', () => {
    const boxes = kind();
    const { face } = boxes as { face: new (state: unknown) => object };
    expect(() => new face({ secret: 'forged' })).toThrow(/made by the host alone/);
    const other = kind().make({ secret: 'other' });
    const fake = Object.create((face as unknown as { prototype: object }).prototype);
    for (const value of [fake, other, undefined, 7]) {
      expect(() => boxes.stateOf(value)).toThrow(/no box/);
    }
    expect(() => (fake as Box).peek!()).toThrow(/no box/);
    const box = boxes.make({ secret: 'mine' }) as Box;
    box[Symbol.dispose]();
    expect(() => box.peek!()).toThrow(/no box/);
  });

  it('counts what is alive and reports each drop once', () => {
    const dropped: string[] = [];
    const boxes = kind(2, ({ secret }) => dropped.push(secret));
    const first = boxes.make({ secret: 'one' }) as Box;
    boxes.make({ secret: 'two' });
    expect(() => boxes.make({ secret: 'three' })).toThrow(/more than 2/);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    boxes.make({ secret: 'three' });
    expect(() => boxes.make({ secret: 'four' })).toThrow(/more than 2/);
    expect(dropped).toEqual(['one']);
  });
});

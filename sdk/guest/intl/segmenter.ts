type Segment = { segment: string; index: number; input: string; isWordLike?: boolean };

const kinds: Readonly<Record<string, RegExp>> = {
  // A letter with its marks; pictures that are joined; two letters of a flag.
  grapheme:
    /\r\n|\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\ufe0f\u20e3?|[\u{e0020}-\u{e007f}])*(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)*)+|\P{M}?(?:\p{M}|\u200d|\ufe0f|\p{EMod}|[\u{e0020}-\u{e007f}])+|[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|[\s\S]/gu,
  word: /[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{N}]+)*|\s+|[\s\S]/gu,
  sentence: /[^.!?]*[.!?]+["')\]]*\s*|[^.!?]+$/gu,
};

/** `Intl.Segmenter`, by the classes of characters that the engine knows. */
export class Segmenter {
  readonly #granularity: string;

  constructor(_locale?: unknown, { granularity = 'grapheme' }: { granularity?: string } = {}) {
    this.#granularity = granularity;
  }

  segment(input: string): Iterable<Segment> & { containing(at: number): Segment | undefined } {
    const granularity = this.#granularity;
    function* all(): Generator<Segment, undefined, undefined> {
      for (const found of input.matchAll(kinds[granularity] ?? /[\s\S]/gu)) {
        const [segment] = found;
        const isWordLike =
          granularity === 'word' ? { isWordLike: /[\p{L}\p{N}]/u.test(segment) } : {};
        yield { segment, index: found.index, input, ...isWordLike };
      }
      return undefined;
    }
    return {
      [Symbol.iterator]: all,
      containing: (at) =>
        [...all()].find(({ index, segment }) => at >= index && at < index + segment.length),
    };
  }

  resolvedOptions(): object {
    return { locale: 'en-US', granularity: this.#granularity };
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }
}

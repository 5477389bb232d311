/** What models put around their thoughts, where their server leaves them in the words. */
const thinks = '(?:think|thinking|thoughts?|reasoning|antthinking)';
/** `<think>`, `[THINK]`, `◁think▷`, `<|START_THINKING|>`, `<|begin_of_thought|>`, `<seed:think>` */
const opening = String.raw`(?:<\|?|◁|\[(?=THINK\]))(?:seed:|start_|begin_of_)?(?<thinks>${thinks})(?: [^<>\n]{1,80})?(?:\|?>|▷|\])`;
const closing = (name: string): string =>
  String.raw`(?:<\/|<\|(?:\/|end_|end_of_)|◁\/|\[\/(?=THINK\]))(?:seed:)?${name}(?:\|?>|▷|\])`;
/** The channels of gpt-oss, with their marks or with what is left where a server drops these. */
const channel = String.raw`(?:<\|start\|>(?<role>[^<\n]{0,80}))?<\|channel\|>(?<channel>[^<\n]{0,120})(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>`;
const strayMarks = String.raw`<\|(?:end|return|start|message)\|>(?:assistant(?=<\|))?`;

const marks = new RegExp(
  [
    '(?<code>`+|~{3,})',
    '(?<line>\\n)',
    `(?<closing>${closing(thinks)})`,
    ...[opening, channel, `(?<stray>${strayMarks})`],
  ].join('|'),
  'gi',
);
const bareChannel = /^analysis(?=[A-Z"])/;
const channelEnd = /<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)/g;
const bareChannelEnd = /assistant(?:final|(?=(?:commentary)?\s*to=))/g;
/** The end of a text that may still become a mark. */
const half =
  /<\|(?:start|channel)\|>(?:(?!<\|message\|>)[^\n]){0,260}$|[<◁][^<>▷\n]{0,90}$|\[\/?[A-Z]{0,6}$|[`~]+$/;
/** No mark is longer. */
const maxMark = 300;
/** A fence stands at the start of a line, perhaps in a list or a quotation. */
const lineStart = /^[\s>*+\-\d.]{0,40}$/;
const indented = /^(?: {4}|\t)/;

/** What is certain so far. */
export type SpokenPart = {
  text: string;
  /** drops the text before this part: it was all thoughts */
  dropsAll: boolean;
};

/** Words of a reply as they come, without thoughts. */
export type SpokenWords = {
  /** whether there were any thoughts */
  readonly thought: boolean;
  push(delta: string): SpokenPart;
  /** @returns the rest; `held` is the text that may be calls */
  end(): SpokenPart & { held: string };
};

/**
 * Takes the thoughts out of a reply: at its beginning, after words, in the channels of gpt-oss, and
 * thoughts with an end mark but no opening one. A mark within code is a word. Calls are held back
 * until the end.
 *
 * @param options.opens whether a line begins calls; `perhaps` where more has to come
 * @param options.isWords whether a fence that is held turned out to be words
 */
export function withoutThoughts(options: {
  opens(line: string, isFirst: boolean): 'yes' | 'perhaps' | 'no';
  isWords?(held: string): boolean;
}): SpokenWords {
  let rest = '';
  let held: string[] | undefined;
  let heldFence = false;
  /** end of the thoughts that are read now */
  let until: RegExp | undefined;
  /** of the fence that is open */
  let fence = '';
  const said = createSaid();
  const { say } = said;

  const think = (end: RegExp): void => {
    said.thought = true;
    until = end;
  };

  const isLiteral = (mark: string): boolean =>
    fence !== '' || said.isLiteral() || /^\[.*[a-z]/.test(mark);

  /** @returns whether the code is read; else more has to come */
  const readCode = (mark: string, isLast: boolean): boolean => {
    const behind = rest.slice(mark.length);
    const startsLine = lineStart.test(said.line);
    let end = 0;
    if (fence !== '') {
      if (startsLine && mark.startsWith(fence)) fence = '';
    } else if (mark.length >= 3 && startsLine) fence = mark;
    else {
      // A span of code ends in its line.
      const [inLine = ''] = behind.slice(0, maxMark).split('\n', 1);
      const found = [...inLine.matchAll(/`+/g)].find(([run]) => run === mark);
      if (found === undefined && inLine === behind && !isLast) return false;
      end = found === undefined ? 0 : found.index + mark.length;
    }
    say(mark + behind.slice(0, end));
    rest = behind.slice(end);
    return true;
  };

  const readMark = (mark: string, groups: Record<string, string | undefined>): void => {
    rest = rest.slice(mark.length);
    const { thinks: name, channel: of, role = '' } = groups;
    if (groups.line !== undefined || isLiteral(mark)) say(mark);
    else if (groups.closing !== undefined) {
      said.drop();
    } else if (name !== undefined) think(new RegExp(closing(name), 'gi'));
    else if (of !== undefined) {
      const [to] = /\bto=.*/.exec(role) ?? /\bto=.*/.exec(of) ?? [];
      if (to !== undefined) {
        held = [`${to}\n${rest}`];
        rest = '';
      } else if (!/^\s*final/.test(of)) think(channelEnd);
    }
  };

  const work = (isLast: boolean): SpokenPart => {
    if (held !== undefined) {
      held.push(rest);
      rest = '';
      if (!heldFence || options.isWords?.(held.join('')) !== true) return said.take();
      rest = held.join('');
      held = undefined;
      sayFirstLine();
    }
    const end = rest.slice(-maxMark);
    const unsure = isLast ? -1 : end.length - (half.exec(end)?.index ?? end.length);
    while (rest !== '') {
      if (until !== undefined) {
        until.lastIndex = 0;
        const found = until.exec(rest);
        if (found === null) {
          rest = isLast ? '' : rest.slice(-maxMark);
          break;
        }
        rest = rest.slice(found.index + found[0].length);
        until = undefined;
        continue;
      }
      const startsLine = fence === '' && said.line.trim() === '';
      const [blank = ''] = (startsLine && /^[ \t\r]+/.exec(rest)) || [];
      if (blank !== '') {
        say(blank);
        rest = rest.slice(blank.length);
        continue;
      }
      if (said.isEmpty && bareChannel.test(rest)) {
        think(bareChannelEnd);
        continue;
      }
      if (said.isEmpty && !isLast && 'analysis'.startsWith(rest)) break;
      if (startsLine && !rest.startsWith('\n') && (said.isEmpty || !indented.test(said.line))) {
        const verdict = options.opens(rest.slice(0, maxMark), said.isEmpty);
        if (verdict === 'yes') {
          held = [rest];
          heldFence = rest.startsWith('```');
          rest = '';
          break;
        }
        if (verdict === 'perhaps' && !isLast) break;
      }
      marks.lastIndex = 0;
      const found = marks.exec(rest);
      const at = found?.index ?? rest.length;
      const sure = Math.min(at, unsure < 0 ? at : rest.length - unsure);
      say(rest.slice(0, sure));
      rest = rest.slice(sure);
      if (found === null || sure < at || rest.length <= unsure) break;
      const [mark] = found;
      if (found.groups?.code === undefined) readMark(mark, found.groups ?? {});
      else if (!readCode(mark, isLast)) break;
    }
    return said.take();
  };

  /** Passes the first line on: it begins no call. */
  const sayFirstLine = (): void => {
    const [first = ''] = /^\s*.*/.exec(rest) ?? [];
    const [, run = ''] = /^\s*(`{3,})/.exec(first) ?? [];
    fence = run;
    say(first);
    rest = rest.slice(first.length);
  };

  return {
    get thought() {
      return said.thought;
    },
    push: (delta) => {
      rest += delta;
      return work(false);
    },
    end: () => {
      const { text, dropsAll } = work(true);
      const blank = said.thought ? '' : said.space;
      return { text: text + blank, dropsAll, held: held?.join('') ?? '' };
    },
  };
}

/** The state of the passed text that decides how the next mark is read. */
function createSaid() {
  let made = { text: '', dropsAll: false };
  let last = ' ';
  const said = {
    thought: false,
    isEmpty: true,
    /** before the first word */
    space: '',
    /** the beginning of the last line */
    line: '',
    say: (text: string): void => {
      const at = text.lastIndexOf('\n');
      said.line = (at < 0 ? said.line + text : text.slice(at + 1)).slice(0, maxMark);
      last = text.at(-1) ?? last;
      if (!said.isEmpty) {
        made.text += text;
        return;
      }
      said.isEmpty = text.trim() === '';
      said.space = (said.space + text).slice(said.isEmpty ? -maxMark : 0);
      if (said.isEmpty) return;
      // Thoughts have empty lines around them.
      made.text += said.thought ? said.space.trimStart() : said.space;
      said.space = '';
    },
    /** whether a mark is only quoted: after a quotation mark, or in a line of code */
    isLiteral: (): boolean => indented.test(said.line) || '"\'“‘'.includes(last),
    /** Everything so far was thoughts: drop it. */
    drop: (): void => {
      made = { text: '', dropsAll: true };
      last = ' ';
      Object.assign(said, { thought: true, isEmpty: true, line: '' });
    },
    take: (): SpokenPart => {
      const part = made;
      made = { text: '', dropsAll: false };
      return part;
    },
  };
  return said;
}

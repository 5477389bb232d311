import { changing, type KindRow, log } from './kind-row.ts';

const done =
  'changed changes change added introduced removed deleted dropped renamed rewritten replaced reverted updated touched worked modified edited switched moved fixed happened happening done new come came land landed appear appeared start started';

/** Questions about the history of something that is neither a file nor a name of code. */
export const topicRows: readonly KindRow[] = [
  {
    // A folder, as `here`.
    names: 'nothing',
    all: [`${changing} changes happened happening worked`, 'here'],
    also: 'who when why what which last recently lately latest recent in was were did has have been on the part week month year',
    reads: ({ bag }) =>
      ofPast.test(bag.question)
        ? log({
            about: 'log',
            ...(bag.all.has('why') ? { limit: 5, why: true } : { limit: 15 }),
          })
        : undefined,
  },
  {
    names: 'words',
    all: [`${done} history commits commit log wrote written created`],
    also: 'who when why what which how latest recently recently lately last recent week month year time first did was were has have had been going on to with for code part thing support commit commits show list tell about option flag feature',
    reads: ({ words, bag }) => {
      if (!ofPast.test(bag.question)) return undefined;
      if (/^\s*who\b.*\bmost of\b/i.test(bag.question) && words.length === 1)
        return log({ about: 'authors', path: words[0] as string });
      const isFirst =
        /\b(?:added|introduced|created|first|come|came|land(?:ed)?|appear(?:ed)?|start(?:ed)?)\b/i.test(
          bag.question,
        );
      return log({
        about: 'topic',
        words: words.flatMap((word) => word.replace(/^--/, '').split(/\s+/)),
        ...(isFirst && /^\s*(?:when|who|why)\b/i.test(bag.question) ? { oldest: true } : {}),
        ...(/^\s*why\b/i.test(bag.question) ? { why: true } : {}),
      });
    },
  },
  {
    // `what are the bundled plugins?`, `list all themes`: things that go by the name of their kind.
    names: 'words',
    all: ['list what which show enumerate name'],
    also: 'all every available supported there bundled built-in builtin included provided shipped exist offered have has does do come with support are is of in this collection',
    reads: ({ words, bag }) => {
      const [, noun] = ofKind.exec(bag.question) ?? [];
      // `chart types` are types of charts.
      const kindOf = /\b([a-z]{3,}?)s?\s+(?:types|kinds)\b/i.exec(bag.question)?.[1];
      if (kindOf !== undefined && /^(?:types|kinds)$/.test(noun ?? ''))
        return words.length === 1 ? { kind: 'members', of: `${kindOf}s` } : undefined;
      const isNamed = noun !== undefined && words.length <= 2 && words.at(-1) === noun;
      return isNamed ? { kind: 'members', of: noun } : undefined;
    },
  },
];

/** What was done, and no rule of the code: `why was X removed`, `what happened to X`, `X lately`. */
const ofPast =
  /^\s*(?:when|why)\s+(?:was|were|did|have|has)\b(?!.*\b(?:if|when)\b)|^\s*who\s+(?:has\s+|have\s+|last\s+)?(?:added|introduced|removed|deleted|wrote|written|created|changed|renamed|rewrote|fixed|touched|worked|modified|updated)\b|\b(?:recently|lately|recent changes|latest changes|history of|commits (?:about|on|to|for|in)|last (?:week|month|year))\b|^\s*what\s+(?:has\s+)?(?:happened|changed)\b(?!.*\b(?:if|when)\b)/i;
/** A plural of plain letters, behind what asks for all of them or with what says that they are there. */
const ofKind =
  /^\s*(?:please\s+)?(?:(?:list|enumerate|name|show(?:\s+me)?)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?|(?:what|which)\s+(?:are\s+)?(?:all\s+)?(?:the\s+)?)(?:(?:available|supported|bundled|built-in|builtin|included|existing|different)\s+)?(?:[a-z][\w-]*\s+)?([a-z]{3,}s)(?:\s+(?:are|is|do|does|come|have|has|can|exists?)\b.*)?\s*[?.!]*$/i;

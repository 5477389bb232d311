/**
 * Separators of turns, results and instructions for some model. In the text of a file they have no
 * meaning and stand for themselves.
 */
const delimiters = new RegExp(
  [
    String.raw`<(?=/?(?i:tool_(?:results?|responses?|outputs?|use|calls?)|function_(?:results?|calls?)|antml:\w{1,30}|invoke(?=\s+name=))(?:\s[^<>]{0,200})?>)`,
    String.raw`<(?=/?(?:system(?:[-_]\w{1,20})?|assistant|(?:start|end)_of_turn)>)`,
    String.raw`<(?=[|｜][A-Za-z][\w▁]{1,40}[|｜]>)`,
    '<(?=</?SYS>>)',
    String.raw`\[(?=/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\])`,
    // Also after an empty line, and in a text inside JSON.
    String.raw`(?<=(?:^|\n[ \t]{0,4}\r?\n|\\n\\n)(?:Human|Assistant)):`,
  ].join('|'),
  'g',
);

/**
 * Puts the character that makes a delimiter into brackets: `[<]/tool_result>`, `Human[:]`.
 *
 * @returns the text, and each delimiter that was escaped
 */
export function escapeDelimiters(text: string): {
  text: string;
  shown: { as: string; of: string }[];
} {
  const found: { as: string; of: string }[] = [];
  const escaped = text.replace(delimiters, (character: string, at: number) => {
    const word = /^[</|｜[]{1,3}[\w:-]{1,40}/.exec(text.slice(at, at + 48))?.[0].slice(1);
    const name = word ?? '';
    const before =
      character === ':'
        ? (/(?:Human|Assistant)$/.exec(text.slice(Math.max(0, at - 9), at))?.[0] ?? '')
        : '';
    found.push({ as: `${before}[${character}]${name}`, of: `${before}${character}${name}` });
    return `[${character}]`;
  });
  return { text: escaped, shown: found };
}

import { type Expression, type ObjectExpression, parseExpressionAt } from 'acorn';

/** Where a line may end. */
const width = 100;

/**
 * JSON of a list of objects with a field of one of them set. All else keeps its form, which is the
 * author's; the new value is on one line where that fits, as people write it.
 *
 * @param at which object of the list
 */
export function withFieldOf(text: string, at: number, field: string, value: unknown): string {
  const list = parseExpressionAt(text, 0, { ecmaVersion: 'latest' });
  const object = (list as Extract<Expression, { type: 'ArrayExpression' }>).elements[at];
  const { start, properties } = object as ObjectExpression;
  const own = properties.filter((each) => each.type === 'Property');
  const known = own.find(({ key }) => key.type === 'Literal' && key.value === field);
  const last = own.at(-1);
  if (known !== undefined) {
    const { value: old } = known;
    return text.slice(0, old.start) + valueText(text, known.start, value) + text.slice(old.end);
  }
  if (last === undefined) throw new Error(`entry ${at} of the list is empty`);
  const first = own[0] ?? last;
  const between = text.slice(start + 1, first.start);
  const put = `${JSON.stringify(field)}: ${valueText(text, last.start, value)}`;
  return `${text.slice(0, last.end)},${between === '' ? ' ' : between}${put}${text.slice(last.end)}`;
}

/** @param place of the field, whose line's indent the lines of the value continue */
function valueText(text: string, place: number, value: unknown): string {
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', place) + 1))?.[0] ?? '';
  const lines = JSON.stringify(value, null, indent.startsWith('\t') ? '\t' : 2);
  const line = lines
    .replace(/([[])\n\s*/g, '$1')
    .replace(/\n\s*(])/g, '$1')
    .replace(/\n\s*/g, ' ');
  const isShort = indent.length + line.length + '"expect": '.length <= width;
  return isShort ? line : lines.replaceAll('\n', `\n${indent}`);
}

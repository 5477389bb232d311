import type { Field, ValueType } from '../../../protocol/value-type.ts';

/** A description is read by people and models: behind this many characters stands a dot of three. */
const maxTextLength = 1_000;

/** `add: func(a: s64, b: s64) -> s64`, with every type written out, as in WIT. */
export function functionText(
  name: string,
  params: readonly Field[],
  result: ValueType | undefined,
): string {
  const returns = result === undefined ? '' : ` -> ${typeText(result)}`;
  const text = `${name}: func(${fieldsText(params)})${returns}`;
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function typeText(type: ValueType): string {
  switch (type.kind) {
    case 'list':
      return `list<${typeText(type.of)}${type.length === undefined ? '' : `, ${type.length}`}>`;
    case 'map':
      return `map<${typeText(type.key)}, ${typeText(type.value)}>`;
    case 'tuple':
      return `tuple<${type.of.map(typeText).join(', ')}>`;
    case 'option':
      return `option<${typeText(type.of)}>`;
    case 'result': {
      const ok = type.ok === undefined ? '_' : typeText(type.ok);
      if (type.error !== undefined) return `result<${ok}, ${typeText(type.error)}>`;
      return type.ok === undefined ? 'result' : `result<${ok}>`;
    }
    case 'record':
      return `record { ${fieldsText(type.fields)} }`;
    case 'variant':
      return `variant { ${type.cases.map(caseText).join(', ')} }`;
    case 'enum':
    case 'flags':
      return `${type.kind} { ${type.names.join(', ')} }`;
    default:
      return type.kind;
  }
}

function fieldsText(fields: readonly Field[]): string {
  return fields.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
}

function caseText({ name, type }: { name: string; type?: ValueType }): string {
  return type === undefined ? name : `${name}(${typeText(type)})`;
}

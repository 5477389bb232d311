import type { PathState } from '../../contracts/file-changes.ts';

/** Modes as git writes them, where both are known and differ: a file's, or 120000 for a link. */
export function diffModes(before: PathState, after: PathState): { modes?: [string, string] } {
  const [from, to] = [modeText(before), modeText(after)];
  return from === to || from === '' || to === '' ? {} : { modes: [from, to] };
}

function modeText(state: PathState): string {
  if (state.kind === 'link') return '120000';
  if (state.kind !== 'file' || state.mode === undefined) return '';
  return `100${state.mode.toString(8).padStart(3, '0')}`;
}

import { planLevels } from '../plan-levels.ts';
import type { PageStep } from '../views.ts';
import { el, svg } from './dom.ts';
import { cut, durationText, statusClass } from './words.ts';

const box = { width: 168, height: 44, gapX: 44, gapY: 14 };

/** The steps of a plan as boxes, from left to right, with a line from each to what needs it. */
export function planGraph(steps: readonly PageStep[]): HTMLElement {
  const columns = planLevels(steps);
  const places = new Map<string, { x: number; y: number }>();
  for (const [column, nodes] of columns.entries())
    for (const [row, { id }] of nodes.entries())
      places.set(id, {
        x: column * (box.width + box.gapX) + 1,
        y: row * (box.height + box.gapY) + 1,
      });
  const width = columns.length * (box.width + box.gapX) - box.gapX + 2;
  const most = Math.max(...columns.map(({ length }) => length));
  const height = most * (box.height + box.gapY) - box.gapY + 2;
  const lines = steps.flatMap(({ id, needs }) =>
    needs.flatMap((need) => {
      const from = places.get(need);
      const to = places.get(id);
      if (from === undefined || to === undefined) return [];
      const x = from.x + box.width;
      const y = from.y + box.height / 2;
      const end = to.y + box.height / 2;
      const middle = (x + to.x) / 2;
      const d = `M${x} ${y}C${middle} ${y} ${middle} ${end} ${to.x} ${end}`;
      return [svg('path', { d, class: 'line' })];
    }),
  );
  const boxes = steps.map((step) => {
    const { x, y } = places.get(step.id) ?? { x: 0, y: 0 };
    const { id, tool, status, durationMs } = step;
    const took = durationMs === undefined ? '' : `, ${durationText(durationMs)}`;
    const state = `${id} ${status ?? 'waits or runs'}${took}`;
    return svg(
      'g',
      { class: `node ${statusClass(status)}` },
      svg('title', {}, `${state}: ${tool} ${cut(step.input, 300)}`),
      svg('rect', { x, y, width: box.width, height: box.height, rx: 6 }),
      svg('text', { x: x + 10, y: y + 18 }, cut(tool, 21)),
      svg('text', { x: x + 10, y: y + 35, class: 'small' }, cut(state, 26)),
    );
  });
  const words = steps.map(({ id, tool, needs, status = 'not ended' }) => {
    const after = needs.length === 0 ? '' : ` after ${needs.join(', ')}`;
    return `${id} ${tool}${after}: ${status}`;
  });
  return drawing(`plan: ${words.join('; ')}`, { width, height }, ...lines, ...boxes);
}

const bar = { row: 36, height: 14, least: 0.4 };

/** When each step ran and how long, on one line of time that is as wide as there is room. */
export function stepTimes(steps: readonly PageStep[], nowMs: number): HTMLElement | undefined {
  const timed = steps.filter(({ startMs }) => startMs !== undefined);
  if (timed.length === 0) return undefined;
  const from = Math.min(...timed.map(({ startMs = nowMs }) => startMs));
  const until = Math.max(...timed.map(({ startMs = 0, durationMs = 0 }) => startMs + durationMs));
  const percent = 100 / Math.max(1, until - from);
  const rows = timed.flatMap(({ id, tool, startMs = from, durationMs = 0, status }, row) => {
    const y = row * bar.row;
    const width = Math.max(bar.least, durationMs * percent);
    const x = Math.min((startMs - from) * percent, 100 - width);
    const took = svg('tspan', { dx: 8, class: 'small' }, durationText(durationMs));
    const place = { x: `${x}%`, y: y + 16, width: `${width}%`, height: bar.height, rx: 3 };
    return [
      svg('text', { x: 0, y: y + 11 }, cut(`${id} ${tool}`, 40), took),
      svg('rect', { ...place, class: `bar ${statusClass(status)}` }),
    ];
  });
  const words = timed.map(
    ({ id, tool, durationMs = 0 }) => `${id} ${tool} ${durationText(durationMs)}`,
  );
  const size = { width: '100%', height: timed.length * bar.row };
  return drawing(`time by step: ${words.join('; ')}`, size, ...rows);
}

const column = { width: 640, height: 150, foot: 20, top: 18, most: 80 };

/** A bar for each thing, as high as its value. @param valueText as a person reads it */
export function barChart(
  title: string,
  bars: readonly { name: string; value: number }[],
  valueText: (value: number) => string,
): HTMLElement {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const step = Math.min(column.most, column.width / Math.max(1, bars.length));
  const drawn = bars.flatMap(({ name, value }, at) => {
    const height = ((column.height - column.foot - column.top) * value) / most;
    const x = at * step + step * 0.15;
    const y = column.height - column.foot - height;
    const isNamed = bars.length <= 10 || at % Math.ceil(bars.length / 8) === 0;
    return [
      svg(
        'rect',
        { x, y, width: step * 0.7, height, rx: 2, class: 'bar ok' },
        svg('title', {}, `${name}: ${valueText(value)}`),
      ),
      ...(isNamed ? [svg('text', { x, y: column.height - 5, class: 'small' }, name)] : []),
      ...(value > 0 && bars.length <= 10
        ? [svg('text', { x, y: y - 4, class: 'small' }, valueText(value))]
        : []),
    ];
  });
  const words = bars.map(({ name, value }) => `${name} ${valueText(value)}`);
  return drawing(`${title}: ${words.join('; ')}`, column, ...drawn);
}

/** A drawing that a reader of the screen hears as one sentence, and that scrolls where it is wide. */
function drawing(
  words: string,
  { width, height }: { width: number | string; height: number },
  ...content: SVGElement[]
): HTMLElement {
  const made = el(
    'div',
    'drawing',
    svg('svg', { width, height, role: 'img', 'aria-label': words }, content),
  );
  made.tabIndex = 0;
  return made;
}

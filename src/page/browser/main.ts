import type {
  CostView,
  JobsView,
  MemoryView,
  Overview,
  PluginsView,
  RunsView,
  RunView,
} from '../views.ts';
import { type Content, el, link, nodesOf } from './dom.ts';
import { type Load, LoadError, openLoad } from './load.ts';
import { type MemoryQuery, showCost, showJobs, showMemory, showPlugins } from './other-views.ts';
import { showRun, showRuns } from './run-views.ts';
import { timeText } from './words.ts';

const everyMs = 800;
const firstRuns = 100;

const views = ['runs', 'memory', 'plugins', 'jobs', 'cost'] as const;

const state = el('span', 'state', 'loading');
state.setAttribute('role', 'status');
const place = el('span', 'place');
const tabs = views.map((view, at) => {
  const made = link(view, '', view);
  made.title = `key ${at + 1}`;
  return made;
});
const nav = el('nav', '', tabs);
nav.setAttribute('aria-label', 'Views');
const main = el('main', '');
main.tabIndex = -1;
const keys = el(
  'footer',
  '',
  'Keys: 1 to 5 views · j and k rows · Enter opens · / searches · Esc back',
);
document.body.append(el('header', '', el('strong', '', 'cuervo'), place, state), nav, main, keys);

let load: Load | undefined;
/** of the last event that is shown */
let seq = -1;
/** counts what was asked for, so that a late answer is not shown over a newer one */
let asked = 0;
let query: MemoryQuery = { text: '', layer: '' };
/** the next view that has a search is typed into */
let isSearchNext = false;

/** `#/run/ID` -> the view and what stands behind it. */
function current(): { view: string; id: string } {
  const [view = 'runs', id = ''] = location.hash.replace(/^#\/?/, '').split('/');
  return { view: view === '' ? 'runs' : view, id };
}

async function contentOf(from: Load, view: string, id: string): Promise<Content> {
  const nowMs = from.madeMs ?? Date.now();
  if (view === 'run') return showRun(await from.get<RunView>({ view, query: { id } }), nowMs);
  if (view === 'memory') {
    const shown = await from.get<MemoryView>({ view, query });
    return showMemory(shown, nowMs, query, (next) => {
      query = next;
      void show();
    });
  }
  if (view === 'plugins')
    return showPlugins(await from.get<PluginsView>({ view, query: {} }), nowMs);
  if (view === 'jobs') return showJobs(await from.get<JobsView>({ view, query: {} }), nowMs);
  if (view === 'cost') return showCost(await from.get<CostView>({ view, query: {} }));
  const limit = Number(id) || firstRuns;
  const runs = await from.get<RunsView>({ view: 'runs', query: { limit: String(limit) } });
  return showRuns(runs, nowMs, limit);
}

/** @param isSame the view is shown already: what is open, focused and scrolled stays so */
async function show(isSame = false): Promise<void> {
  if (load === undefined) return;
  const { view, id } = current();
  asked += 1;
  const mine = asked;
  for (const tab of tabs) {
    const isHere = tab.hash === `#/${view === 'run' ? 'runs' : view}`;
    if (isHere) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  try {
    const content = await contentOf(load, view, id);
    if (mine !== asked) return;
    if (isSame && isTyping()) {
      seq = -1;
      return;
    }
    const keep = isSame ? keepOpen() : undefined;
    main.replaceChildren(...nodesOf([content]));
    if (keep !== undefined) keep();
    else scrollTo(0, 0);
    if (isSearchNext) document.getElementById('search')?.focus();
    isSearchNext = false;
  } catch (thrown) {
    if (mine === asked) tell(thrown);
  }
}

/** Words that are not searched for yet would be lost where the view is made anew. */
function isTyping(): boolean {
  const field = document.getElementById('search');
  if (!(field instanceof HTMLInputElement)) return false;
  const { activeElement: focused } = document;
  return focused === field || focused instanceof HTMLSelectElement || field.value !== query.text;
}

/** What a person opened and where they are, to be so again after the view was made anew. */
function keepOpen(): () => void {
  const known = new Map(
    [...main.querySelectorAll('details')].map((each) => [each.dataset.key, each.open]),
  );
  const { activeElement: focused } = document;
  const at = focused instanceof HTMLAnchorElement && main.contains(focused) ? focused.hash : '';
  const top = scrollY;
  return () => {
    for (const each of main.querySelectorAll('details'))
      each.open = known.get(each.dataset.key) ?? each.open;
    if (at !== '')
      [...main.querySelectorAll('a')]
        .find(({ hash }) => hash === at)
        ?.focus({ preventScroll: true });
    scrollTo(0, top);
  };
}

function tell(thrown: unknown): void {
  const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { hint, isGone } = thrown instanceof LoadError ? thrown : { hint: '', isGone: false };
  if (isGone) {
    load = undefined;
    state.textContent = 'ended';
    state.className = 'state bad';
  }
  const said = el('div', 'told', el('p', 'bad', message), el('p', '', hint));
  said.setAttribute('role', 'alert');
  // What is there already stays readable.
  if (isGone && main.childElementCount > 0) main.prepend(said);
  else main.replaceChildren(said);
}

/** Asks whether the journal has grown, and shows the view anew where it has. */
async function follow(): Promise<void> {
  if (load === undefined) return;
  try {
    if (!document.hidden) {
      const overview = await load.get<Overview>({ view: 'overview', query: {} });
      if (overview.seq !== seq && !isTyping()) {
        seq = overview.seq;
        await show(true);
      }
    }
  } catch (thrown) {
    tell(thrown);
  }
  setTimeout(() => void follow(), everyMs);
}

function onKey(event: KeyboardEvent): void {
  const isTyping =
    event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (isTyping) (event.target as HTMLElement).blur();
    else if (current().view === 'run') location.hash = '#/runs';
    return;
  }
  if (isTyping) return;
  const tab = views[Number(event.key) - 1];
  if (tab !== undefined) location.hash = `#/${tab}`;
  else if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1);
  else if (event.key === '/') {
    event.preventDefault();
    if (current().view === 'memory') document.getElementById('search')?.focus();
    else {
      query = { text: '', layer: '' };
      isSearchNext = true;
      location.hash = '#/memory';
    }
  }
}

function moveRow(by: number): void {
  const rows = [...main.querySelectorAll<HTMLElement>('a.row, summary')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

async function start(): Promise<void> {
  addEventListener('hashchange', () => void show());
  addEventListener('keydown', onKey);
  try {
    load = await openLoad();
    const overview = await load.get<Overview>({ view: 'overview', query: {} });
    place.textContent = overview.workspace;
    document.title = `cuervo: ${overview.workspace}`;
    seq = overview.seq;
    const { madeMs } = load;
    state.textContent = madeMs === undefined ? 'live' : `as of ${timeText(madeMs)}`;
    state.className = madeMs === undefined ? 'state ok' : 'state';
    await show();
    if (madeMs === undefined) void follow();
  } catch (thrown) {
    tell(thrown);
  }
}

void start();

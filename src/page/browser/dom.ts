/** What stands in an element: other elements, or text, which is never read as markup. */
export type Content = Node | string | number | undefined | false | readonly Content[];

/** An element with a class. Every text of the page goes through here and becomes a text node. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...nodesOf(content));
  return made;
}

export function nodesOf(content: readonly Content[]): (Node | string)[] {
  return content.flatMap((each): (Node | string)[] => {
    if (each === undefined || each === false) return [];
    if (typeof each === 'string' || typeof each === 'number') return [String(each)];
    return each instanceof Node ? [each] : nodesOf(each as readonly Content[]);
  });
}

/** A link to another view: the page has no links that leave it. */
export function link(view: string, className: string, ...content: Content[]): HTMLAnchorElement {
  const made = el('a', className, ...content);
  made.href = `#/${view}`;
  return made;
}

export function button(text: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = el('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

export function section(title: string, ...content: Content[]): HTMLElement {
  return el('section', '', el('h2', '', title), ...content);
}

/** A command to be typed, with a button that copies it. */
export function command(text: string): HTMLElement {
  const copy = button('Copy', 'copy', () => {
    navigator.clipboard.writeText(text).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => {
        copy.textContent = 'Select it and copy';
      },
    );
  });
  return el('div', 'command', el('code', '', text), copy);
}

export function table(
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
  className = '',
): HTMLElement {
  const head = el(
    'tr',
    '',
    heads.map((each) => el('th', '', each)),
  );
  const body = rows.map((row) =>
    el(
      'tr',
      '',
      row.map((cell, at) => {
        const made = el('td', '', cell);
        // Shown in front of the value where a narrow screen has no room for columns.
        made.dataset.head = heads[at] ?? '';
        return made;
      }),
    ),
  );
  return el('table', className, el('thead', '', head), el('tbody', '', body));
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element of a drawing. */
export function svg(name: string, attributes: Attributes, ...content: Content[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...nodesOf(content));
  return made;
}

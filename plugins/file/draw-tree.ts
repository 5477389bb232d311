/** A file or folder below the place that is drawn. */
export type TreeEntry = { path: string; isDirectory: boolean };

export type DrawnTree = { text: string; files: number; folders: number; truncated?: string };

type Node = { folders: Map<string, Node>; files: string[]; fileCount: number };

const maxDrawnLines = 400;
/** Files of one folder that are named; a folder of fixtures must not be all one sees. */
const maxFilesOfFolder = 40;

/**
 * An indented tree: folders first with the number of files below them, then files.
 *
 * @param entries paths relative to the drawn folder
 * @param depth levels that are drawn, at least 1
 */
export function drawTree(entries: readonly TreeEntry[], depth: number): DrawnTree {
  const root: Node = { folders: new Map(), files: [], fileCount: 0 };
  let folders = 0;
  for (const { path, isDirectory } of entries) {
    if (isDirectory) {
      folders += 1;
      reach(root, path.split('/'));
      continue;
    }
    const names = path.split('/');
    const name = names.pop() as string;
    root.fileCount += 1;
    reach(root, names, 1).files.push(name);
  }
  const lines: string[] = [];
  draw(root, depth, '', lines);
  const tree = { text: lines.slice(0, maxDrawnLines).join('\n'), files: root.fileCount, folders };
  if (lines.length <= maxDrawnLines) return tree;
  const truncated = `${lines.length - maxDrawnLines} more lines are left out; ask for one folder or a smaller depth`;
  return { ...tree, truncated };
}

/** As many levels of the tree, but at least one, as fit into some lines. */
export function fitTree(
  entries: readonly TreeEntry[],
  depth: number,
  lines: number = Number.POSITIVE_INFINITY,
): DrawnTree {
  const tree = drawTree(entries, depth);
  const isTooLong = tree.text.split('\n').length > lines;
  if (!isTooLong) return tree;
  return depth > 1
    ? fitTree(entries, depth - 1, lines)
    : { ...tree, text: beside(tree.text.split('\n')) };
}

const usualColumns = 76;

/** Names that would take a line each, as many on one as fit. */
function beside(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const line = lines.at(-1);
    const isFull = line === undefined || line.length + name.length + 2 > usualColumns;
    if (isFull) lines.push(name);
    else lines[lines.length - 1] = `${line}, ${name}`;
  }
  return lines.join('\n');
}

/** The node of a folder, made on the way; `more` files are counted in each. */
function reach(root: Node, names: readonly string[], more = 0): Node {
  let node = root;
  for (const name of names) {
    let child = node.folders.get(name);
    if (child === undefined) {
      child = { folders: new Map(), files: [], fileCount: 0 };
      node.folders.set(name, child);
    }
    child.fileCount += more;
    node = child;
  }
  return node;
}

function draw(node: Node, depth: number, indent: string, lines: string[]): void {
  if (depth === 0) return;
  for (const [name, child] of node.folders) {
    lines.push(
      `${indent}${name}/ (${child.fileCount} ${child.fileCount === 1 ? 'file' : 'files'})`,
    );
    draw(child, depth - 1, `${indent}  `, lines);
  }
  for (const name of node.files.slice(0, maxFilesOfFolder)) lines.push(indent + name);
  const more = node.files.length - maxFilesOfFolder;
  if (more > 0) lines.push(`${indent}… ${more} more files`);
}

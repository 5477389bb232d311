/** True for the folder itself and all that lies below it; both absolute and without `..`. */
export function isBelow(path: string, folder: string): boolean {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || path.startsWith(prefix);
}

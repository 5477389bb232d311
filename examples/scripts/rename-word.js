// Puts one text in the place of another, in every file that has it:
// cuervo script examples/scripts/rename-word.js '{"old":"colour","new":"color"}' --dry-run
const found = tools.search.grep({ pattern: input.old, literal: true, limit: 1000 });
const paths = [...new Set(found.matches.map(({ path }) => path))];
for (const path of paths) {
  tools.file.edit({ path, old: input.old, new: input.new, all: true });
  console.log(`changed ${path}`);
}
return `${paths.length} files`;

import { expect, it } from 'vitest';
import { definedNames } from './defined-names.ts';

it('definedNames() reads names by the shape of lines, in many languages, each once', () => {
  const text = [
    'export async function parseUrl(text: string): URL {',
    '  private readAll(stream: Stream) {',
    'class Reader(Base):',
    '    def read_line(self):',
    'func (s *Server) Serve(l net.Listener) error {',
    'pub fn open_file(path: &Path) -> Result<()> {',
    'static int count_words(const char *text,',
    'export const maxBytes = 5;',
    'function parseUrl() {}',
  ].join('\n');
  expect(definedNames(text, 20)).toEqual([
    'parseUrl',
    'readAll',
    'Reader',
    'read_line',
    'Serve',
    'open_file',
    'count_words',
    'maxBytes',
  ]);
  expect(definedNames(text, 2)).toEqual(['parseUrl', 'readAll']);
});

it('definedNames() reads none from comments, calls and branches', () => {
  const text = ['// function told() {', '  if (ready) {', '  } else if (open(file) {', 'x = 1;'];
  expect(definedNames(text.join('\n'), 20)).toEqual([]);
});

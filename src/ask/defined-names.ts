const keyworded =
  /\b(?:function\*?|class|interface|type|enum|struct|trait|impl|mod|module|namespace|def|fn|func|fun|sub|object|record|protocol|macro_rules!)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)/;
const constant =
  /^(?:export\s+|pub\s+|static\s+|final\s+)*(?:const|let|var|val)\s+([A-Za-z_$][\w$]*)/;
const method =
  /^\s+(?:[\w<>[\],.?&*:]+\s+)*[*&#]?([A-Za-z_$][\w$]*)\s*\([^;]*(?:\{|\()\s*$|^\s+([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s*)?(?:function\b|\()/;
const cFunction = /^(?:[A-Za-z_][\w*&:<>]*\s+)+[*&]*([A-Za-z_][\w:]*)\s*\([^;]*$/;
const comment = /^\s*(?:\/\/|\/?\*|#(?!define)|--)/;
const noName =
  /^(?:if|for|while|switch|catch|return|else|do|try|throw|new|await|yield|function|typeof|in|of|case|with|match|loop|unless|elif|except|super|this|self|assert|print)$/;
/** A longer line defines nothing that a reader sees. */
const maxLineCharacters = 300;

/**
 * Names that a text defines, told by the shape of its lines in any language.
 *
 * @returns each once, in the order of the text, at most `limit`
 */
export function definedNames(text: string, limit: number): string[] {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (names.size >= limit) break;
    if (line.length > maxLineCharacters || comment.test(line)) continue;
    const found =
      keyworded.exec(line) ?? constant.exec(line) ?? method.exec(line) ?? cFunction.exec(line);
    const name = found?.[1] ?? found?.[2];
    if (name !== undefined && name.length > 1 && !noName.test(name)) names.add(name);
  }
  return [...names];
}

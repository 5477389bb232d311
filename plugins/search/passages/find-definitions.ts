const modifiers =
  '(?:(?:export|default|pub(?:\\([^)]*\\))?|public|private|protected|internal|static|final|abstract|async|unsafe|const|inline|override|virtual|extern|declare|sealed|partial|data|open|readonly|local|global|@\\w+)\\s+)*';

/** `function f`, `class C`, `def f`, `func (r *T) f`, `pub fn f`, `type T`, `struct S`, … */
const keyworded = new RegExp(
  `^\\s*${modifiers}(?:function\\*?|class|interface|type|enum|struct|trait|impl(?:<[^>]*>)?|mod|module|namespace|def|fn|func|fun|sub|macro_rules!|defmodule|defp?|object|record|union|protocol|extension|proc|#define)\\s+(?:\\([^)]*\\)\\s*)?([A-Za-z_$][\\w$]*)`,
);
/** `const x =`, `let x:`, `var x`, `static X` */
const constant =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|static|final|readonly|declare)\s+)*(?:const|let|var|val|static(?=\s+(?:mut\s+)?\w+\s*:))\s+(?:mut\s+)?([A-Za-z_$][\w$]*)/;
/** `static final int X = 5`, `private readonly Map<K, V> x = …`, `const char *x =` */
const typedConstant =
  /^\s*(?:(?:public|private|protected|internal|static|final|readonly|const|constexpr|extern)\s+)+[\w<>[\],.?: ]+\s[*&]*([A-Za-z_]\w*)\s*=(?!=)/;
const bareConstant = /^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/;
/** `name(args) {` of a class body, with a return type before or after */
const method =
  /^\s+(?:(?:public|private|protected|static|final|abstract|async|override|virtual|readonly|get|set|synchronized|native|default)\s+)*(?:\*\s*)?(?:[\w$<>[\],.?&*:]+\s+)*[*&#]?([A-Za-z_$][\w$]*)\s*(?:<[^>(]*>)?\([^;]*(?:\{|,|\()\s*$/;
/** `app.use = function`, `name: function`, `name = (a) =>`, `exports.name =` */
const assigned =
  /(?:^|[\s.])([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|[A-Za-z_$][\w$]*\s*=>)/;
/** `int name(args)` at the margin, as in C, and what takes its arguments over several lines */
const cFunction = /^(?:[A-Za-z_][\w*&:<>]*\s+)+[*&]*([A-Za-z_][\w:]*)\s*\([^;]*$/;

/** A longer line is no one's definition, and costs the expressions too much. */
const maxLineCharacters = 400;

const noName =
  /^(?:if|for|while|switch|catch|return|else|do|try|throw|new|await|yield|function|typeof|delete|in|of|case|with|match|loop|unless|elif|except|super|this|self|assert|print|let)$/;

/** The name that a line defines, if it does: by shape, for any language with words for it. */
export function definedName(line: string): string | undefined {
  if (line.length > maxLineCharacters) return undefined;
  const first = line.trimStart().charCodeAt(0);
  // `/`, `*` and `}` begin no definition; `#` only that of a macro
  if (first === 47 || first === 42 || first === 125) return undefined;
  const match =
    keyworded.exec(line) ??
    typedConstant.exec(line) ??
    constant.exec(line) ??
    assigned.exec(line) ??
    bareConstant.exec(line) ??
    method.exec(line) ??
    cFunction.exec(line);
  const name = match?.[1];
  return name === undefined || noName.test(name) ? undefined : name;
}

const asksForAll =
  /^\s*(?:are there|(?:list|give|show|find|get|name)(?: me)?|which|what)(?: are)?(?: all| any| some)?(?: of)?(?: the)? ((?:[\p{L}\d-]+ ){0,2}\p{L}+s)(?: are there| exist)?( (?:in|below|under) \S+?)?\s*[?.!]*$/iu;

/** `files in src`, and `how many classes are in src?`, whose list begins with their number. */
const asksForThem =
  /^\s*(?:how many (?=(?:\p{L}+ )?(?:functions|methods|classes|interfaces|enums|structs|types|constants)\b)|(?=(?:\p{L}+ )?(?:files|folders|functions|classes|methods|tests) (?:in|below|under)\b))((?:\p{L}+ )?\p{L}+s)(?: (?:are|is)(?: there| defined)?| there are)?( (?:in|below|under) (?:the )?\S+?(?: (?:folder|directory))?)?\s*[?.!]*$/iu;

/** `are there any plugins?`, `which folders are there?` as `list the …`; any other text as it stands. */
export function asList(text: string): string {
  return text.replace(asksForAll, 'list the $1$2').replace(asksForThem, 'list the $1$2');
}

/** It asks for all of something, and names nothing else. */
export function isList(text: string): boolean {
  return asksForAll.test(text);
}

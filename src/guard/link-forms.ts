/** HTML attributes whose value is an address. */
const attribute = String.raw`\b(?:src|href|action|formaction|poster|data|ping|background|cite)\s{0,4}`;

/** What an address goes on with: a quote within it, too, and not the one behind it. */
const more = /(?:[^\s<>"'`]|["'`](?=[\w%]))/.source;
/** An address with a scheme, or a host and path as for scp; a line of a file is not one. */
const ofAnyScheme = String.raw`(?<![a-z0-9+./-])[a-z][a-z0-9+.-]{1,255}:(?!\d+(?:[-:,]\d+)*(?:[^\w/?#@%,:-]|[,:-](?!\d)|$))${more}+`;

const linkForms: readonly string[] = [
  // In Markdown between angle brackets, where an address may hold spaces.
  String.raw`(?<=\](?:\(|:)\s{0,4}<)[^<>\n]+(?=>)`,
  // In HTML between quotes, where it may, too, and where it is read without its entities.
  ...['"', "'"].map(
    (quote) =>
      String.raw`(?<=${attribute}=\s{0,4}${quote})(?=[^${quote}\n]{0,40}(?:[:&]|[\\/]{2}))[^${quote}\n]{1,4096}(?=${quote})`,
  ),
  // An address of mail, and the user of a place on a host.
  String.raw`(?<![\w.+-])[\w.+-]{16,256}@[\w-]{1,63}(?:\.[\w-]{1,63})+`,
  // A target in Markdown: readers drop its backslashes, read its entities and mend its slashes.
  String.raw`(?<=\](?:\(|:)\s{0,4})(?:[\\/]{2}|[^\s<>/"'${'`'}]{0,40}?(?::|&#|&colon;))${more}+`,
  String.raw`(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,255}:\/\/${more}+`,
  ofAnyScheme,
  String.raw`(?<=[([{<"'=,]\s{0,4})[\\/]{2}${more}+`,
  String.raw`(?<!\S)\/\/[\w-]+(?:\.[\w-]+)+\/${more}+`,
  String.raw`(?<![\w\\])\\\\[\w-]+(?:\.[\w-]+)+\\${more}+`,
  String.raw`(?<![\w.-])www\.${more}+`,
];

/** Addresses of any scheme, and what Markdown, HTML or a reader takes for one. */
export const links = new RegExp(linkForms.join('|'), 'gi');
/** The start of an address with spaces whose end is still to come. */
export const openLink = new RegExp(
  String.raw`\](?:\(|:)\s{0,4}(?:<[^<>\n]{0,4096})?$|${attribute}(?:=\s{0,4}(?:"[^"\n]{0,4096}|'[^'\n]{0,4096})?)?$`,
  'i',
);

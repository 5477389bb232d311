import type { Likenesses } from './embedder.ts';
import type { AskIntent, Intent, Reading } from './intent.ts';
import type { Step } from './plan.ts';
import type { Tool } from './tool.ts';

/** A person's words, from their reading to the shape of an answer. Nothing else reads them. */
export type Questions = {
  /**
   * Reads a person's words once: a call of a tool, something to keep in mind, or a question.
   *
   * @throws {KernelError} `invalid-argument` for an empty or endless question, or one that is not
   *   of the kind that `as` names; `not-found` for one that goes on with nothing
   */
  read(text: string, asked: Asked): ReadQuestion;
  /** Steps with ids and needs for the first reading that there are tools for, not yet checked. */
  plan(intent: Intent, on: PlanOn): Step[];
  /** How an answer without a model is laid out. */
  shape(intent: Intent, on: { isWidened: boolean }): AnswerShape;
};

export type Asked = {
  tools: readonly Tool[];
  workspace: AskedWorkspace;
  /** a text that was handed over with the question, which may say what it is about */
  given?: string | undefined;
  /** the kind that a person says it is */
  as?: string | undefined;
  /** what the last answer was about, where the question may go on with it; null where none came */
  last?: LastAnswer | null | undefined;
  /** a model has the conversation itself, and gets the question as typed */
  isModel?: boolean | undefined;
  /** a question that was read before, with what its words mean in the workspace */
  again?: { intent: AskIntent; meant: Meant } | undefined;
  /** absent where no person typed the words at a prompt: an order is then not carried out */
  orders?: OrderFacts | undefined;
  /** of a day or month without a year the last one that has begun is meant; default: times are not read */
  nowMs?: number | undefined;
};

export type ReadQuestion = {
  /** of a question that is read again and says no more than before, the one that was given */
  intent: Intent;
  /** words that were taken as misspelled */
  spelled: Meant['spelled'];
  /** the question in words that stand alone, where it goes on with the last one */
  readAs?: string;
  /** the text that was handed over says what the question is about, so that it is no evidence */
  isOfGiven: boolean;
};

export type PlanOn = {
  tools: readonly Tool[];
  /** the workspace is a repository, so that git is asked about history */
  repository: boolean;
  /** by these, too, a tool of an installed plugin is chosen */
  likenesses?: (() => Likenesses | undefined) | undefined;
  /**
   * `wider` where the first plan found nothing, `without-git` where git could not be asked; `names`
   * asks what the words mean in the workspace
   */
  attempt?: 'first' | 'wider' | 'names' | 'without-git';
};

/** What has to be known of a workspace to read a question about it. */
export type AskedWorkspace = {
  /** absolute */
  path: string;
  /** what people call it, and its programs */
  names?: readonly string[];
} & Folders;

/** The folders of a workspace, by path, and by the last name that people call them by. */
export type Folders = {
  hasFolder(path: string): boolean;
  folderCalled(name: string): string | undefined;
};

/** What an order may name. */
export type OrderFacts = {
  /** the command line of each task of the project's manifests, by its name in lower case */
  tasks: ReadonlyMap<string, string>;
  /** a program that the rules know */
  isProgram(name: string): boolean;
  /** a rule speaks of this subcommand of the program */
  isSubcommand(program: string, word: string): boolean;
  /** a program that projects with these manifests are run by */
  isRunner(program: string): boolean;
  hasPath(path: string): boolean;
};

/** What an answer was about, for a question that goes on with it. */
export type LastAnswer = {
  kind: Reading['kind'];
  /** absent where an older version kept it */
  question?: string | undefined;
  name?: string | undefined;
  path?: string | undefined;
  /** places it showed, in their order; a file of a list has no line, and a commit no path */
  places: readonly { path: string; line?: number; commit?: string }[];
};

/** What the words of a question mean in the workspace. */
export type Meant = {
  /** the question with that in the place of how it was written */
  text: string;
  names: readonly { written: string; name: string }[];
  spelled: readonly { written: string; meant: string }[];
};

/** How an answer without a model is laid out. */
export type AnswerShape = {
  /** what follows, for the head of the answer; by its parts where absent */
  says?: string;
  /** what was looked for and is not there, in front of the head */
  lacks?: string;
  /** first pieces that are shown whole from their first line on, and lines of each */
  whole: { pieces: number; lines: number };
  /** pieces of the first result that lead, whatever scores the others have */
  leads: number;
  /** the first piece begins where its text does: behind pictures and badges, a licence, or imports */
  skips?: 'markup' | 'licence' | 'imports';
  /** listings stand before passages */
  listsFirst?: true;
  /** tools whose places are shown as a line each, in place of passages */
  rows: readonly string[];
  /** what it says holds only of evidence */
  saysOfEvidence?: true;
  /** sections of documents whose headings say what is asked come first, and no others */
  documentsExplain?: true;
  /** the one file that is asked for */
  file?: string;
  /** what is said where nothing was found */
  none?: { text: string; hint: string };
};

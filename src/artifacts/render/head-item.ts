/** The parts of the head of MEMORY.md. */
import type { Repetition } from '../../analyze/history/said-again.ts'
import type { Trust } from '../../core/trust.ts'

/** Where an item was said: a session that is listed by its short id, any other by its summary. */
export interface HeadSource {
  /** Short id of a session whose row stands in MEMORY.md or LEDGER.md: a tenth of a link's tokens. */
  readonly cite?: string
  /** The summary that holds it. */
  readonly path?: string
}

export interface HeadItem extends HeadSource, Partial<Repetition> {
  readonly text: string
  /** Which rule found it, and what it answers: with these it says something by itself. */
  readonly rule?: string
  readonly about?: string
  /** When it was said: milliseconds UTC. */
  readonly at: number
  readonly trust: Trust
}

/** The last outcome of a project, in words of ours: what others wrote is in quotation marks. */
export interface HeadStanding {
  readonly name: string
  readonly at: number
  readonly text: string
  /** In the list. */
  readonly sessions: number
  readonly path?: string
}

/** One line of a project's card. The label is ours; the texts come from tool calls and files. */
export interface HeadCardLine {
  readonly label: string
  /** The folder that holds all of its paths. */
  readonly below?: string
  readonly parts: readonly HeadCardPart[]
}

export interface HeadCardPart {
  readonly text: string
  /** Names stand bare, commands and paths as code, sentences in quotation marks. */
  readonly as: 'name' | 'code' | 'quote'
  /** Words of ours before it: `test`, `reviewed by`. */
  readonly before?: string
}

/** What a document, a comment or a failing command warns of. */
export interface HeadPitfall extends HeadSource {
  readonly text: string
  /** The command that failed so. */
  readonly command?: string
}

/** A repository with its clones and worktrees, or a folder. */
export interface HeadProject {
  readonly name: string
  /** Names of folders that are clones of it. */
  readonly clones: readonly string[]
  /** Published ones. */
  readonly sessions: number
  readonly first: number
  readonly last: number
  readonly card: readonly HeadCardLine[]
  readonly standing?: HeadSource & Pick<HeadStanding, 'at' | 'text'>
  /** Of the owner, for this project. */
  readonly rules: readonly HeadItem[]
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly pitfalls: readonly HeadPitfall[]
}

/** Somebody of the graph, with the newest thing that holds of them. */
export interface HeadPerson extends HeadSource {
  readonly name: string
  /** In the words of who said it. */
  readonly text: string
  readonly at: number
  /** Where to look if no artifact holds it: `c010174c:7`, `e:3f2a1c9d`. */
  readonly id?: string
}

/** Lists in the order of their weight: what does not fit is left out from the end. */
export interface HeadFacts {
  /** Of the owner, wherever they work. */
  readonly rules: readonly HeadItem[]
  /** The most worked on of late first. */
  readonly projects: readonly HeadProject[]
  /** What was decided and left to do in no project. */
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  /** Of whom something is known. */
  readonly known: readonly HeadPerson[]
  /** Who spoke besides the owner and the agent. */
  readonly people: readonly string[]
}

export const EMPTY_HEAD: HeadFacts = { rules: [], projects: [], decisions: [], actions: [], known: [], people: [] }

import type { Repetition } from '../../analyze/history/said-again.ts'
import type { Trust } from '../../core/trust.ts'

/** Listed sessions are cited by short id, others by summary. */
export interface HeadSource {
  /** Short id of a session listed in MEMORY.md or LEDGER.md: a tenth of a link's tokens. */
  readonly cite?: string
  readonly path?: string
}

export interface HeadItem extends HeadSource, Partial<Repetition> {
  readonly text: string
  /** The matching rule and the question answered; without them the text may be meaningless. */
  readonly rule?: string
  readonly about?: string
  /** Milliseconds UTC. */
  readonly at: number
  readonly trust: Trust
}

/** The project's last outcome. Quotes foreign text. */
export interface HeadStanding {
  readonly name: string
  readonly at: number
  readonly text: string
  readonly sessions: number
  readonly path?: string
}

/** The label is ours; texts come from tool calls and files. */
export interface HeadCardLine {
  readonly label: string
  /** Common folder of all paths. */
  readonly below?: string
  readonly parts: readonly HeadCardPart[]
}

export interface HeadCardPart {
  readonly text: string
  readonly as: 'name' | 'code' | 'quote'
  /** Our prefix: `test`, `reviewed by`. */
  readonly before?: string
}

/** A warning from a document, comment or failed command. */
export interface HeadPitfall extends HeadSource {
  readonly text: string
  /** The failed command. */
  readonly command?: string
}

/** A repository with clones and worktrees, or a folder. */
export interface HeadProject {
  readonly name: string
  /** Folder names. */
  readonly clones: readonly string[]
  /** Published only. */
  readonly sessions: number
  readonly first: number
  readonly last: number
  readonly card: readonly HeadCardLine[]
  readonly standing?: HeadSource & Pick<HeadStanding, 'at' | 'text'>
  /** The owner's rules for this project. */
  readonly rules: readonly HeadItem[]
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly pitfalls: readonly HeadPitfall[]
}

export interface HeadPerson extends HeadSource {
  readonly name: string
  /** Verbatim. */
  readonly text: string
  readonly at: number
  /** Fallback reference without an artifact: `c010174c:7`, `e:3f2a1c9d`. */
  readonly id?: string
}

/** Lists are ordered by importance and truncated at the end. */
export interface HeadFacts {
  /** The owner's rules for all projects. */
  readonly rules: readonly HeadItem[]
  /** Recently active first. */
  readonly projects: readonly HeadProject[]
  /** Without a project. */
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly known: readonly HeadPerson[]
  /** Speakers other than owner and agent. */
  readonly people: readonly string[]
}

export const EMPTY_HEAD: HeadFacts = { rules: [], projects: [], decisions: [], actions: [], known: [], people: [] }

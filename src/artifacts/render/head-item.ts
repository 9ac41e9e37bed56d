import type { Repetition } from '../../analyze/history/said-again.ts'
import type { Trust } from '../../core/trust.ts'

export interface HeadSource {
  /** Short id, only for listed sessions: a tenth of a link's tokens. */
  readonly cite?: string
  readonly path?: string
}

export interface HeadItem extends HeadSource, Partial<Repetition> {
  readonly text: string
  /** Without rule and question, the text may be meaningless. */
  readonly rule?: string
  readonly about?: string
  /** Milliseconds UTC. */
  readonly at: number
  readonly trust: Trust
}

/** Foreign text is quoted. */
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
  readonly below?: string
  readonly parts: readonly HeadCardPart[]
}

export interface HeadCardPart {
  readonly text: string
  readonly as: 'name' | 'code' | 'quote'
  /** Our prefix: `test`, `reviewed by`. */
  readonly before?: string
}

export interface HeadPitfall extends HeadSource {
  readonly text: string
  readonly command?: string
}

export interface HeadProject {
  readonly name: string
  readonly clones: readonly string[]
  readonly sessions: number
  readonly first: number
  readonly last: number
  readonly card: readonly HeadCardLine[]
  readonly standing?: HeadSource & Pick<HeadStanding, 'at' | 'text'>
  readonly rules: readonly HeadItem[]
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly pitfalls: readonly HeadPitfall[]
}

export interface HeadPerson extends HeadSource {
  readonly name: string
  readonly text: string
  readonly at: number
  /** Reference without an artifact: `c010174c:7`, `e:3f2a1c9d`. */
  readonly id?: string
}

/** Most important first; truncated at the end. */
export interface HeadFacts {
  readonly rules: readonly HeadItem[]
  /** Recently active first. */
  readonly projects: readonly HeadProject[]
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly known: readonly HeadPerson[]
  readonly people: readonly string[]
}

export const EMPTY_HEAD: HeadFacts = { rules: [], projects: [], decisions: [], actions: [], known: [], people: [] }

/** What the head of MEMORY.md is made of. */
import type { Trust } from '../../core/trust.ts'

export interface HeadItem {
  readonly text: string
  /** Which rule found it, and what it answers: with these it says something by itself. */
  readonly rule?: string
  readonly about?: string
  /** When it was said: milliseconds UTC. */
  readonly at: number
  readonly trust: Trust
  /** The artifact that holds it. */
  readonly path?: string
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

/** Somebody of the graph, with the newest thing that holds of them. */
export interface HeadPerson {
  readonly name: string
  /** In the words of who said it. */
  readonly text: string
  readonly at: number
  /** The artifact that holds it; else where to look: `c010174c:7`, `e:3f2a1c9d`. */
  readonly path?: string
  readonly id?: string
}

export interface HeadPointer {
  /** What is to be found there, in our own words. */
  readonly text: string
  readonly path: string
}

/** Lists in the order of their weight: what does not fit is left out from the end. */
export interface HeadFacts {
  readonly standing: readonly HeadStanding[]
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly preferences: readonly HeadItem[]
  /** Who spoke besides the owner and the agent. */
  readonly people: readonly string[]
  /** Of whom something is known. */
  readonly known: readonly HeadPerson[]
  readonly pointers: readonly HeadPointer[]
}

export const EMPTY_HEAD: HeadFacts = { standing: [], decisions: [], actions: [], preferences: [], people: [], known: [], pointers: [] }

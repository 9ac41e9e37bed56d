import { basename } from 'node:path'
import { isMadePath } from '../../core/made-document.ts'

export interface DocumentRoot {
  /** Empty for the workspace, `@<name>` for a folder of `memory.paths`. */
  readonly prefix: string
  readonly path: string
  /** Configured: warn if it is missing. */
  readonly named: boolean
}

/** The workspace first. Equal names are numbered in configuration order; machine paths never appear. */
export function documentRoots(workspace: string, paths: readonly string[]): DocumentRoot[] {
  const taken = new Map<string, number>()
  const named = paths.map((path) => {
    const name = basename(path) || 'root'
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return { prefix: count === 1 ? `@${name}` : `@${name}~${count}`, path, named: true }
  })
  return [{ prefix: '', path: workspace, named: false }, ...named]
}

export function documentPath(root: DocumentRoot, rest: string): string {
  return [root.prefix, rest].filter((part) => part !== '').join('/')
}

/** `agents/<id>/…` belongs to that agent, everything else to main. Other roots start with `@`. */
export function agentOf(path: string, text: string): string {
  const said = isMadePath(path) ? DOSSIER_AGENT.exec(text)?.[1] : undefined
  return said ?? /^agents\/([A-Za-z0-9][\w.-]{0,63})\/./.exec(path)?.[1] ?? 'main'
}

/** A dossier's frontmatter names its agent. */
const DOSSIER_AGENT = /^---\nmnemonic: dossier-v1\n(?:[^\n]*\n){0,3}?agent: "([A-Za-z0-9][\w.-]{0,63})"\n/

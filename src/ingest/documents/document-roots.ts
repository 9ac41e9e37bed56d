/** The folders that hold documents people wrote, and what the paths of those are in the index. Reads none of them. */

import { basename } from 'node:path'
import { isMadePath } from '../../core/made-document.ts'

export interface DocumentRoot {
  /** What the paths of its documents begin with: nothing for the workspace, `@<name>` for a folder of `memory.paths`. */
  readonly prefix: string
  /** A folder, or one file. */
  readonly path: string
  /** Named in the configuration: when it is missing, somebody should know. */
  readonly named: boolean
}

/** The workspace first. Two folders of one name are told apart by their order in the configuration; no path of this machine shows. */
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

/** `agents/<id>/…` in the workspace is the memory of that persona; everything else is main's. Paths of other roots begin with `@`. */
export function agentOf(path: string, text: string): string {
  const said = isMadePath(path) ? DOSSIER_AGENT.exec(text)?.[1] : undefined
  return said ?? /^agents\/([A-Za-z0-9][\w.-]{0,63})\/./.exec(path)?.[1] ?? 'main'
}

/** A dossier says in its head whose memory it was made from. */
const DOSSIER_AGENT = /^---\nmnemonic: dossier-v1\n(?:[^\n]*\n){0,3}?agent: "([A-Za-z0-9][\w.-]{0,63})"\n/

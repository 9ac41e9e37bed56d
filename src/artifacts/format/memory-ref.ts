/** How a manifest names the entry of MEMORY.md that its session has: the file, and the time with which the row begins. Pure. */
import { toIso } from '../../core/time.ts'

/** `MEMORY.md#2026-03-28T22:34:06.792Z` */
export function entryRef(path: string, membershipTs: number): string {
  return `${path}#${toIso(membershipTs)}`
}

/** Older manifests name the file alone. */
export function fileOfRef(ref: string): string {
  return ref.split('#', 1)[0] as string
}

/** The entry in one file; undefined where there is none. */
export function refIn(refs: readonly string[] | undefined, path: string): string | undefined {
  return refs?.find((ref) => fileOfRef(ref) === path)
}

/** The time of the row, empty where only the file is named. */
export function entryOf(ref: string): string {
  return ref.slice(fileOfRef(ref).length + 1)
}

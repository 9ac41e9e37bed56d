/** Folders of the workspace that hold documents of ours, each with a head that says so. */
const MADE = /^(?:dossiers|howto)\//

export function isMadePath(path: string): boolean {
  return MADE.test(path)
}

/** Workspace folders of generated documents. */
const MADE = /^(?:dossiers|howto)\//

export function isMadePath(path: string): boolean {
  return MADE.test(path)
}

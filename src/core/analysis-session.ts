/**
 * How a session is known that Mnemonic itself started, to have a text analysed by a harness of the owner's: it must never enter the ledger, or
 * memory would be made of memory. Its folder has a name of its own, and its prompt begins with a line of its own.
 */

/** The beginning of the folder's name. */
export const ANALYSIS_FOLDER = 'mnemonic-analysis-'

/** The first line of the prompt. */
export const ANALYSIS_MARK = '[mnemonic-analysis] This prompt was written by a program, for one answer.'

/** A path, or the name that a harness makes of it: `/tmp/mnemonic-analysis-x1`, `-tmp-mnemonic-analysis-x1`. */
const IN_PATH = new RegExp(`(?:^|[/\\\\-])${ANALYSIS_FOLDER}[A-Za-z0-9]{6}(?:$|[/\\\\])`)

export function isAnalysisFolder(path: string): boolean {
  return path.includes(ANALYSIS_FOLDER) && IN_PATH.test(path)
}

export function isAnalysisPrompt(text: string): boolean {
  return text.trimStart().startsWith(ANALYSIS_MARK)
}

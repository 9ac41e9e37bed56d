/** Recognizes sessions that Mnemonic started for its own analysis. They must never enter the ledger: memory would feed on itself. */

export const ANALYSIS_FOLDER = 'mnemonic-analysis-'

export const ANALYSIS_MARK = '[mnemonic-analysis] This prompt was written by a program, for one answer.'

/** A path, or a harness's name for it: `/tmp/mnemonic-analysis-x1`, `-tmp-mnemonic-analysis-x1`. */
const IN_PATH = new RegExp(`(?:^|[/\\\\-])${ANALYSIS_FOLDER}[A-Za-z0-9]{6}(?:$|[/\\\\])`)

export function isAnalysisFolder(path: string): boolean {
  return path.includes(ANALYSIS_FOLDER) && IN_PATH.test(path)
}

export function isAnalysisPrompt(text: string): boolean {
  return text.trimStart().startsWith(ANALYSIS_MARK)
}

/** Checks a session file of the plain JSONL format before anything is read from it. */

export interface ValidationResult {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

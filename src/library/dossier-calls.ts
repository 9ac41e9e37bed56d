import type { ListedDossier } from '../artifacts/dossiers/dossiers.ts'

export interface DossierRequest {
  /** Give exactly one of these five. `howTo`: a session, or words that find one in which something was fixed. */
  readonly entity?: string
  readonly topic?: string
  readonly project?: string
  readonly howTo?: string
  readonly projectHowTo?: string
  /** Overwrites a person's edits, after a backup. */
  readonly force?: boolean
  readonly agent?: string
}

export interface DossierAnswer {
  readonly path: string
  /** `kept`: the file was edited, so the new one is beside it. */
  readonly state: 'written' | 'unchanged' | 'kept'
  readonly backup: string | null
  readonly kind: string
  readonly subject: string
  readonly title: string
  readonly sentences: number
  readonly markdown: string
  /** Why the configured model wrote no narrative; empty if it did or none is configured. */
  readonly warnings: readonly string[]
}

/** Generated documents in `<workspace>/dossiers/`; every sentence has its source. */
export interface MnemonicDossiers {
  make(request: DossierRequest): Promise<DossierAnswer>
  list(): Promise<ListedDossier[]>
  names(): Promise<string[]>
  /** Redacted. Throws NOT_FOUND. Writes nothing. */
  read(name: string): Promise<DossierText>
}

export interface DossierText {
  readonly path: string
  readonly kind: string
  readonly text: string
}

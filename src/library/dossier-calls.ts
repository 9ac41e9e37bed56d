/** What a caller asks of dossiers. */
import type { ListedDossier } from '../artifacts/dossiers/dossiers.ts'

export interface DossierRequest {
  /** One of these five: a person, project or thing of the graph; a topic; a project of sessions; a session, or words that lead to one in which something was fixed. */
  readonly entity?: string
  readonly topic?: string
  readonly project?: string
  readonly howTo?: string
  /** How a project is worked on, by its name, remote or folder: in `<workspace>/howto/`. */
  readonly projectHowTo?: string
  /** Writes over what a person edited, after a copy of it. */
  readonly force?: boolean
  readonly agent?: string
}

export interface DossierAnswer {
  /** Relative to the workspace. */
  readonly path: string
  /** `kept`: a person edited the one that is there, so the new one stands beside it. */
  readonly state: 'written' | 'unchanged' | 'kept'
  readonly backup: string | null
  readonly kind: string
  readonly subject: string
  readonly title: string
  readonly sentences: number
  readonly markdown: string
  /** Why the configured model gave no narrative; empty where it did, or none is configured. */
  readonly warnings: readonly string[]
}

/** Documents that are made from what is known, every sentence with what says so, in `<workspace>/dossiers/`. */
export interface MnemonicDossiers {
  make(request: DossierRequest): Promise<DossierAnswer>
  /** Those that are there, with whether they still say what the memory says. */
  list(): Promise<ListedDossier[]>
  /** The names of those of the agent, without `.md`; nothing is compared. */
  names(): Promise<string[]>
  /** One of the agent as it stands, by its name; redacted. Throws NOT_FOUND. Writes nothing. */
  read(name: string): Promise<DossierText>
}

export interface DossierText {
  /** Relative to the workspace. */
  readonly path: string
  readonly kind: string
  readonly text: string
}

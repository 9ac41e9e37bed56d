import type { Launch } from './launch.ts'
import type { Questions } from './questions.ts'

export interface Io {
  readonly stdout: { write(text: string): unknown; once?(event: 'drain' | 'close', listener: () => void): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly script?: string | undefined
  readonly isTTY: { readonly stdin?: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Some terminals report 0. */
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  readonly signal: () => AbortSignal
  readonly ask?: ((question: string) => Promise<string>) | undefined
  readonly questions?: (() => Promise<Questions>) | undefined
  readonly launch?: Launch | undefined
  readonly caller?: (() => string) | undefined
}

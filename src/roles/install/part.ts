/** One place that holds our entries beside the person's: a harness's file, or a crontab. */

export interface ConfigPart {
  readonly path: string
  readonly what: string
  /** Throws CONFIG_INVALID for invalid text. */
  holds(text: string): boolean
  /** Idempotent. Throws CONFIG_INVALID if it would change the person's content. */
  add(text: string | undefined): string
  /** Undefined: delete the file, it contained only our entries. `before` is the backup, if any. */
  remove(text: string, before: string | undefined): string | undefined
  readonly place?: TextPlace
}

export interface TextPlace {
  read(): string | undefined
  write(text: string | undefined): void
}

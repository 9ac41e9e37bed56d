/** One place on this machine where something of ours stands beside what is a person's: a file of a harness, or a crontab. */

export interface ConfigPart {
  /** The file, or the name of the place. */
  readonly path: string
  /** For people: "the hooks of Claude Code". */
  readonly what: string
  /** Whether something of ours stands in the text. Throws CONFIG_INVALID for a text that cannot be understood. */
  holds(text: string): boolean
  /** The text with our entries in it; the same text where they are there. Throws CONFIG_INVALID where that cannot be done without changing what is a person's. */
  add(text: string | undefined): string
  /** The text without them. Undefined: nothing but ours was in it, so the file goes. `before` is the text from before the first change, where it was kept. */
  remove(text: string, before: string | undefined): string | undefined
  /** Where the text is kept; absent: in the file. */
  readonly place?: TextPlace
}

export interface TextPlace {
  read(): string | undefined
  write(text: string | undefined): void
}

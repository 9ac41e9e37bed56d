/**
 * Somebody else's SQLite file, as a source: read-only, and nothing is left beside it. Tables and columns differ by version:
 * ask before reading. Throws NOT_THIS_FORMAT where the file is no database, VALIDATION_ERROR where it is damaged,
 * SOURCE_UNREADABLE where it cannot be opened now.
 */
export interface SourceDatabase {
  /** Names of tables and views. */
  tables(): ReadonlySet<string>
  /** Names of a table's columns; empty when there is no such table. */
  columns(table: string): ReadonlySet<string>
  /** Rows one by one: none is held longer than it takes to look at it. Text comes as string, blobs as Buffer. */
  rows<Row>(sql: string, ...parameters: readonly (string | number | bigint | null)[]): IterableIterator<Row>
  first<Row>(sql: string, ...parameters: readonly (string | number | bigint | null)[]): Row | undefined
  /** Rows that were left out because a value in them is larger than a record may be; each by its name. */
  readonly passedOver: readonly string[]
  close(): void
}

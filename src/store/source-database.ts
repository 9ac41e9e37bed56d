/**
 * Port for another program's SQLite file: read-only, leaves no sidecar files. The schema differs by version: check tables and columns
 * first. Throws NOT_THIS_FORMAT if it is no database, VALIDATION_ERROR if damaged, SOURCE_UNREADABLE if it cannot be opened now.
 */
export interface SourceDatabase {
  tables(): ReadonlySet<string>
  columns(table: string): ReadonlySet<string>
  /** Streams rows. Text arrives as string, blobs as Buffer. */
  rows<Row>(sql: string, ...parameters: readonly (string | number | bigint | null)[]): IterableIterator<Row>
  first<Row>(sql: string, ...parameters: readonly (string | number | bigint | null)[]): Row | undefined
  /** Describes rows skipped because a value exceeds the record limit. */
  readonly passedOver: readonly string[]
  close(): void
}

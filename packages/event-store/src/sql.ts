/** A value in a row. */
export type SqlValue = string | number | bigint | Uint8Array | null
/** A row by its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>

/** A prepared statement with positional parameters. Integers read as `number`; they stay below 2^53. */
export interface SqlStatement {
  /** Whether it answers rows; then `run` is not for it, and otherwise the others are not. */
  readonly returnsRows: boolean
  readonly run: (...parameters: ReadonlyArray<SqlValue>) => { readonly changes: number }
  readonly get: (...parameters: ReadonlyArray<SqlValue>) => SqlRow | undefined
  readonly all: (...parameters: ReadonlyArray<SqlValue>) => ReadonlyArray<SqlRow>
  readonly iterate: (...parameters: ReadonlyArray<SqlValue>) => IterableIterator<SqlRow>
}

/**
 * A synchronous SQL connection for event log, read models, claims, vault and sandbox ledger. It confines the driver to
 * one folder.
 */
export interface SqlDatabase {
  readonly prepare: (sql: string) => SqlStatement
  readonly execute: (sql: string) => void
  /** Runs `work` in BEGIN IMMEDIATE … COMMIT, or rolls back and rethrows. */
  readonly transaction: <A>(work: () => A) => A
  readonly isInTransaction: () => boolean
  readonly close: () => void
}

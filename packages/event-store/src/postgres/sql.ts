/** A parameter of a statement. Lists are PostgreSQL's arrays. */
export type PostgresValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | null
  | ReadonlyArray<string | number | bigint | boolean | null>

/** A row by its columns. `bigint` reads as `number`; the numbers of the log stay below 2^53. */
export type PostgresRow = Readonly<Record<string, unknown>>

/** The rows of a statement, and how many rows it read or changed. */
export type PostgresResult = { readonly rows: ReadonlyArray<PostgresRow>; readonly changes: number }

/** SQL inside a running transaction. It confines the driver to one folder. Of no use once the transaction has ended. */
export interface PostgresSql {
  /** Runs one statement with the parameters $1, $2, …, prepared once for each connection. */
  readonly query: (text: string, values?: ReadonlyArray<PostgresValue>) => Promise<PostgresResult>
  /** Runs statements without parameters, such as those that make tables. */
  readonly execute: (text: string) => Promise<void>
}

import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import { given, sqlBuilder } from './compile.ts'
import type { Found, ReadModel } from './read-model.ts'

export const tableName = <Row>({ name, version }: ReadModel<Row>): string => `${name}_${version}`

export const createTable = (database: SqlDatabase, name: string): void => {
  database.execute(`
    CREATE TABLE IF NOT EXISTS ${name} (
      id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL,
      customer_id TEXT, status TEXT, lookup_key TEXT, due_at INTEGER,
      revision INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${name}_page ON ${name} (merchant_id, environment, id);
    CREATE INDEX IF NOT EXISTS ${name}_customer ON ${name} (merchant_id, environment, customer_id, id)
      WHERE customer_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${name}_key ON ${name} (lookup_key) WHERE lookup_key IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${name}_due ON ${name} (environment, due_at, id) WHERE due_at IS NOT NULL;
  `)
}

export const byId = <Row>(model: ReadModel<Row>) =>
  sqlBuilder.selectFrom(tableName(model)).selectAll().where('id', '=', given<string>('id'))

/** A defect if the body is not what this version has written: throws. */
export const decodeRow = <Row>(model: ReadModel<Row>, { id, merchant_id, environment, body }: SqlRow): Found<Row> => {
  const decoded = model.row.decode(JSON.parse(String(body)))
  if (E.isLeft(decoded))
    throw new Error(`a row of ${model.name} is damaged: ${PathReporter.report(decoded).join('; ')}`)
  return {
    id: String(id),
    merchantId: String(merchant_id),
    environment: environment === 'mainnet' ? 'mainnet' : 'testnet',
    row: decoded.right,
  }
}

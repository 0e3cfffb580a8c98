import { wrongPlaces } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Found, ReadModel } from './read-model.ts'

/** The table that a version of a read model is served from. */
export const tableName = ({ name, version }: Pick<ReadModel<never>, 'name' | 'version'>): string => `${name}_${version}`

/**
 * Makes a table of rows with its indexes, where there is none of this name. A table that was renamed is left as it is:
 * its indexes keep the names that they were made under.
 */
export const createTable = (database: SqlDatabase, name: string): void => {
  const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name)
  if (known !== undefined) return
  database.execute(`
    CREATE TABLE ${name} (
      id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL,
      customer_id TEXT, status TEXT, lookup_key TEXT, due_at INTEGER,
      revision INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ${name}_page ON ${name} (merchant_id, environment, id);
    CREATE INDEX ${name}_customer ON ${name} (merchant_id, environment, customer_id, id)
      WHERE customer_id IS NOT NULL;
    CREATE INDEX ${name}_status ON ${name} (merchant_id, environment, status, id) WHERE status IS NOT NULL;
    CREATE INDEX ${name}_customer_status ON ${name} (merchant_id, environment, customer_id, status, id)
      WHERE customer_id IS NOT NULL AND status IS NOT NULL;
    CREATE INDEX ${name}_key ON ${name} (lookup_key) WHERE lookup_key IS NOT NULL;
    CREATE INDEX ${name}_due ON ${name} (environment, due_at, id) WHERE due_at IS NOT NULL;
  `)
}

/** A defect if the body is not what this version has written: throws. */
export const decodeRow = <Row>(
  model: Pick<ReadModel<Row>, 'name' | 'row'>,
  { id, merchant_id, environment, body }: SqlRow,
): Found<Row> => {
  const decoded = model.row.decode(JSON.parse(String(body)))
  if (E.isLeft(decoded)) throw new Error(`a row of ${model.name} is damaged: ${wrongPlaces(decoded.left)}`)
  return {
    id: String(id),
    merchantId: String(merchant_id),
    environment: environment === 'mainnet' ? 'mainnet' : 'testnet',
    row: decoded.right,
  }
}

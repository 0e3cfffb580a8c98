import type { LogMark } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { markIn } from '../log-marks.ts'
import { elsewherePrefix, seedPrefix } from './sqlite-vault.ts'
import { settlementKey } from './vault-signer.ts'

/** What a vault's file shows without its master key. `mark`: the last event of the log that it knows. */
export const peekVault = (sql: SqlDatabase): { readonly hasLiveMerchants: boolean; readonly mark: LogMark | null } => {
  const tables = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const has = (table: string): boolean => tables.some(({ name }) => name === table)
  const isNamed = (prefix: string): boolean => {
    const live = `${prefix}${settlementKey('mainnet', '')}`
    return sql.prepare('SELECT 1 FROM vault WHERE substr(name, 1, ?) = ? LIMIT 1').get(live.length, live) !== undefined
  }
  return {
    hasLiveMerchants: has('vault') && (isNamed(seedPrefix) || isNamed(elsewherePrefix)),
    mark: has('log_mark') ? markIn(String(sql.prepare('SELECT mark FROM log_mark').get()?.mark)) : null,
  }
}

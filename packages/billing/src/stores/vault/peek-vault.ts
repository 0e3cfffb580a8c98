import type { LogMark } from '@quittance/domain'
import { rowsOf, type Sql } from '@quittance/event-store'
import { markIn } from '../log-marks.ts'
import { exists } from '../sql/query.ts'
import { elsewherePrefix, seedPrefix } from './vault.ts'
import { settlementKey } from './vault-signer.ts'

const isAnyNamed = exists('SELECT 1 FROM vault WHERE name >= ? AND name < ? LIMIT 1')

/** What a vault shows without its master key. `mark`: the last event of the log that it knows. */
export const peekVault = async ({
  run,
  dialect,
}: Sql): Promise<{ readonly hasLiveMerchants: boolean; readonly mark: LogMark | null }> => {
  const has = (table: string) => run(exists(dialect.hasTable)(table))
  const isNamed = (prefix: string): Promise<boolean> => {
    const live = `${prefix}${settlementKey('mainnet', '')}`
    return run(isAnyNamed(live, `${live}~`))
  }
  return {
    hasLiveMerchants: (await has('vault')) && ((await isNamed(seedPrefix)) || (await isNamed(elsewherePrefix))),
    mark: (await has('log_mark')) ? markIn(String((await run(rowsOf('SELECT mark FROM log_mark')))[0]?.mark)) : null,
  }
}

import type { Sql } from '@quittance/event-store'
import type { ReleaseWatch } from '@quittance/event-store/postgres'
import type { Reading } from '@quittance/projections'

type Tables = { readonly sql: Sql; readonly reading: Reading }

/**
 * The tables beside a log, for as long as this release understands the log. From then on, whatever reads or writes them fails with
 * `LeftBehind`, so no answer is a guess, and the role of a worker goes to another process.
 */
export const whileUnderstood = ({ leftBehind }: Pick<ReleaseWatch, 'leftBehind'>, { sql, reading }: Tables): Tables => {
  const understood = async <A>(ask: () => Promise<A>): Promise<A> => {
    const refusal = leftBehind()
    if (refusal !== null) throw refusal
    return ask()
  }
  return {
    sql: { dialect: sql.dialect, run: (...asked) => understood(() => sql.run(...asked)) },
    reading: {
      dialect: reading.dialect,
      prepare: (query) => {
        const { get, all } = reading.prepare(query)
        return { get: (values) => understood(() => get(values)), all: (values) => understood(() => all(values)) }
      },
    },
  }
}

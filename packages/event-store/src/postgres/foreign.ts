import { isOutsideWorld } from './failures.ts'
import type { PostgresSql } from './sql.ts'

/** Foreign code (an alongside write, a projection) does not agree with a commit, for this cause. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/**
 * Lends SQL to foreign code, for as long as that runs.
 * Errors: throws `Refused` for what the code throws, and the store's failure as it is.
 */
export const lend = async (sql: PostgresSql, work: (sql: PostgresSql) => Promise<void>): Promise<void> => {
  let hasEnded = false
  const requireRunning = (): void => {
    if (hasEnded) throw new TypeError('This SQL is of no use after the transaction that it was lent for')
  }
  try {
    await work({
      query: async (text, values) => {
        requireRunning()
        return sql.query(text, values)
      },
      execute: async (text) => {
        requireRunning()
        return sql.execute(text)
      },
    })
  } catch (cause) {
    if (isOutsideWorld(cause)) throw cause
    throw new Refused('foreign code has refused a commit', { cause })
  } finally {
    hasEnded = true
  }
}

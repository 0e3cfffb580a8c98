import type { Alongside, SqlDatabase } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { type ClaimLost, ClaimTaken } from '../../kernel/claims.ts'

/**
 * Writes beside the log what a command writes before its first append, or without any: in one transaction with its claim.
 * After a crash the retry is the same command, and not one that finds the work of a stranger.
 */
export const withClaim =
  (database: SqlDatabase) =>
  <A>(alongside: Alongside | undefined, write: () => A): E.Either<ClaimLost, A> => {
    try {
      return E.right(
        database.transaction(() => {
          alongside?.(database)
          return write()
        }),
      )
    } catch (cause) {
      if (cause instanceof ClaimTaken) return E.left({ _tag: 'ClaimLost' })
      throw cause
    }
  }

import type { Alongside, Sql, SqlProgram } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { type ClaimLost, ClaimTaken } from '../../kernel/claims.ts'

/**
 * For writes of a command beside the log, before its first append or without any: does them in one transaction with its
 * claim, so that a retry after a crash is the same command.
 */
export const withClaim =
  ({ run }: Sql) =>
  async <A>(alongside: Alongside | undefined, write: SqlProgram<A>): Promise<E.Either<ClaimLost, A>> => {
    try {
      return E.right(
        await run(function* () {
          if (alongside !== undefined) yield* alongside()
          return yield* write()
        }),
      )
    } catch (cause) {
      if (cause instanceof ClaimTaken) return E.left({ _tag: 'ClaimLost' })
      throw cause
    }
  }

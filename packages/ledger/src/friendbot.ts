import type { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Agent, request } from 'undici'

/** Friendbot did not fund the account. `reason` is for the log; whether the account exists, the ledger says. */
export type FriendbotFailed = { readonly _tag: 'FriendbotFailed'; readonly reason: string }

/** Has a test network create an account, with lumens that are worth nothing. */
export type Friendbot = (account: AccountId) => TaskEither<FriendbotFailed, void>

const answerWithinMs = 30_000
const longestReason = 200
const mostBytes = 1024 * 1024

/**
 * The friendbot at an address. It answers once its payment is in a ledger, which takes seconds. A silent friendbot may have
 * funded the account all the same: read the ledger before asking again.
 * Source: Stellar docs, "Networks", Friendbot (`GET ?addr=G…`).
 */
export const friendbotAt =
  (url: string, totalMs = answerWithinMs): Friendbot =>
  (account) =>
    pipe(
      TE.tryCatch(() => askedFor(url, account, totalMs), reasonOf),
      TE.chainEitherK(({ status, text }) => (status === 200 ? E.right(undefined) : E.left(`${status} ${text}`))),
      TE.mapLeft((reason) => ({ _tag: 'FriendbotFailed', reason: reason.slice(0, longestReason) })),
    )

const askedFor = async (url: string, account: AccountId, totalMs: number) => {
  const dispatcher = new Agent({ maxResponseSize: mostBytes })
  const asked = new URL(url)
  asked.searchParams.set('addr', account)
  try {
    const { statusCode, body } = await request(asked, { dispatcher, signal: AbortSignal.timeout(totalMs) })
    return { status: statusCode, text: await body.text() }
  } finally {
    await dispatcher.destroy()
  }
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

import type { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { Agent, request } from 'undici'

/** Friendbot did not fund the account. `reason` is for the log; the ledger says whether the account exists. */
export type FriendbotFailed = { readonly _tag: 'FriendbotFailed'; readonly reason: string }

/** Has a test network create an account with worthless lumens. */
export type Friendbot = (account: AccountId) => TaskEither<FriendbotFailed, void>

const longestMs = 30_000
const longestReason = 200
const mostBytes = 1024 * 1024

/**
 * The friendbot at an address. It responds once its payment is in a ledger, which takes seconds. A silent friendbot may
 * have funded the account all the same: read the ledger before asking again.
 * Source: Stellar docs, "Networks", Friendbot (`GET ?addr=G…`).
 */
export const friendbotAt =
  (url: string, totalMs = longestMs): Friendbot =>
  (account) =>
  async () => {
    const failed = (reason: string): E.Either<FriendbotFailed, never> =>
      E.left({ _tag: 'FriendbotFailed', reason: reason.slice(0, longestReason) })
    const dispatcher = new Agent({ maxResponseSize: mostBytes })
    const address = new URL(url)
    address.searchParams.set('addr', account)
    try {
      const { statusCode, body } = await request(address, { dispatcher, signal: AbortSignal.timeout(totalMs) })
      const text = await body.text()
      return statusCode === 200 ? E.right(undefined) : failed(`${statusCode} ${text}`)
    } catch (thrown) {
      return failed(thrown instanceof Error ? thrown.message : String(thrown))
    } finally {
      await dispatcher.destroy()
    }
  }

import { type AccountId, type Environment, Merchant, type UnixMs } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { MerchantNotFound } from '../../features/settlement-account/change-assets.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { JournalEntry } from './entry.ts'
import { forEachBooked, type Visit } from './for-each-booked.ts'
import { countsAt, partRead, rangeOf } from './log-range.ts'

/** How much of the part of the log that is asked for is read, from 0 to 1; null where the store does not know. */
export type JournalProgress = (part: number | null) => void

/**
 * Entries that count from `from` on, and before `to`; null is no bound. `after` is the position of the log to go on from, 0n
 * for its start; `most` bounds how many entries are taken, `mostRead` how many events are read to find them.
 */
export type JournalRequest = {
  readonly environment: Environment
  readonly merchantId: string
  readonly from: UnixMs | null
  readonly to: UnixMs | null
  readonly after: bigint
  readonly most: number | null
  readonly mostRead: number | null
}

/** Where the next request goes on; null at the end of the log. */
export type JournalEnd = { readonly next: bigint | null }

export type JournalFailure = StoreUnavailable | MerchantNotFound | NetworkNotConfigured

/**
 * Hands over the entries of a merchant's journal, in the order of the log. Each comes from one event and the streams that
 * it names, so parts of a range make the whole, and memory does not grow with the log. Of a range with bounds it reads the part
 * of the log that can be about it, where the store can search by time.
 */
export type Journal = (
  request: JournalRequest,
  take: (entry: JournalEntry) => void | Promise<void>,
  passed?: JournalProgress,
) => TE.TaskEither<JournalFailure, JournalEnd>

export type JournalServices = Pick<Services, 'store' | 'networks' | 'clock'>

export const journal =
  (services: JournalServices): Journal =>
  (request, take, passed = () => undefined) =>
  async () => {
    const { store, clock } = services
    const { environment, merchantId, from, to, after, most, mostRead } = request
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const accounts = await accountsIn(store, environment, merchantId)
    if (E.isLeft(accounts)) return accounts
    if (accounts.right === null) return E.left({ _tag: 'MerchantNotFound' })
    const ownerOf = new Map([...accounts.right].map((account) => [account, merchantId]))
    const { setUpBalance } = network.right
    const found = await rangeOf(store, clock, environment, { from, to })
    if (E.isLeft(found)) return found
    const { last, until } = found.right
    const begin = after > found.right.after ? after : found.right.after
    const merchants = new Set([merchantId])
    const scope = { environment, setUpBalance, merchants, ownerOf, after: begin, until, mostRead }
    let taken = 0
    const visit: Visit = async ({ id, type, stream, revision, position, recordedAt }, booked) => {
      const booking = booked?.booking
      if (booking === undefined || booking.postings.length === 0) return E.right(true)
      const at = countsAt(booking, recordedAt)
      if (!isInRange(at, from, to)) return E.right(true)
      await take({ ...booking, at, merchantId, event: { id, type, stream, revision, position } })
      return E.right(++taken !== most)
    }
    const read = await forEachBooked(store, scope, visit, (at) => passed(partRead({ after: begin, last }, at)))
    return E.isLeft(read) ? read : E.right({ next: read.right })
  }

const isInRange = (at: UnixMs, from: UnixMs | null, to: UnixMs | null): boolean =>
  at >= (from ?? at) && at < (to ?? Number.POSITIVE_INFINITY)

const decode = decodedBy(Merchant)

/** The accounts that a merchant is or was paid at, by its own stream; null if there is no such merchant. */
const accountsIn = async (
  store: Services['store'],
  environment: Environment,
  merchantId: string,
): Promise<E.Either<StoreUnavailable, ReadonlySet<AccountId> | null>> => {
  const merchant = await stateOf(store)(Merchant, merchantId)
  if (E.isLeft(merchant)) return merchant
  if (merchant.right.events.length === 0) return E.right(null)
  const accounts = merchant.right.events.map(decode).flatMap((event) => {
    const isHere = event.type === 'SettlementAccountSet' && event.data.environment === environment
    return isHere ? [event.data.account] : []
  })
  return E.right(new Set(accounts))
}

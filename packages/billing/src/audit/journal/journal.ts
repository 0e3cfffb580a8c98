import { type AccountId, type Environment, Merchant, type UnixMs } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { MerchantNotFound } from '../../features/settlement-account/change-assets.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { JournalEntry } from './entry.ts'
import { forEachBooked } from './for-each-booked.ts'

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
 * it names, so parts of a range make the whole, and memory does not grow with the log.
 */
export type Journal = (
  request: JournalRequest,
  take: (entry: JournalEntry) => void | Promise<void>,
) => TE.TaskEither<JournalFailure, JournalEnd>

export type JournalServices = Pick<Services, 'store' | 'networks'>

export const journal =
  (services: JournalServices): Journal =>
  (request, take) =>
  async () => {
    const { store } = services
    const { environment, merchantId, from, to, after, most, mostRead } = request
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const accounts = await accountsIn(store, environment, merchantId)
    if (E.isLeft(accounts)) return accounts
    if (accounts.right === null) return E.left({ _tag: 'MerchantNotFound' })
    const ownerOf = new Map([...accounts.right].map((account) => [account, merchantId]))
    const { setUpBalance } = network.right
    const scope = { environment, setUpBalance, merchants: new Set([merchantId]), ownerOf, after, mostRead }
    let taken = 0
    const read = await forEachBooked(store, scope, async ({ id, type, stream, revision, position }, booked) => {
      const booking = booked?.booking
      const isTaken = booking !== undefined && booking.postings.length > 0 && isInRange(booking.at, from, to)
      if (!isTaken) return E.right(true)
      await take({ ...booking, merchantId, event: { id, type, stream, revision, position } })
      return E.right(++taken !== most)
    })
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

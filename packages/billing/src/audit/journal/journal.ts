import { setImmediate as letOthersWork } from 'node:timers/promises'
import {
  type AccountId,
  type Environment,
  LedgerTransaction,
  Merchant,
  type RecordedEvent,
  type UnixMs,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { MerchantNotFound } from '../../features/settlement-account/change-assets.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { bookEvent } from './book-event.ts'
import type { JournalEntry } from './entry.ts'
import { journalPrefixes } from './journal-facts.ts'
import { recordedValues } from './recorded-values.ts'

/**
 * Entries that count from `from` on, and before `to`; null is no bound. `after` is the position of the log to go on from, 0n
 * for its start; `most` bounds how many entries are taken.
 */
export type JournalRequest = {
  readonly environment: Environment
  readonly merchantId: string
  readonly from: UnixMs | null
  readonly to: UnixMs | null
  readonly after: bigint
  readonly most: number | null
}

/** Where the next request goes on; null at the end of the log. */
export type JournalEnd = { readonly next: bigint | null }

export type JournalFailure = StoreUnavailable | MerchantNotFound | NetworkNotConfigured

/**
 * Hands over the entries of a merchant's journal, in the order of the log. Each comes from one event and the streams that
 * it names, so parts of a range make the whole, and memory does not grow with the log. `passed` hears how far it has read.
 */
export type Journal = (
  request: JournalRequest,
  take: (entry: JournalEntry) => void | Promise<void>,
  passed?: (position: bigint) => void,
) => TE.TaskEither<JournalFailure, JournalEnd>

export type JournalServices = Pick<Services, 'store' | 'networks'>

const atOnce = 500

export const journal =
  (services: JournalServices): Journal =>
  (request, take, passed = () => undefined) =>
  async () => {
    const { store } = services
    const { environment, merchantId, from, to, after, most } = request
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const accounts = await accountsIn(store, environment, merchantId)
    if (E.isLeft(accounts)) return accounts
    if (accounts.right === null) return E.left({ _tag: 'MerchantNotFound' })
    const ownerOf = new Map([...accounts.right].map((account) => [account, merchantId]))
    const { setUpBalance } = network.right
    const facts = { store, environment, setUpBalance, ownerOf, values: recordedValues(store) }
    let [taken, read] = [0, 0]
    try {
      for await (const recorded of store.readAll(after, { streamPrefixes: journalPrefixes })) {
        const { id, type, stream, revision, position } = recorded
        if (++read % atOnce === 0) await letOthersWork()
        passed(position)
        if (!isWanted(request, recorded)) continue
        const booked = await bookEvent(facts, recorded)
        if (E.isLeft(booked)) return booked
        if (booked.right === null || booked.right.merchantId !== merchantId) continue
        const { booking } = booked.right
        if (booking.postings.length === 0 || booking.at < (from ?? booking.at) || booking.at >= (to ?? Infinity))
          continue
        await take({ ...booking, merchantId, event: { id, type, stream, revision, position } })
        if (++taken === most) return E.right({ next: position })
      }
    } catch (cause) {
      return E.left({ _tag: 'StoreUnavailable', cause })
    }
    return E.right({ next: null })
  }

/**
 * Whether an event can be of a merchant's journal. What fees were taken for may be the platform's, and a merchant's own events are about
 * both environments.
 */
const isWanted = ({ merchantId, environment }: JournalRequest, { stream, metadata }: RecordedEvent): boolean => {
  if (metadata.merchantId !== merchantId && !stream.startsWith(`${LedgerTransaction.category}-`)) return false
  return metadata.environment === environment || stream.startsWith(`${Merchant.category}-`)
}

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

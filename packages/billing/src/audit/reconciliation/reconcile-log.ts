import { type AccountId, type Environment, Payment } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type ReconcileFailure,
  type ReconcileRequest,
  type Reconciliation,
  reconcile,
} from '../../books/reconciliation/reconcile.ts'
import type { BooksServices } from '../../books/services.ts'
import { accountsOf } from '../../features/book-lines/book-lines.ts'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { epochBegan } from '../../kernel/epoch.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { networkOf } from '../../services/services.ts'
import { forEachBooked } from '../journal/for-each-booked.ts'
import type { JournalServices } from '../journal/journal.ts'
import { journalFact, subjectOf } from '../journal/journal-facts.ts'
import { partRead, rangeOf } from '../journal/log-range.ts'
import { type Claim, claimOf } from './claims.ts'
import { attachedIntents, compareHeld, heldSums, type JournalBalance, settlementPostings } from './journal-balances.ts'
import { type Forged, proveClaims } from './prove-claims.ts'

/**
 * What the log itself says, against the ledger. `balances`: what its events add up to, for each merchant and asset, unless the
 * range ends before one of the merchant's accounts began. `forged`: events that the ledger's own records do not bear out.
 * `proven` counts the incoming payments of the range that they do.
 */
export type LogProof = {
  readonly events: number
  readonly proven: number
  readonly forged: ReadonlyArray<Forged>
  readonly balances: ReadonlyArray<JournalBalance>
}

/** What the ledger and the books have in common, and what the ledger says of each incoming payment of the log. */
export type LogReconciliation = Reconciliation & { readonly log: LogProof }

/**
 * Proves the books against the ledger, and the log against both: the balances that a fold of its events explains, and each
 * incoming payment of the range by the ledger's own record of it. Rows are not asked what came in. `passed` hears how many
 * events were read, and how much of the log that is, from 0 to 1, where the store knows.
 */
export type ReconcileLog = (
  environment: Environment,
  request: ReconcileRequest,
  passed?: (events: number, part: number | null) => void,
) => TE.TaskEither<ReconcileFailure, LogReconciliation>

export const reconcileLog =
  (services: BooksServices & JournalServices): ReconcileLog =>
  (environment, request, passed = () => undefined) =>
  async () => {
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const { store, clock, readModels, left, awaitingRate } = services
    const movements: Array<Movement> = []
    const books = await reconcile(services, environment, request, (each) => void movements.push(...each))
    if (E.isLeft(books)) return books
    const { from, to, accounts } = books.right
    const merchants = await filterInTurn(
      await readModels.merchants.all(),
      async ({ id }) => id === (request.merchantId ?? id) && !(await left.has(id)),
    )
    const ownerOf = new Map<AccountId, string>(
      merchants.flatMap((merchant) =>
        accountsOf(merchant, environment).map((account) => [account, merchant.id] as const),
      ),
    )
    const ids = new Set<string>(merchants.map(({ id }) => id))
    const began = await epochBegan(readModels, environment)

    const [journal, underWay, ledger] = [heldSums(), heldSums(), heldSums()]
    const attached = attachedIntents()
    const claims: Array<Claim> = []
    const uncovered: Array<Forged> = []
    let events = 0
    const { setUpBalance } = network.right
    const scope = { environment, setUpBalance, ownerOf, merchants: ids, after: 0n, until: null, mostRead: null }
    const whole = await rangeOf(store, clock, environment, { from: null, to: null })
    if (E.isLeft(whole)) return whole
    const read = await forEachBooked(store, scope, async (recorded, booked) => {
      passed(++events, partRead(whole.right, recorded.position))
      const fact = journalFact(recorded)
      if (fact?._tag === 'intent') attached.note(subjectOf(recorded), fact.event)
      if (booked !== null && isThrough(booked.booking, to, began))
        for (const held of settlementPostings(booked.merchantId, booked.booking.postings)) journal.add(held)
      if (fact?._tag === 'payment' && fact.event.type === 'PaymentConfirmed') {
        const found = await coverOf(services, recorded)
        if (E.isLeft(found)) return found
        if (found.right !== null) uncovered.push(found.right)
      }
      const isFresh = booked?.booking.postings.some(({ account }) => account === 'settlement') ?? false
      const claim = claimOf(recorded, isFresh)
      if (claim !== null && claim.closedAt > began && claim.ledger >= from && isAsked(claim.ledger, to, request))
        claims.push(claim)
      return E.right(true)
    })
    if (E.isLeft(read)) return read
    const moved = await attached.moved(store, to)
    if (E.isLeft(moved)) return moved
    for (const held of moved.right) if (ids.has(held.merchantId)) underWay.add(held)
    for (const { merchantId, incoming } of await awaitingRate.of(environment))
      if (ids.has(merchantId) && incoming.ledger <= to) underWay.add({ merchantId, ...incoming })
    for (const { account, assetId, ledger: amount } of accounts)
      ledger.add({ merchantId: ownerOf.get(account) ?? account, assetId, amount })

    const forged = [...proveClaims(claims, movements, ownerOf), ...uncovered]
    const begun = new Set(accounts.map(({ account }) => account))
    const isWhole = (merchantId: string) =>
      [...ownerOf].every(([account, owner]) => owner !== merchantId || begun.has(account))
    const balances = compareHeld(journal, underWay, ledger).filter(({ merchantId }) => isWhole(merchantId))
    const isOk = books.right.isOk && forged.length === 0 && balances.every(({ difference }) => difference === 0n)
    const proven = claims.length - forged.filter(({ reason }) => reason !== 'not_covered').length
    return E.right({ ...books.right, isOk, log: { events, proven, forged, balances } })
  }

/** What later ledgers have moved is not compared. Ledgers before a reset of the network have numbers of their own. */
const isThrough = (
  { ledger, at }: { readonly ledger: number | null; readonly at: number },
  to: number,
  began: number,
) => ledger === null || ledger <= to || at <= began

/** Without an end of its own, a range goes on behind the last ingested ledger: nothing can have been recorded of that. */
const isAsked = (ledger: number, to: number, request: ReconcileRequest): boolean => ledger <= to || request.to === null

/** A payment that was confirmed for another amount than came in for it; null for all others. */
const coverOf = async (
  { store }: Pick<BooksServices, 'store'>,
  recorded: Parameters<typeof journalFact>[0],
): Promise<E.Either<StoreUnavailable, Forged | null>> => {
  const subject = subjectOf(recorded)
  const payment = await stateOf(store)(Payment, subject)
  if (E.isLeft(payment)) return payment
  const { state } = payment.right
  if (state.status !== 'confirmed') return E.right(null)
  const { amount, excess, transactionHash } = state.confirmation
  const came = state.incomingPayments.reduce((sum, each) => sum + each.amount, 0n)
  const { stream, revision, metadata } = recorded
  const { merchantId } = metadata
  return E.right(
    came === amount + excess ? null : { reason: 'not_covered', subject, stream, revision, merchantId, transactionHash },
  )
}

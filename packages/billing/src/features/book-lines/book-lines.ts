import {
  type AccountId,
  AssetId,
  type Environment,
  type ExceptionDetails,
  endOf,
  type LedgerSequence,
  type ReceivedFunding,
  type TransactionHash,
  type UnixMs,
} from '@quittance/domain'
import type { Found, IntentRow, MerchantRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { epochBegan } from '../../kernel/epoch.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { retrieveAnywhere, type StoreUnavailable } from '../../kernel/load.ts'
import { type SessionId, sessionModel } from '../../kernel/session-kinds.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import type { AwaitingPayment } from '../../stores/awaiting-rate.ts'
import { paidFor } from '../outgoing/paid-for.ts'
import { leftOverKey } from './left-over.ts'
import type { NameTag } from './name-counter.ts'
import type { SummedGains } from './name-movement.ts'

export const native = decodeOrThrow(AssetId, 'native')

/**
 * A change of a balance by the log: its name and `id` as in a movement's name, the amount, and where the ledger must hold
 * it. No two lines have the same `key`, and a movement's key is made in the same way.
 */
export type BookLine = {
  readonly tag: NameTag
  readonly id: string
  readonly key: string
  readonly account: AccountId
  readonly assetId: AssetId
  readonly delta: bigint
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
  /** It is the sum of several movements, the first of which the key names. */
  readonly sum?: Pick<SummedGains, 'count' | 'isOfSession'>
}

type MovementPosition = Parameters<typeof incomingPaymentName>[1] & { readonly transactionHash: TransactionHash }

export const gainKey = (environment: Environment, position: MovementPosition): string =>
  `in ${incomingPaymentName({ environment }, position)}`
export const lossKey = ({ transactionHash, operationIndex }: MovementPosition): string =>
  `out ${transactionHash}/${operationIndex}`
export const feeKey = (transactionHash: TransactionHash, account: AccountId): string =>
  `fee ${transactionHash}/${account}`
export const leftOverLineKey = (change: Parameters<typeof leftOverKey>[0]): string => `left ${leftOverKey(change)}`

export type BookLineServices = Pick<Services, 'store' | 'readModels' | 'awaitingRate'>

/** The accounts that a merchant is or was paid at in an environment, the newest last. */
export const accountsOf = ({ row }: Found<MerchantRow>, environment: Environment): ReadonlyArray<AccountId> =>
  row.watched.filter((each) => each.environment === environment).map(({ account }) => account)

/** A time of the books: what closed after `after`, and not after `until`. */
export type BookPeriod = { readonly after: number; readonly until: number }

/**
 * Every line of a merchant's books in an environment, by default since the network was last reset: what was before is gone
 * from the ledger. Costs as much as the books hold.
 */
export const bookLines = async (services: BookLineServices, environment: Environment, given?: BookPeriod) => {
  const sinceReset = async () => ({
    after: await epochBegan(services.readModels, environment),
    until: Number.POSITIVE_INFINITY,
  })
  const period = given ?? (await sinceReset())
  const isOfPeriod = ({ closedAt }: Pick<BookLine, 'closedAt'>) => closedAt > period.after && closedAt <= period.until
  const waiting = await services.awaitingRate.of(environment)
  return async (merchant: Found<MerchantRow>): Promise<E.Either<StoreUnavailable, ReadonlyArray<BookLine>>> => {
    const scope = { merchantId: merchant.id, environment }
    const accounts = accountsOf(merchant, environment)
    const newest = accounts.at(-1)
    if (newest === undefined) return E.right([])
    const lines: Array<BookLine> = [
      ...(await Array.fromAsync(funded(services, scope))),
      ...(await Array.fromAsync(unexplained(services, scope))),
      ...(await Array.fromAsync(paidOut(services, scope))),
    ].filter(isOfPeriod)
    for await (const { sessionId, exceptionId, ...gain } of gains(services, scope, waiting)) {
      if (!isOfPeriod(gain)) continue
      const known = await receivedBy(services, exceptionId)
      const account =
        known !== null || accounts.length === 1 ? E.right(known ?? newest) : await paidAt(services, sessionId, newest)
      if (E.isLeft(account)) return account
      lines.push({ ...gain, account: account.right })
    }
    return E.right(lines)
  }
}

type Reading = Pick<Services, 'readModels'>

/** `exceptionId`: the exception that it is, or was before an operator applied it to a checkout. */
type Gain = Omit<BookLine, 'account'> & { readonly sessionId: SessionId | null; readonly exceptionId: string | null }

/** Each incoming payment once: one that is too small for its session is in a payment and in an exception. */
async function* gains(
  { readModels }: Reading,
  scope: Scope,
  waiting: ReadonlyArray<AwaitingPayment>,
): AsyncGenerator<Gain> {
  const seen = new Set<string>()
  type Incoming = MovementPosition &
    Pick<ExceptionDetails, 'assetId' | 'amount' | 'ledger' | 'closedAt' | 'sum'> & { readonly exceptionId?: string }
  const gain = async (
    tag: Gain['tag'],
    id: string,
    sessionId: SessionId | null,
    incoming: Incoming,
  ): Promise<ReadonlyArray<Gain>> => {
    const key = gainKey(scope.environment, incoming)
    if (seen.has(key)) return []
    seen.add(key)
    const { assetId, amount: delta, ledger, closedAt, exceptionId = null } = incoming
    const sum =
      incoming.sum === undefined
        ? {}
        : { sum: { count: incoming.sum.count, isOfSession: await isForSession(readModels, sessionId, exceptionId) } }
    return [{ tag, id, sessionId, exceptionId, key, assetId, delta, ledger, closedAt, ...sum }]
  }
  for await (const { row } of everyRow(readModels.incomingPayments.page, scope)) {
    const { paymentId: id, incoming } = row
    const checkoutId = (await readModels.payments.withId(id))?.row.details.checkoutId ?? null
    yield* await gain('payment', id, checkoutId, incoming)
  }
  // An excess is a part of an incoming payment that its payment names.
  for await (const { id, row } of everyRow(readModels.exceptions.page, scope)) {
    const { kind, checkoutId } = row.details
    if (kind !== 'overpaid' && kind !== 'unexplained')
      yield* await gain('exception', id, checkoutId, { ...row.details, exceptionId: row.details.appliedFrom ?? id })
  }
  for (const { merchantId, incoming, sessionId } of waiting)
    if (merchantId === scope.merchantId) yield* await gain('awaiting_rate', sessionId, sessionId, incoming)
}

async function* funded({ readModels }: Reading, scope: Scope): AsyncGenerator<BookLine> {
  for await (const { id, row } of everyRow(readModels.fundings.page, scope)) {
    if (row.status === 'moved') {
      const { account, assetId, amount, direction, ledger, closedAt } = row.movement
      const delta = direction === 'loss' ? -amount : amount
      yield { tag: 'own', id, key: leftOverLineKey(row.movement), account, assetId, delta, ledger, closedAt }
    }
    if (row.status !== 'received') continue
    const { account, assetId, amount: delta, ledger, closedAt } = row.received
    const key = gainKey(scope.environment, row.received)
    yield { tag: fundingTag(row.received), id, key, account, assetId, delta, ledger, closedAt }
  }
}

/** The name of funding: the payment that created the account belongs to its set-up. */
export const fundingTag = ({ reason }: Pick<ReceivedFunding, 'reason'>): 'set_up' | 'funding' =>
  reason === 'opening' ? 'set_up' : 'funding'

async function* unexplained({ readModels }: Reading, scope: Scope): AsyncGenerator<BookLine> {
  for await (const { id, row } of everyRow(readModels.exceptions.page, scope)) {
    const { change, transactionHash, assetId, amount, ledger, closedAt } = row.details
    if (change === undefined) continue
    const { account, direction } = change
    const key = leftOverLineKey({ transactionHash, account, assetId })
    const delta = direction === 'loss' ? -amount : amount
    yield { tag: 'unexplained', id, key, account, assetId, delta, ledger, closedAt }
  }
}

/** The movements of a merchant's transactions: those of its intents, and the fees, whichever account paid them. */
async function* paidOut({ readModels }: Reading, scope: Scope): AsyncGenerator<BookLine> {
  for await (const intent of everyRow(readModels.intents.page, scope)) {
    const paid = paidFor(intent.row.details)
    const held = paid === null ? null : await heldIn(readModels, intent)
    if (paid === null || held === null) continue
    const { tag, id, account, action } = paid
    const { assetId, amount } = action
    const { ledger, closedAt } = held
    yield { tag, id, key: lossKey(held), account, assetId, delta: -amount, ledger, closedAt }
  }
  for await (const { row } of everyRow(readModels.ledgerTransactions.page, scope))
    for (const { transactionHash, feeSource: account, feeCharged, ledger } of row.fees) {
      const key = feeKey(transactionHash, account)
      // A transaction ends in the epoch in which it was prepared.
      const closedAt = row.preparedAt
      yield { tag: 'fee', id: transactionHash, key, account, assetId: native, delta: -feeCharged, ledger, closedAt }
    }
}

/** The position of an intent's movement on the ledger, even if the intent does not have its end yet. */
const heldIn = async (
  { ledgerTransactions }: Services['readModels'],
  { id, row }: Found<IntentRow>,
): Promise<(MovementPosition & Pick<BookLine, 'ledger' | 'closedAt'>) | null> => {
  const end = endOf(row)
  if (end !== null) return end._tag === 'settled' ? end : null
  const transaction = row.attachedTo === null ? null : await ledgerTransactions.withId(row.attachedTo)
  if (transaction?.row.status !== 'succeeded') return null
  const intents: ReadonlyArray<string> = transaction.row.intents
  const fee = transaction.row.fees.at(-1)
  return fee === undefined
    ? null
    : { ...fee, closedAt: transaction.row.preparedAt, operationIndex: intents.indexOf(id) }
}

/** Whether what became this entry had named a session itself, before an operator applied it to one. */
export const isForSession = async (
  readModels: Pick<Services['readModels'], 'exceptions'>,
  sessionId: string | null,
  exceptionId: string | null,
): Promise<boolean> => {
  const details = exceptionId === null ? undefined : (await readModels.exceptions.withId(exceptionId))?.row.details
  if (details === undefined) return sessionId !== null
  return isForSession(readModels, details.checkoutId, details.appliedFrom ?? null)
}

/** The account that an exception, or one that it was applied from, names as the receiver; null if none does. */
const receivedBy = async ({ readModels }: Reading, exceptionId: string | null): Promise<AccountId | null> => {
  const details = exceptionId === null ? undefined : (await readModels.exceptions.withId(exceptionId))?.row.details
  if (details === undefined) return null
  return details.account ?? (await receivedBy({ readModels }, details.appliedFrom ?? null))
}

/** The account that a checkout is paid at; without a checkout, the newest account. */
const paidAt = async (
  { store }: Pick<Services, 'store'>,
  sessionId: SessionId | null,
  newest: AccountId,
): Promise<E.Either<StoreUnavailable, AccountId>> => {
  if (sessionId === null) return E.right(newest)
  const found = await retrieveAnywhere(store)(sessionModel(sessionId), sessionId)
  if (E.isLeft(found)) return found
  return E.right(O.isSome(found.right) ? found.right.value.row.details.destination : newest)
}

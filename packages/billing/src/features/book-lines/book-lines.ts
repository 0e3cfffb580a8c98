import {
  type AccountId,
  AssetId,
  type Environment,
  type ExceptionDetails,
  endOf,
  type LedgerSequence,
  type ReceivedFunding,
  type TransactionHash,
} from '@quittance/domain'
import type { Found, IntentRow, MerchantRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { retrieveAnywhere, type StoreUnavailable } from '../../kernel/load.ts'
import { type SessionId, sessionModel } from '../../kernel/session-kinds.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import type { AwaitingPayment } from '../../stores/awaiting-rate.ts'
import { paidFor } from '../outgoing/paid-for.ts'
import { leftOverKey } from './left-over.ts'
import type { NameTag } from './named-since.ts'

export const native = decodeOrThrow(AssetId, 'native')

/**
 * What the log says that changed a balance: by what (`id` as a movement's name has it), by how much, and where the ledger
 * must hold it. `place` is the same for no two lines; that of a movement is made in the same way.
 */
export type BookLine = {
  readonly tag: NameTag
  readonly id: string
  readonly place: string
  readonly account: AccountId
  readonly assetId: AssetId
  readonly delta: bigint
  readonly ledger: LedgerSequence
}

type Place = {
  readonly transactionHash: TransactionHash
  readonly operationIndex: number | null
  readonly ordinal?: number
}
export const placeOfGain = (environment: Environment, place: Place): string =>
  `in ${incomingPaymentName({ environment }, place)}`
export const placeOfLoss = ({ transactionHash, operationIndex }: Place): string =>
  `out ${transactionHash}/${operationIndex}`
export const placeOfFee = (transactionHash: TransactionHash, account: AccountId): string =>
  `fee ${transactionHash}/${account}`
export const placeOfLeftOver = (change: Parameters<typeof leftOverKey>[0]): string => `left ${leftOverKey(change)}`

/** The accounts that a merchant is or was paid at in an environment, the newest last. */
export const accountsOf = ({ row }: Found<MerchantRow>, environment: Environment): ReadonlyArray<AccountId> =>
  row.watched.filter((each) => each.environment === environment).map(({ account }) => account)

/** Every line of a merchant's books in an environment. Costs as much as there is in them. */
export const bookLines = (services: Services, environment: Environment) => {
  const waiting = services.awaitingRate.of(environment)
  return async (merchant: Found<MerchantRow>): Promise<E.Either<StoreUnavailable, ReadonlyArray<BookLine>>> => {
    const scope = { merchantId: merchant.id, environment }
    const accounts = accountsOf(merchant, environment)
    const newest = accounts.at(-1)
    if (newest === undefined) return E.right([])
    const lines: Array<BookLine> = [
      ...funded(services, scope),
      ...unexplained(services, scope),
      ...paidOut(services, scope),
    ]
    for (const { sessionId, exceptionId, ...gain } of gains(services, scope, waiting)) {
      const known = receivedBy(services, exceptionId)
      const account =
        known !== null || accounts.length === 1 ? E.right(known ?? newest) : await paidAt(services, sessionId, newest)
      if (E.isLeft(account)) return account
      lines.push({ ...gain, account: account.right })
    }
    return E.right(lines)
  }
}

/** `exceptionId`: what it is, or was before a person had it count for a checkout. */
type Gain = Omit<BookLine, 'account'> & { readonly sessionId: SessionId | null; readonly exceptionId: string | null }

/** Each credit once: one that is too little for its session is named by a payment and by an exception. */
function* gains({ readModels }: Services, scope: Scope, waiting: ReadonlyArray<AwaitingPayment>): Generator<Gain> {
  const seen = new Set<string>()
  type Credited = Place & Pick<ExceptionDetails, 'assetId' | 'amount' | 'ledger'> & { readonly exceptionId?: string }
  const gain = (tag: Gain['tag'], id: string, sessionId: SessionId | null, credit: Credited): ReadonlyArray<Gain> => {
    const place = placeOfGain(scope.environment, credit)
    if (seen.has(place)) return []
    seen.add(place)
    const { assetId, amount: delta, ledger } = credit
    return [{ tag, id, sessionId, exceptionId: credit.exceptionId ?? null, place, assetId, delta, ledger }]
  }
  for (const { id, row } of everyRow(readModels.payments.page, scope))
    for (const credit of row.credits) yield* gain('payment', id, row.details.checkoutId, credit)
  // An excess is a part of a credit that its payment names.
  for (const { id, row } of everyRow(readModels.exceptions.page, scope)) {
    const { kind, checkoutId } = row.details
    if (kind !== 'overpaid' && kind !== 'unexplained')
      yield* gain('exception', id, checkoutId, { ...row.details, exceptionId: row.details.appliedFrom ?? id })
  }
  for (const { merchantId, incoming, sessionId } of waiting)
    if (merchantId === scope.merchantId) yield* gain('awaiting_rate', sessionId, sessionId, incoming)
}

function* funded({ readModels }: Services, scope: Scope): Generator<BookLine> {
  for (const { id, row } of everyRow(readModels.fundings.page, scope)) {
    if (row.status === 'moved') {
      const { account, assetId, amount, direction, ledger } = row.movement
      const delta = direction === 'loss' ? -amount : amount
      yield { tag: 'own', id, place: placeOfLeftOver(row.movement), account, assetId, delta, ledger }
    }
    if (row.status !== 'received') continue
    const { account, assetId, amount: delta, ledger } = row.received
    const place = placeOfGain(scope.environment, row.received)
    yield { tag: fundingTag(row.received), id, place, account, assetId, delta, ledger }
  }
}

/** By which name funding goes: what has created the account belongs to its set-up. */
export const fundingTag = ({ reason }: Pick<ReceivedFunding, 'reason'>): 'set_up' | 'funding' =>
  reason === 'opening' ? 'set_up' : 'funding'

function* unexplained({ readModels }: Services, scope: Scope): Generator<BookLine> {
  for (const { id, row } of everyRow(readModels.exceptions.page, scope)) {
    const { change, transactionHash, assetId, amount, ledger } = row.details
    if (change === undefined) continue
    const { account, direction } = change
    const place = placeOfLeftOver({ transactionHash, account, assetId })
    const delta = direction === 'loss' ? -amount : amount
    yield { tag: 'unexplained', id, place, account, assetId, delta, ledger }
  }
}

/** All that a merchant's transactions have moved: what its intents wanted, and the fees that ledgers took, from whomever. */
function* paidOut({ readModels }: Services, scope: Scope): Generator<BookLine> {
  for (const intent of everyRow(readModels.intents.page, scope)) {
    const paid = paidFor(intent.row.details)
    const held = paid === null ? null : heldIn(readModels, intent)
    if (paid === null || held === null) continue
    const { tag, id, account, action } = paid
    const { assetId, amount } = action
    yield { tag, id, place: placeOfLoss(held), account, assetId, delta: -amount, ledger: held.ledger }
  }
  for (const { row } of everyRow(readModels.ledgerTransactions.page, scope))
    for (const { transactionHash, feeSource: account, feeCharged, ledger } of row.fees) {
      const place = placeOfFee(transactionHash, account)
      yield { tag: 'fee', id: transactionHash, place, account, assetId: native, delta: -feeCharged, ledger }
    }
}

/** Where a ledger holds what an intent wanted, also while the intent has not been told. */
const heldIn = (
  { ledgerTransactions }: Services['readModels'],
  { id, row }: Found<IntentRow>,
): (Place & Pick<BookLine, 'ledger'>) | null => {
  const end = endOf(row)
  if (end !== null) return end._tag === 'settled' ? end : null
  const transaction = row.attachedTo === null ? null : ledgerTransactions.withId(row.attachedTo)
  if (transaction?.row.status !== 'succeeded') return null
  const intents: ReadonlyArray<string> = transaction.row.intents
  const fee = transaction.row.fees.at(-1)
  return fee === undefined ? null : { ...fee, operationIndex: intents.indexOf(id) }
}

/** The account that an exception says has received it, also through those that it was applied from; null where none does. */
const receivedBy = ({ readModels }: Pick<Services, 'readModels'>, exceptionId: string | null): AccountId | null => {
  const details = exceptionId === null ? undefined : readModels.exceptions.withId(exceptionId)?.row.details
  if (details === undefined) return null
  return details.account ?? receivedBy({ readModels }, details.appliedFrom ?? null)
}

/** The account that a checkout is paid at; what no checkout names counts for the newest account. */
const paidAt = async (
  { store }: Services,
  sessionId: SessionId | null,
  newest: AccountId,
): Promise<E.Either<StoreUnavailable, AccountId>> => {
  if (sessionId === null) return E.right(newest)
  const found = await retrieveAnywhere(store)(sessionModel(sessionId), sessionId)
  return E.map(
    O.match(
      () => newest,
      ({ row }: { row: { details: { destination: AccountId } } }) => row.details.destination,
    ),
  )(found)
}

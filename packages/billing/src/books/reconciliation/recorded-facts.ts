import { type AssetId, endOf, type IncomingPaymentSum, intentAt } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import { incomingPaymentKey } from '@quittance/projections'
import { fundingTag, isForSession } from '../../features/book-lines/book-lines.ts'
import type { MovementName, NamingFacts } from '../../features/book-lines/name-movement.ts'
import { bookedFunding } from '../../features/funding/booked-funding.ts'
import { paidFor } from '../../features/outgoing/paid-for.ts'
import { intentPaidBy } from '../../features/own-account/paid-by-hand.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { isIn } from '../../kernel/load.ts'
import type { Owners } from '../../services/owners.ts'
import { sessionIn } from '../../services/payable-named.ts'
import type { Services } from '../../services/services.ts'

/** The position of a gain, in the form of an incoming payment. */
export const positionOf = ({ transactionHash, operationIndex, ordinal }: Movement) => ({
  transactionHash,
  operationIndex,
  ...(ordinal === 0 ? {} : { ordinal }),
})

/** The session that a movement's memo names. */
export const sessionCalled =
  (readModels: Services['readModels']) =>
  async ({ memo }: Movement): Promise<string | null> =>
    memo._tag === 'text' ? await sessionIn(readModels, memo.value) : null

/** An incoming payment, or a sum of several, that is recorded. `isOfSession`: it named a session. */
type Entry = {
  readonly name: MovementName
  readonly assetId: AssetId
  readonly amount: bigint
  readonly sum?: IncomingPaymentSum
  readonly isOfSession: () => Promise<boolean>
}

/**
 * Answers from the read models, with a few indexed queries for each movement, so that the cost depends neither on the number
 * of watched accounts nor on the size of the log.
 */
export const recordedFacts = (
  services: Pick<Services, 'readModels' | 'awaitingRate'>,
  ownerOf: Owners,
): NamingFacts => {
  const { readModels } = services
  const known = new Map<Movement, ReadonlyArray<Entry>>()
  const entriesOf = async (movement: Movement): Promise<ReadonlyArray<Entry>> => {
    const entries = known.get(movement) ?? (await Array.fromAsync(entriesAt(services, ownerOf, movement)))
    known.set(movement, entries)
    return entries
  }
  return {
    isSetUp: async ({ account, ledger }) => ledger <= ((await ownerOf(account))?.setUpThrough ?? 0),

    creditedTo: async (movement) => {
      const isThis = ({ assetId, amount, sum }: Entry) =>
        sum === undefined && assetId === movement.assetId && amount === movement.delta
      return (await entriesOf(movement)).find(isThis)?.name ?? null
    },

    summedFrom: async (movement) => {
      const isSum = ({ assetId, sum }: Entry) => sum !== undefined && assetId === movement.assetId
      const entry = (await entriesOf(movement)).find(isSum)
      if (entry?.sum === undefined) return null
      const { name, amount, sum } = entry
      return { name, amount, count: sum.count, isOfSession: await entry.isOfSession(), found: () => undefined }
    },

    sessionOf: sessionCalled(readModels),

    paidOutFor: async (movement) => {
      const { account, operationIndex, assetId, delta, counterparty } = movement
      const transaction = await transactionOf(readModels, movement)
      if (transaction === null) return paidByHand(readModels, ownerOf, movement)
      const intentId = operationIndex === null ? null : intentAt(transaction.row, operationIndex)
      const intent = intentId === null ? null : await readModels.intents.withId(intentId)
      if (intent === null || !isIn(transaction, intent)) return null
      const paid = paidFor(intent.row.details)
      if (paid === null) return null
      const { tag, id, account: source, action } = paid
      const isThis =
        source === account &&
        action.assetId === assetId &&
        action.amount === -delta &&
        counterparty?._tag === 'account' &&
        counterparty.account === action.destination
      return isThis ? { _tag: tag, id } : null
    },

    feeFor: async (movement) => {
      const transaction = await transactionOf(readModels, movement)
      const isOurs = transaction?.row.fees.some(
        ({ transactionHash, feeSource }) =>
          transactionHash === movement.transactionHash && feeSource === movement.account,
      )
      return isOurs === true ? { _tag: 'fee', id: movement.transactionHash } : null
    },
  }
}

/** What is recorded of the incoming payment at a movement's place, or of a sum that begins there. */
async function* entriesAt(
  { readModels, awaitingRate }: Pick<Services, 'readModels' | 'awaitingRate'>,
  ownerOf: Owners,
  movement: Movement,
): AsyncGenerator<Entry, undefined> {
  const owner = await ownerOf(movement.account)
  if (owner === null) return
  const position = positionOf(movement)
  for (const found of await readModels.incomingPayments.withKey(incomingPaymentKey(position))) {
    const { paymentId: id, incoming } = found.row
    const isOfSession = () => isForSession(readModels, id, incoming.exceptionId ?? null)
    if (isIn(owner, found)) yield { name: { _tag: 'payment', id }, ...incoming, isOfSession }
  }
  for (const found of await readModels.exceptions.withKey(incomingPaymentKey(position))) {
    const { id, row } = found
    const { details } = row
    // What an operator has applied is counted as what it was before.
    if (!isIn(owner, found) || details.change !== undefined || details.appliedFrom !== undefined) continue
    yield { name: { _tag: 'exception', id }, ...details, isOfSession: async () => details.checkoutId !== null }
  }
  const funding = await bookedFunding(readModels, owner, position)
  if (funding !== null)
    yield {
      name: { _tag: fundingTag(funding.received), id: funding.id },
      ...funding.received,
      isOfSession: async () => false,
    }
  const waiting = await awaitingRate.named(incomingPaymentName(owner, position))
  if (waiting !== null)
    yield { name: { _tag: 'awaiting_rate', id: waiting.sessionId }, ...waiting.incoming, isOfSession: async () => true }
}

/** The payment that a merchant made from its own account, if it settled an intent. */
const paidByHand = async (
  readModels: Services['readModels'],
  ownerOf: Owners,
  movement: Movement,
): Promise<MovementName | null> => {
  const owner = await ownerOf(movement.account)
  const intent = owner === null ? null : await intentPaidBy(readModels, owner, movement)
  const paid = intent === null ? null : paidFor(intent.row.details)
  const end = intent === null ? null : endOf(intent.row)
  const isThis =
    end?._tag === 'settled' &&
    end.transactionHash === movement.transactionHash &&
    end.operationIndex === movement.operationIndex
  return paid !== null && isThis ? { _tag: paid.tag, id: paid.id } : null
}

/** Our transaction that holds a movement, once its ledger is recorded. */
const transactionOf = async (
  { ledgerTransactions }: Services['readModels'],
  { transactionHash, innerHash }: Pick<Movement, 'transactionHash' | 'innerHash'>,
) => {
  const found = await ledgerTransactions.withId(innerHash ?? transactionHash)
  const isHeld = found?.row.fees.some((fee) => fee.transactionHash === transactionHash)
  return isHeld === true ? found : null
}

import { type Environment, ExceptionKind, endOf, InvoiceId } from '@quittance/domain'
import type { IngestedLedger, Movement } from '@quittance/ledger'
import { intentAt } from '@quittance/projections'
import { fundingTag } from '../../features/book-lines/book-lines.ts'
import type { MovementName, NamingFacts } from '../../features/book-lines/name-movement.ts'
import { chargeOf } from '../../features/charges/place-charge.ts'
import { bookedFunding } from '../../features/funding/booked-funding.ts'
import { paidFor } from '../../features/outgoing/paid-for.ts'
import { intentPaidBy } from '../../features/own-account/paid-by-hand.ts'
import { openingOf } from '../../features/payments/open-exception.ts'
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

const kinds = Object.keys(ExceptionKind.keys).filter((kind) => ExceptionKind.is(kind))

/**
 * Answers from the read models, with a few indexed queries for each movement, so that the cost depends neither on the number
 * of watched accounts nor on the size of the log.
 */
export const recordedFacts = (
  { readModels, awaitingRate }: Pick<Services, 'readModels' | 'awaitingRate'>,
  environment: Environment,
  ownerOf: Owners,
  mandates: IngestedLedger['mandates'],
): NamingFacts => ({
  isSetUp: ({ account, ledger }) => ledger <= (ownerOf(account)?.setUpThrough ?? 0),

  creditedTo: (movement) => {
    const owner = ownerOf(movement.account)
    if (owner === null) return null
    const name = incomingPaymentName({ environment }, positionOf(movement))
    const isThis = (money: { readonly assetId: string; readonly amount: bigint }) =>
      money.assetId === movement.assetId && money.amount === movement.delta
    const charge = chargeOf({ mandates }, positionOf(movement))
    // A renewal names its payment; the first charge of a mandate names its checkout.
    const renewal = charge === null ? null : readModels.payments.withId(charge.reference)
    const sales = [...saleNamed(readModels, charge?.reference ?? ''), ...namedSales(readModels, movement)]
    const payments = [renewal, ...sales.flatMap((sale) => readModels.payments.withKey(sale))]
    const payment = payments
      .filter((found) => found !== null && isIn(owner, found))
      .find((found) =>
        found?.row.incomingPayments.some((each) => incomingPaymentName({ environment }, each) === name && isThis(each)),
      )
    if (payment) return { _tag: 'payment', id: payment.id }
    for (const kind of kinds) {
      const { id } = openingOf(owner, name, kind, movement.closedAt)
      const found = readModels.exceptions.withId(id)
      if (found !== null && isIn(owner, found) && isThis(found.row.details)) return { _tag: 'exception', id }
    }
    const funding = bookedFunding(readModels, owner, positionOf(movement))
    if (funding !== null && isThis(funding.received)) return { _tag: fundingTag(funding.received), id: funding.id }
    const waiting = awaitingRate.named(name)
    return waiting === null || !isThis(waiting.incoming) ? null : { _tag: 'awaiting_rate', id: waiting.sessionId }
  },

  paidOutFor: (movement) => {
    const { account, operationIndex, assetId, delta, counterparty } = movement
    const transaction = transactionOf(readModels, movement)
    if (transaction === null) return paidByHand(readModels, ownerOf, movement)
    const intentId = operationIndex === null ? undefined : intentAt(transaction.row, operationIndex)
    const intent = intentId === undefined ? null : readModels.intents.withId(intentId)
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

  feeFor: (movement) => {
    const transaction = transactionOf(readModels, movement)
    const isOurs = transaction?.row.fees.some(
      ({ transactionHash, feeSource }) =>
        transactionHash === movement.transactionHash && feeSource === movement.account,
    )
    return isOurs === true ? { _tag: 'fee', id: movement.transactionHash } : null
  },
})

/** The payment that a merchant made from its own account, if it settled an intent. */
const paidByHand = (readModels: Services['readModels'], ownerOf: Owners, movement: Movement): MovementName | null => {
  const owner = ownerOf(movement.account)
  const intent = owner === null ? null : intentPaidBy(readModels, owner, movement)
  const paid = intent === null ? null : paidFor(intent.row.details)
  const end = intent === null ? null : endOf(intent.row)
  const isThis =
    end?._tag === 'settled' &&
    end.transactionHash === movement.transactionHash &&
    end.operationIndex === movement.operationIndex
  return paid !== null && isThis ? { _tag: paid.tag, id: paid.id } : null
}

/**
 * The ids under which a movement's payments are indexed: of a checkout or, for an invoice, of its subscription. The movement
 * names them by its memo or by a transaction that a checkout has announced.
 */
const namedSales = (
  readModels: Services['readModels'],
  { memo, transactionHash, innerHash }: Movement,
): ReadonlyArray<string> => {
  const named = saleNamed(readModels, memo._tag === 'text' ? memo.value : '')
  if (named.length > 0) return named
  const hashes = innerHash === null ? [transactionHash] : [transactionHash, innerHash]
  return hashes.flatMap((hash) => readModels.checkouts.withKey(hash).map((found) => found.id))
}

const saleNamed = (readModels: Services['readModels'], name: string): ReadonlyArray<string> => {
  const id = sessionIn(readModels, name)
  if (id === null) return []
  return [InvoiceId.is(id) ? (readModels.subscriptionNames.withId(id)?.row.subscriptionId ?? '') : id]
}

/** Our transaction that holds a movement, once its ledger is recorded. */
const transactionOf = (
  { ledgerTransactions }: Services['readModels'],
  { transactionHash, innerHash }: Pick<Movement, 'transactionHash' | 'innerHash'>,
) => {
  const found = ledgerTransactions.withId(innerHash ?? transactionHash)
  const isHeld = found?.row.fees.some((fee) => fee.transactionHash === transactionHash)
  return isHeld === true ? found : null
}

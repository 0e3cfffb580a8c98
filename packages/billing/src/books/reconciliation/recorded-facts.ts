import { CheckoutId, type Environment, ExceptionKind, endOf, InvoiceId } from '@quittance/domain'
import type { IngestedLedger, Movement } from '@quittance/ledger'
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
import type { Services } from '../../services/services.ts'

/** The place of a gain as a credit has it. */
export const creditPlace = ({ transactionHash, operationIndex, ordinal }: Movement) => ({
  transactionHash,
  operationIndex,
  ...(ordinal === 0 ? {} : { ordinal }),
})

const kinds = Object.keys(ExceptionKind.keys).filter((kind) => ExceptionKind.is(kind))

/**
 * What the read models say of a movement, by a few indexed questions each: its cost depends neither on how many accounts
 * are watched nor on how much is recorded.
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
    const name = incomingPaymentName({ environment }, creditPlace(movement))
    const isThis = (credit: { readonly assetId: string; readonly amount: bigint }) =>
      credit.assetId === movement.assetId && credit.amount === movement.delta
    const charge = chargeOf({ mandates }, creditPlace(movement))
    // A renewal names its payment; the first charge of a mandate its checkout, whoever has sent that.
    const charged =
      charge === null
        ? []
        : [readModels.payments.withId(charge.reference), ...readModels.payments.withKey(charge.reference)]
    const payments = [
      ...charged,
      ...namedSales(readModels, movement).flatMap((sale) => readModels.payments.withKey(sale)),
    ]
    const payment = payments
      .filter((found) => found !== null && isIn(owner, found))
      .find((found) =>
        found?.row.credits.some((each) => incomingPaymentName({ environment }, each) === name && isThis(each)),
      )
    if (payment) return { _tag: 'payment', id: payment.id }
    for (const kind of kinds) {
      const { id } = openingOf(owner, name, kind, movement.closedAt)
      const found = readModels.exceptions.withId(id)
      if (found !== null && isIn(owner, found) && isThis(found.row.details)) return { _tag: 'exception', id }
    }
    const funding = bookedFunding(readModels, owner, creditPlace(movement))
    if (funding !== null && isThis(funding.received)) return { _tag: fundingTag(funding.received), id: funding.id }
    const waiting = awaitingRate.named(name)
    return waiting === null || !isThis(waiting.incoming) ? null : { _tag: 'awaiting_rate', id: waiting.sessionId }
  },

  paidOutFor: (movement) => {
    const { account, operationIndex, assetId, delta, counterparty } = movement
    const transaction = transactionOf(readModels, movement)
    const intentId = operationIndex === null ? undefined : transaction?.row.intents[operationIndex]
    const intent = intentId === undefined ? null : readModels.intents.withId(intentId)
    if (transaction === null) return paidByHand(readModels, ownerOf, movement)
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

/** What the merchant has paid from an account of its own, and what was settled by this very payment. */
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
 * What the payments of a credit may be found by: a checkout or, of an invoice, the subscription, named by its memo or by having
 * announced its transaction.
 */
const namedSales = (
  { checkouts, subscriptionNames }: Services['readModels'],
  { memo, transactionHash, innerHash }: Movement,
): ReadonlyArray<string> => {
  const name = memo._tag === 'text' ? memo.value : ''
  if (CheckoutId.is(name)) return [name]
  if (InvoiceId.is(name)) return [subscriptionNames.withId(name)?.row.subscriptionId ?? '']
  const hashes = innerHash === null ? [transactionHash] : [transactionHash, innerHash]
  return hashes.flatMap((hash) => checkouts.withKey(hash).map((found) => found.id))
}

/** The transaction of ours that a movement is in, once a closed ledger is recorded to hold it. */
const transactionOf = (
  { ledgerTransactions }: Services['readModels'],
  { transactionHash, innerHash }: Pick<Movement, 'transactionHash' | 'innerHash'>,
) => {
  const found = ledgerTransactions.withId(innerHash ?? transactionHash)
  const isHeld = found?.row.fees.some((fee) => fee.transactionHash === transactionHash)
  return isHeld === true ? found : null
}

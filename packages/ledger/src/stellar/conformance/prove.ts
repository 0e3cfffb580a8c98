import type { TransactionHash } from '@quittance/domain'
import type { ClosedLedger } from '../../gateway.ts'
import type { IncomingPayment } from '../../incoming-payment.ts'
import { feeLine, memoText, paymentLine } from './payment-facts.ts'
import type { KnownPart } from './stated-payments.ts'
import type { Witness } from './witness.ts'

export const everyone = { has: () => true }

export const lineName = (...parts: ReadonlyArray<string | number>): string => parts.join(' ')

const factsOf = (payment: IncomingPayment): string => {
  const { operationIndex, kind, from, fromMuxedId, fromContract, destination, muxedId, assetId, amount, memo } = payment
  return paymentLine(
    {
      operation: operationIndex,
      kind,
      from: { account: from, muxedId: fromMuxedId },
      fromContract,
      to: { account: destination, muxedId },
      asset: assetId,
      amount,
    },
    { memo: memoText(memo._tag, memo._tag === 'none' ? '' : memo.value), innerHash: payment.innerHash ?? null },
  )
}

/** The lines that only one of two lists has, as often as it has them more often. */
const unmatched = (ours: ReadonlyArray<string>, theirs: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...theirs]
  const extra = ours.filter((line) => {
    const place = left.indexOf(line)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
  return [...extra.map((line) => `found ${line}`), ...left.map((line) => `not found ${line}`)]
}

type Found = { readonly payments: number; readonly contradictions: ReadonlyArray<string> }

/** What is known of the balance changes of a transaction. */
export type PartOf = (transactionHash: string) => KnownPart

/** Compares the payments and fees of every transaction, and what the ledger says of itself. */
export const provenBy = (witness: Witness, ledger: ClosedLedger, sequence: number, part: PartOf): Found => {
  const payments = ledger.incomingPaymentsTo(everyone)
  const movements = ledger.movementsOf(everyone)
  const ofLedger = unmatched(
    [`ledger ${ledger.sequence} ${ledger.hash} closed at ${ledger.closedAt}`],
    [`ledger ${sequence} ${witness.hash} closed at ${witness.closedAt}`],
  )
  const names = payments.map(({ transactionHash, operationIndex, ordinal = 0 }) =>
    lineName(transactionHash, operationIndex, ordinal),
  )
  const repeated = names.filter((name, place) => names.indexOf(name) < place).map((name) => `found twice: ${name}`)
  const elsewhere = [...payments, ...movements]
    .filter((each) => each.ledger !== sequence || each.closedAt !== witness.closedAt)
    .map(({ transactionHash }) => `${transactionHash} found in another ledger`)
  const known = new Set(witness.transactions.map(({ hash }) => hash))
  const strange = payments.filter((each) => !known.has(each.transactionHash)).map((each) => `found ${factsOf(each)}`)
  const ofTransactions = witness.transactions.flatMap(({ hash, fees, payments: stated }) => {
    const isOf = (each: { readonly transactionHash: TransactionHash }): boolean => each.transactionHash === hash
    const ours = [
      ...payments.filter(isOf).map(factsOf),
      ...movements
        .filter((each) => isOf(each) && each.operationIndex === null)
        .map(({ _tag, account, delta }) => feeLine(_tag, account, delta)),
    ]
    return unmatched(ours, [...fees, ...stated(part(hash))]).map((line) => `${hash} ${line}`)
  })
  return {
    payments: payments.length,
    contradictions: [...ofLedger, ...repeated, ...elsewhere, ...strange, ...ofTransactions],
  }
}

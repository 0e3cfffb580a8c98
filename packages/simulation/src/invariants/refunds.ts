import { fold } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { type ExceptionDetails, endedAs, LedgerTransaction, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import {
  forgottenPayments,
  type Invariant,
  ledgersOf,
  mismatches,
  rotationFees,
  type Settled,
  settledIntents,
  wronglyPaid,
} from './invariant.ts'

/** How the ledger should show a transaction of ours, by its recorded end. */
const foundAs = { withdrawn: 'NotFound', dead: 'NotFound', succeeded: 'Succeeded', failed: 'Failed' } as const

/** Outgoing money by our intents and by the ledger: each movement's position, asset, amount and payee. */
const outgoing = async (settled: Settled) => {
  const watched = new Set([settled.fixture.account])
  const fees = await rotationFees(settled, settled.fixture.account)
  const onLedger = (await ledgersOf(settled))
    .flatMap((ledger) => ledger.movementsOf(watched))
    .flatMap(({ transactionHash, operationIndex, assetId, delta, counterparty }) => {
      if (operationIndex === null && fees.has(transactionHash)) return []
      const payee = counterparty?._tag === 'account' ? counterparty.account : null
      return delta < 0n ? [`${transactionHash}/${operationIndex} ${assetId} ${-delta} ${payee}`] : []
    })
  const settledOnes = (await settledIntents(settled)).map(({ place, details: { action } }) => ({ ...place, ...action }))
  const ours = [...settledOnes, ...(await forgottenPayments(settled))].map(
    ({ transactionHash, operationIndex, assetId, amount, destination }) =>
      `${transactionHash}/${operationIndex} ${assetId} ${amount} ${destination}`,
  )
  return { onLedger: onLedger.sort(), ours: ours.sort() }
}

/** Whether an exception concerns the payment's own money; other money is only named with it. */
const isOfPayment = async (
  { services }: Settled,
  { paymentId, transactionHash, operationIndex, ordinal }: ExceptionDetails,
): Promise<boolean> =>
  paymentId !== null &&
  (await services.readModels.payments.withId(paymentId))?.row.incomingPayments.some(
    (credit) =>
      credit.transactionHash === transactionHash &&
      credit.operationIndex === operationIndex &&
      credit.ordinal === ordinal,
  ) === true

export const refundRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every outgoing movement has exactly one settled intent, or is one that a restored log names as forgotten, and every settled intent has its movement',
    broken: async (settled) => {
      const { onLedger, ours } = await outgoing(settled)
      return mismatches('our intents', ours, onLedger)
    },
  },
  {
    rule: 'a payment is refunded at most once and by no more than was paid, and every refund has ended',
    broken: async (settled) => {
      const { readModels } = settled.services
      const refunds = await readModels.refunds.all()
      const twice = (await readModels.payments.all()).flatMap(({ id, row }) => {
        const own = refunds.filter(({ row }) => row.status === 'succeeded' && row.details.paymentId === id)
        const sum = own.reduce((total, { row }) => total + row.details.amount, 0n)
        return own.length > 1 || sum > (row.status === 'confirmed' ? row.confirmation.amount : 0n)
          ? [`${id} is refunded ${own.length} times`]
          : []
      })
      return [...(await wronglyPaid(settled, refunds)), ...twice]
    },
  },
  {
    rule: 'an exception returns its money exactly when it says so, and at most once',
    broken: async (settled) => {
      const owners = (await settledIntents(settled)).map(({ details }) => `${details.owner}`)
      return (await settled.services.readModels.exceptions.all()).flatMap(({ id, row: { moneyReturn, returnEnd } }) => {
        const times = owners.filter((owner) => owner === moneyReturn?.returnId).length
        const isReturned = returnEnd?._tag === 'returned'
        return times === (isReturned ? 1 : 0) ? [] : [`${id} was returned ${times} times`]
      })
    },
  },
  {
    rule: 'refunds and returns of a payment add up to no more than was paid',
    broken: async (settled) => {
      const { refunds, exceptions, payments } = settled.services.readModels
      const paymentOf = new Map<string, string | null>()
      for (const { id, row } of await refunds.all()) paymentOf.set(id, row.details.paymentId)
      for (const { row } of await exceptions.all())
        if (row.moneyReturn !== null && (await isOfPayment(settled, row.details)))
          paymentOf.set(row.moneyReturn.returnId, row.details.paymentId)
      const out = new Map<string, bigint>()
      for (const { details } of await settledIntents(settled)) {
        const paymentId = paymentOf.get(details.owner) ?? ''
        out.set(paymentId, (out.get(paymentId) ?? 0n) + details.action.amount)
      }
      return (await payments.all()).flatMap(({ id, row }) => {
        const came = row.incomingPayments.reduce((sum, { amount }) => sum + amount, 0n)
        const left = out.get(id) ?? 0n
        return row.status === 'confirmed' && left > came ? [`${id} received ${came} and returned ${left}`] : []
      })
    },
  },
  {
    rule: 'every transaction of ours is closed and ended as the ledger shows; every intent has ended and is reported to its owner',
    broken: async ({ services, network }) => {
      const open = (await services.readModels.intents.all()).filter(({ row }) => row.status !== 'reported')
      const wrong = open.map(({ id, row }) => `${id} is ${row.status}`)
      for (const { id, row } of await services.readModels.ledgerTransactions.all()) {
        const { events } = await done(services.store.readStream(`${LedgerTransaction.category}-${id}`))
        const state = fold(LedgerTransaction, events)
        const found = await done(network.gateway.lookUp(decoded(TransactionHash, id)))
        const expected = state.status === 'closed' ? foundAs[endedAs(state.end)] : null
        if (found._tag !== expected) wrong.push(`${id} is ${row.status}, but ${found._tag} on the ledger`)
      }
      return wrong
    },
  },
]

import type { rpc, Transaction, xdr } from '@stellar/stellar-sdk'
import { mandateNetwork } from './mandate-network.ts'
import type { Benchmark, Report } from './report.ts'

/** More charges than fit into one transaction on any known network. */
const customers = 30

const declaredBy = (transaction: Transaction): xdr.SorobanTransactionData => {
  const envelope = transaction.toEnvelope()
  if (envelope.type !== 'envelopeTypeTx' || envelope.v1.tx.ext.type !== 'sorobanData')
    throw new Error('not a contract call')
  return envelope.v1.tx.ext.sorobanData
}

/** A transaction's declared and charged resources: its fee without the inclusion fee, in stroops. */
const costsOf = (transaction: Transaction, found: rpc.Api.GetSuccessfulTransactionResponse): Report => {
  const { resources, resourceFee } = declaredBy(transaction)
  const { readOnly, readWrite } = resources.footprint
  const ext = found.resultMetaXdr.type === 'v4' ? found.resultMetaXdr.v4.sorobanMeta?.ext : undefined
  if (ext?.type !== 'v1') throw new Error('the meta names no charged fees')
  const { totalNonRefundableResourceFeeCharged, totalRefundableResourceFeeCharged, rentFeeCharged } = ext.v1
  return {
    'entries read': readOnly.length + readWrite.length,
    'entries written': readWrite.length,
    instructions: resources.instructions,
    'bytes written': resources.writeBytes,
    'event bytes': found.events.contractEventsXdr.flat().reduce((sum, event) => sum + event.toXdr().length, 0),
    'transaction bytes': transaction.toEnvelope().toXdr().length,
    'stroops offered for resources': Number(resourceFee),
    'stroops charged for resources': Number(totalNonRefundableResourceFeeCharged + totalRefundableResourceFeeCharged),
    'stroops thereof for rent': Number(rentFeeCharged),
  }
}

const named = (name: string, costs: Report): Report =>
  Object.fromEntries(Object.entries(costs).map(([figure, value]) => [`${name}: ${figure}`, value]))

/**
 * Costs of enrolment and charges in the sandbox, alone and batched up to the limit. Instructions follow the sandbox's
 * fixed table with a simulation's margin; all else is as on a network with the same settings.
 */
export const mandateCosts: Benchmark = async () => {
  const network = await mandateNetwork()
  try {
    const enrolments: Array<Report> = []
    const mandates: Array<Uint8Array> = []
    for (let number = 1; number <= customers; number++) {
      const transaction = await network.enrolment(number)
      const found = await network.sent(transaction)
      if (found?.returnValue?.type !== 'scvBytes') throw new Error('the enrolment failed')
      enrolments.push(costsOf(transaction, found))
      mandates.push(found.returnValue.bytes.value)
    }

    const chargeOf = (mandate: Uint8Array, period_start: bigint) => ({
      mandate: Buffer.from(mandate),
      period_start,
      amount: 10_000_000n,
      reference: Buffer.from(`payment_${period_start}`),
    })
    const tried = async (name: string, args: object): Promise<Report | null> => {
      const transaction = await network.prepared(name, args)
      const found = await network.sent(transaction)
      return found === null ? null : costsOf(transaction, found)
    }
    const batchOf = async (batch: ReadonlyArray<Uint8Array>): Promise<Report | null> => {
      const day = await network.nextDay()
      const charges = batch.map((mandate) => chargeOf(mandate, day))
      return tried('charge_many', { operator: network.operator.publicKey(), charges })
    }
    const largest = async (count: number): Promise<{ readonly count: number; readonly costs: Report }> => {
      const costs = await batchOf(mandates.slice(0, count))
      return costs === null ? largest(count - 1) : { count, costs }
    }

    const [mandate] = mandates
    if (mandate === undefined) throw new Error('the enrolment failed')
    const first = await tried('charge', chargeOf(mandate, await network.nextDay()))
    for (let at = 1; at < customers; at += 10) await batchOf(mandates.slice(at, at + 10))
    const alone = await tried('charge', chargeOf(mandate, await network.nextDay()))
    const [one, ten] = [await batchOf(mandates.slice(0, 1)), await batchOf(mandates.slice(0, 10))]
    const most = await largest(customers)
    if (first === null || alone === null || one === null || ten === null) throw new Error('a charge has failed')
    return {
      ...named('create', enrolments[1] ?? {}),
      ...named("a mandate's first charge", first),
      ...named('charge', alone),
      ...named('charge_many of 1', one),
      ...named('charge_many of 10', ten),
      ...named(`charge_many of ${most.count}, the maximum`, most.costs),
    }
  } finally {
    await network.close()
  }
}

import { stroops } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import type { CallLimits, Simulation } from '../../simulation.ts'

type Simulated = Extract<Simulation, { _tag: 'Simulated' }>

/**
 * How much a classic entry may grow before the ledger that applies the call. A trustline: its extensions and a sponsor.
 * An account, beside those: twenty signers, each of a signed payload and with a sponsor, a home domain, an inflation
 * destination; and what it costs to read them.
 * Source: Stellar-ledger-entries.x.
 */
const trustlineBytes = 80
const accountBytes = 3_200
const accountInstructions = 250_000

const growthOf = (keys: ReadonlyArray<xdr.LedgerKey>) => {
  const count = (type: xdr.LedgerKey['type']): number => keys.filter((key) => key.type === type).length
  return {
    bytes: count('account') * accountBytes + count('trustline') * trustlineBytes,
    instructions: count('account') * accountInstructions,
  }
}

const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

/**
 * Declares more than a simulation found to be needed, so that no customer can make a call fail for everybody by letting an
 * entry grow in its ledger, as an offer, a signer or a sponsor does: nodes leave no room for that. What is declared is paid.
 */
export const withRoomToGrow = (simulation: Simulated, { rates }: Pick<CallLimits, 'rates'>): Simulated => {
  const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData, 'base64')
  const { footprint, ...found } = data.resources
  const written = growthOf(footprint.readWrite)
  const read = growthOf([...footprint.readOnly, ...footprint.readWrite])
  const resources = new xdr.SorobanResources({
    footprint,
    instructions: found.instructions + read.instructions,
    diskReadBytes: found.diskReadBytes + read.bytes,
    writeBytes: found.writeBytes + written.bytes,
  })
  const fee =
    divideUp(BigInt(read.instructions) * rates.per10kInstructions, 10_000n) +
    divideUp(BigInt(read.bytes) * rates.perDiskRead1Kb, 1_024n) +
    divideUp(BigInt(written.bytes) * rates.perWrite1Kb, 1_024n)
  return {
    ...simulation,
    transactionData: new xdr.SorobanTransactionData({ ...data, resources }).toXdr('base64'),
    minResourceFee: stroops(simulation.minResourceFee + fee),
    resources: {
      ...simulation.resources,
      instructions: resources.instructions,
      diskReadBytes: resources.diskReadBytes,
      writtenBytes: resources.writeBytes,
    },
  }
}

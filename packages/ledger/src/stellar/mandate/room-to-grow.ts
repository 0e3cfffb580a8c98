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

/** How much a mandate's record may grow: by the start of its first charged period, and the longest reference. */
const recordBytes = 40

type Growth = { readonly read: number; readonly written: number; readonly instructions: number }

const growthOf = (keys: ReadonlyArray<xdr.LedgerKey>) => {
  const count = (type: xdr.LedgerKey['type']): number => keys.filter((key) => key.type === type).length
  return {
    bytes: count('account') * accountBytes + count('trustline') * trustlineBytes,
    instructions: count('account') * accountInstructions,
  }
}

/**
 * Declares more than a simulation found to be needed, so that no customer can make a call fail for everybody by letting an
 * entry grow in its ledger, as an offer, a signer or a sponsor does: nodes leave no room for that. What is declared is paid.
 */
export const withRoomToGrow = (simulation: Simulated, limits: Pick<CallLimits, 'rates'>): Simulated => {
  const { readOnly, readWrite } = xdr.SorobanTransactionData.fromXdr(simulation.transactionData, 'base64').resources
    .footprint
  const { bytes: read, instructions } = growthOf([...readOnly, ...readWrite])
  return withRoomFor({ read, written: growthOf(readWrite).bytes, instructions }, simulation, limits)
}

/** As `withRoomToGrow`, for the charge of a mandate in a ledger before the call that replaces it. */
export const withRoomForCharge = (simulation: Simulated, limits: Pick<CallLimits, 'rates'>): Simulated =>
  withRoomFor({ read: 0, written: recordBytes, instructions: 0 }, simulation, limits)

const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

const withRoomFor = (
  { read, written, instructions }: Growth,
  simulation: Simulated,
  { rates }: Pick<CallLimits, 'rates'>,
): Simulated => {
  const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData, 'base64')
  const { footprint, ...found } = data.resources
  const resources = new xdr.SorobanResources({
    footprint,
    instructions: found.instructions + instructions,
    diskReadBytes: found.diskReadBytes + read,
    writeBytes: found.writeBytes + written,
  })
  const fee =
    divideUp(BigInt(instructions) * rates.per10kInstructions, 10_000n) +
    divideUp(BigInt(read) * rates.perDiskRead1Kb, 1_024n) +
    divideUp(BigInt(written) * rates.perWrite1Kb, 1_024n)
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

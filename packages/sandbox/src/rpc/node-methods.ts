import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { ledgersKept, protocolVersion } from '../network.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { method, rangeAsText } from './method.ts'

const nothing = t.type({})

/** Always healthy: a node cannot tell whether the network still closes ledgers. */
export const getHealth = method(nothing, (_, context) => {
  const { latestLedgerCloseTime, oldestLedgerCloseTime, ...sequences } = rangeAsText(context)
  const isOld = context.sandbox.faults.take('old_health') !== undefined
  const closeTimes = isOld ? {} : { latestLedgerCloseTime, oldestLedgerCloseTime }
  return E.right({ status: 'healthy', ...sequences, ...closeTimes, ledgerRetentionWindow: ledgersKept })
})

const currentOf = ({ faults }: Sandbox): number => faults.present().protocol?.current ?? protocolVersion

/** A core names itself by the newest protocol that it can run. */
const preparedOf = ({ faults }: Sandbox): string => {
  const prepared = faults.present().protocol?.prepared
  return prepared === undefined ? 'quittance-sandbox' : `stellar-core ${prepared}.0.0 (quittance-sandbox)`
}

export const getNetwork = method(nothing, (_, { sandbox, friendbotUrl }) =>
  E.right({ friendbotUrl, passphrase: sandbox.networkPassphrase, protocolVersion: currentOf(sandbox) }),
)

export const getVersionInfo = method(nothing, (_, { sandbox }) =>
  E.right({
    version: 'quittance-sandbox',
    commitHash: 'quittance-sandbox',
    buildTimestamp: '2026-11-01T00:00:00',
    captiveCoreVersion: preparedOf(sandbox),
    protocolVersion: currentOf(sandbox),
  }),
)

const percentiles = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99]

/** The most frequent value; the smaller one of equals. */
const modeOf = (fees: ReadonlyArray<number>): number => {
  const counts = new Map<number, number>()
  for (const fee of fees) counts.set(fee, (counts.get(fee) ?? 0) + 1)
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? 0
}

/**
 * The distribution of fees per operation in stroops, which come in ascending order; all zero for none, as a node
 * answers.
 */
const distribution = (fees: ReadonlyArray<number>, ledgerCount: number) => {
  const at = (percent: number) => (fees[Math.ceil((percent / 100) * fees.length) - 1] ?? 0).toString()
  return {
    max: at(100),
    min: (fees[0] ?? 0).toString(),
    mode: modeOf(fees).toString(),
    ...Object.fromEntries(percentiles.map((percent) => [`p${percent}`, at(percent)])),
    transactionCount: fees.length.toString(),
    ledgerCount,
  }
}

const contractLedgers = 50
const classicLedgers = 10

/** Inclusion fees only, without the resource fees of contract calls. */
export const getFeeStats = method(nothing, (_, { read }) => {
  const { latest } = read.range()
  const fees = read.feesBetween('classic', latest.sequence - classicLedgers + 1, latest.sequence)
  const contractFees = read.feesBetween('contract', latest.sequence - contractLedgers + 1, latest.sequence)
  return E.right({
    sorobanInclusionFee: distribution(contractFees, contractLedgers),
    inclusionFee: distribution(fees, classicLedgers),
    latestLedger: latest.sequence,
  })
})

import {
  AccountId,
  AssetId,
  ContractId,
  LedgerSequence,
  MandateId,
  OperationIndex,
  stroops,
  TransactionHash,
  unixMs,
} from '@quittance/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClosedLedger, LedgerGateway, LedgerHead, ReadFailure } from '../gateway.ts'
import type { IncomingPayment } from '../incoming-payment.ts'
import type { MandateFact } from '../mandate.ts'
import type { Movement } from '../movement.ts'
import { named } from '../named.ts'
import type { TransactionOutcome } from '../outcome.ts'

export const alice = named(AccountId, 'GCFIRY65OQE7DFP5KLNS2PF2LVZMUZYJX4OZIEQ36N2IQANUB5XVYOJR')
const native = named(AssetId, 'native')
export const mandateContract = named(ContractId, 'CBKMUZNFQIAL775XBB2W2GP5CNHBM5YGH6C3XB7AY6SUVO2IBU3VYK2V')

export const sequence = (number: number): LedgerSequence => named(LedgerSequence, number)

/** A hash that shows the number it was made of. */
export const hashOf = (number: number): string => number.toString(16).padStart(64, '0')

export const headOf = (number: number): LedgerHead => ({ sequence: sequence(number), closedAt: unixMs(number * 5000) })

/** One payment to alice in each ledger. */
export const incomingPaymentIn = (number: number): IncomingPayment => ({
  kind: 'payment',
  transactionHash: named(TransactionHash, hashOf(number)),
  operationIndex: named(OperationIndex, 0),
  ledger: sequence(number),
  closedAt: headOf(number).closedAt,
  from: alice,
  fromMuxedId: null,
  fromContract: null,
  destination: alice,
  muxedId: null,
  assetId: native,
  amount: stroops(BigInt(number)),
  memo: { _tag: 'none' },
})

/** That payment, as it changed alice's balance. */
export const movementIn = (number: number): Movement => ({
  _tag: 'payment',
  transactionHash: named(TransactionHash, hashOf(number)),
  innerHash: null,
  operationIndex: named(OperationIndex, 0),
  ordinal: 0,
  ledger: sequence(number),
  closedAt: headOf(number).closedAt,
  source: alice,
  account: alice,
  muxedId: null,
  counterparty: { _tag: 'account', account: alice, muxedId: null },
  assetId: native,
  delta: BigInt(number),
  memo: { _tag: 'none' },
})

/** That payment's transaction. */
export const outcomeIn = (number: number): TransactionOutcome => ({
  _tag: 'Succeeded',
  transactionHash: named(TransactionHash, hashOf(number)),
  innerHash: null,
  ledger: sequence(number),
  closedAt: headOf(number).closedAt,
  code: 'txSuccess',
  operationCodes: ['paymentSuccess'],
  feeCharged: stroops(100n),
  feeSource: alice,
})

export const ledger = (number: number, previousHash = hashOf(number - 1)): ClosedLedger => ({
  ...headOf(number),
  hash: hashOf(number),
  previousHash,
  maxTxSetSize: 1_000,
  incomingPaymentsTo: (watched) => [incomingPaymentIn(number)].filter(({ destination }) => watched.has(destination)),
  movementsOf: (watched) => [movementIn(number)].filter(({ account }) => watched.has(account)),
  outcomesOf: (isOurs) => [outcomeIn(number)].filter(({ transactionHash }) => isOurs(transactionHash)),
  mandatesOf: (contracts) => [mandateIn(number)].filter(({ contract }) => contracts.has(contract)),
  ownTransactions: () => [],
  contractErrorOf: () => null,
})

/** A mandate that was cancelled in a ledger. */
export const mandateIn = (number: number): MandateFact => ({
  _tag: 'MandateCancelled',
  contract: mandateContract,
  transactionHash: named(TransactionHash, hashOf(number)),
  innerHash: null,
  ledger: sequence(number),
  closedAt: headOf(number).closedAt,
  mandate: named(MandateId, hashOf(number)),
  customer: alice,
  payee: alice,
  by: alice,
})

/** A network in memory that only closes ledgers and lets them be read. */
export const ledgersInMemory = (closed: Array<ClosedLedger>, oldest = 1) => {
  const reads: Array<number> = []
  const latest = (): LedgerHead => closed.at(-1) ?? headOf(1)
  const readLedgers: LedgerGateway['readLedgers'] = (from, limit) => {
    reads.push(from)
    const pruned: ReadFailure = { _tag: 'RangePruned', from, oldest: sequence(oldest) }
    if (from < oldest) return TE.left(pruned)
    const ledgers = closed.filter((each) => each.sequence >= from).slice(0, limit)
    return TE.right({ node: 'a', ledgers, through: ledgers.at(-1)?.sequence ?? null, latest: latest(), twin: null })
  }
  const absent = () => TE.left({ _tag: 'LedgerUnreachable' as const, cause: 'only ledgers can be read here' })
  const gateway: LedgerGateway = {
    networkPassphrase: 'A Network For Tests',
    latestLedger: () => TE.right(latest()),
    readLedgers,
    accountView: absent,
    balances: absent,
    entries: absent,
    simulate: absent,
    lookUp: absent,
    protocol: absent,
    feeStats: () => TE.left({ _tag: 'FeeStatsUnavailable', cause: 'only ledgers can be read here' }),
    submit: () => TE.left({ _tag: 'OutcomeUnknown', cause: 'only ledgers can be read here' }),
  }
  return { gateway, reads }
}

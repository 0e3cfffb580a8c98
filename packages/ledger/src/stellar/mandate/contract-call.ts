import type { Stroops, UnixMs } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { Simulation } from '../../simulation.ts'
import { type TransactionFrame, type UnsignedTransaction, unsignedCall } from '../unsigned-transaction.ts'
import type { ContractCall } from './calls.ts'
import { readCallLimits } from './limits.ts'
import { withRoomForCharge } from './room-to-grow.ts'

/**
 * The transaction of a contract call: no memo, since contracts allow none. `sourceAccount` only lends
 * `nextAccountSequence`, the very number that the transaction takes, and pays the fee; where it is not the caller
 * itself, both have to sign. `fee` is the bid without what the resources cost. It can enter no ledger closed after
 * `notAfter`: late, it dies free of charge, where the contract would have refused it for its fee.
 */
export type ContractCallOrder = Omit<TransactionFrame, 'accountSequence' | 'memoText' | 'memoId'> & {
  readonly nextAccountSequence: bigint
  readonly notAfter: UnixMs | null
}

/** `resourceFee` is in the transaction's fee already, in stroops; what of it is not used is given back. */
export type PreparedCall = UnsignedTransaction & {
  readonly resourceFee: Stroops
  readonly restoredEntries: number
  readonly returnValue: string | null
}

/** Why a call of a contract cannot be sent. */
export type PrepareRejection =
  /** No ledger that closes now could still take it. */
  | { readonly _tag: 'TooLate'; readonly notAfter: UnixMs }
  /** The contract or the network would refuse it now. */
  | Extract<Simulation, { _tag: 'SimulationFailed' }>
  /** A signature would stand for something else than this call: a token, say, that is not what it seems. */
  | { readonly _tag: 'UnexpectedAuthorisation'; readonly auth: ReadonlyArray<string> }
  /** More than a transaction can offer: 2^32 - 1 stroops. */
  | { readonly _tag: 'FeeOutOfRange'; readonly resourceFee: Stroops }

const largestFee = 0xffff_ffffn

const unsigned = (
  order: ContractCallOrder,
  { caller, operation }: ContractCall,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>,
  transactionData: string | null,
): E.Either<PrepareRejection, UnsignedTransaction> => {
  const { ledgerClosedAt, notAfter, nextAccountSequence } = order
  if (notAfter !== null && notAfter <= ledgerClosedAt) return E.left({ _tag: 'TooLate', notAfter })
  const lifetimeMs = notAfter === null ? order.lifetimeMs : Math.min(order.lifetimeMs, notAfter - ledgerClosedAt)
  const frame = { ...order, accountSequence: nextAccountSequence - 1n, lifetimeMs }
  return E.right(
    unsignedCall(frame, operation(auth, caller === order.sourceAccount ? {} : { source: caller }), transactionData),
  )
}

/** What the caller's signature on the transaction stands for, and nothing else. */
export const authorisations = ({ authorised }: ContractCall): ReadonlyArray<xdr.SorobanAuthorizationEntry> =>
  authorised === null
    ? []
    : [
        new xdr.SorobanAuthorizationEntry({
          credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
          rootInvocation: authorised,
        }),
      ]

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index])

/** The call without resources, as it is simulated. Nobody signs it. */
export const simulatedEnvelope = (order: ContractCallOrder, call: ContractCall): E.Either<PrepareRejection, string> =>
  E.map(({ envelopeXdr }: UnsignedTransaction) => envelopeXdr)(unsigned(order, call, [], call.transactionData))

/**
 * Builds the transaction of a call with what its simulation says it needs.
 * Errors: see `PrepareRejection`; what has to be authorised must be exactly what the call stands for.
 */
export const preparedCall = (
  order: ContractCallOrder,
  call: ContractCall,
  simulation: Simulation,
): E.Either<PrepareRejection, PreparedCall> => {
  if (simulation._tag === 'SimulationFailed') return E.left(simulation)
  const { auth, transactionData, restoredEntries, returnValue } = simulation
  const expected = authorisations(call)
  const expectedXdr = expected.map((entry) => entry.toXdr('base64'))
  if (!isSame(auth, expectedXdr)) return E.left({ _tag: 'UnexpectedAuthorisation', auth })
  const resourceFee = simulation.minResourceFee
  if (resourceFee + order.fee > largestFee) return E.left({ _tag: 'FeeOutOfRange', resourceFee })
  const data = xdr.SorobanTransactionData.fromXdr(transactionData, 'base64')
  const priced = new xdr.SorobanTransactionData({ ...data, resourceFee })
  const transaction = unsigned(order, call, expected, priced.toXdr('base64'))
  if (E.isLeft(transaction)) return transaction
  return E.right({ ...transaction.right, resourceFee, restoredEntries, returnValue })
}

type Simulates = Pick<LedgerGateway, 'simulate'>
type Prepared = TaskEither<LedgerUnreachable | PrepareRejection, PreparedCall>

const simulated = async (
  { simulate }: Simulates,
  order: ContractCallOrder,
  call: ContractCall,
): Promise<E.Either<LedgerUnreachable | PrepareRejection, Simulation>> => {
  const envelope = simulatedEnvelope(order, call)
  return E.isLeft(envelope) ? envelope : simulate(envelope.right)()
}

/** Simulates a call and builds its transaction. Errors: those of `preparedCall`; `LedgerUnreachable`. */
export const prepareCall =
  (gateway: Simulates) =>
  (order: ContractCallOrder, call: ContractCall): Prepared =>
  async () => {
    const simulation = await simulated(gateway, order, call)
    return E.isLeft(simulation) ? simulation : preparedCall(order, call, simulation.right)
  }

/** As `prepareCall`, for the creation of a mandate that replaces another, which may be charged meanwhile. */
export const prepareReplacement =
  (gateway: Simulates & Pick<LedgerGateway, 'entries'>) =>
  (order: ContractCallOrder, call: ContractCall): Prepared =>
  async () => {
    const simulation = await simulated(gateway, order, call)
    if (E.isLeft(simulation)) return simulation
    if (simulation.right._tag === 'SimulationFailed') return E.left(simulation.right)
    const limits = await readCallLimits(gateway)()
    if (E.isLeft(limits)) return limits
    return preparedCall(order, call, withRoomForCharge(simulation.right, limits.right))
  }

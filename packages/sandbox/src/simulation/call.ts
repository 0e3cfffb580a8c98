import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { type InvocationMode, type InvocationOutcome, invoke } from '../contracts/index.ts'
import { extensionFrom, extensionOf } from '../ledger/account-extension.ts'
import { draftOn, type LedgerDraft, type LedgerView } from '../ledger/draft.ts'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { eventsFee } from '../ledger/resource-fees.ts'
import { accountIdOf } from '../operations/operation.ts'
import { hostErrorText } from './host-error-text.ts'
import { declarationOf } from './resources.ts'
import { stateChanges } from './state-changes.ts'

/** A node's answer to a simulation, without the ledger it was made on. */
export type SimulatedTransaction = {
  readonly events: ReadonlyArray<xdr.DiagnosticEvent>
  readonly error?: string
  readonly transactionData?: string
  readonly minResourceFee?: string
  readonly results?: ReadonlyArray<{ readonly auth: ReadonlyArray<string>; readonly xdr: string }>
  readonly stateChanges?: ReturnType<typeof stateChanges>
}

export type CallOptions = {
  /** Empty: enforces the supplied authorizations; without any, records the required ones. */
  readonly authMode: string
  readonly isAddressBound: boolean
  readonly leeway: number
}

/** Adds a margin for the instructions in the ledger: 4 %, but at least 50,000. */
const withMargin = (instructions: number, leeway: number): number =>
  Math.ceil(instructions + Math.max(leeway, 50_000, instructions * 0.04))

/**
 * An account may grow before the transaction is applied, for example by the transaction itself, so it counts with all
 * possible extensions. Source: soroban-simulation, `SimulationSnapshotSource`.
 */
const growthOf = (keys: ReadonlyArray<xdr.LedgerKey>, view: LedgerView): number =>
  keys.reduce((sum, key) => {
    const data = key.type === 'account' ? view.find(key.toXdr('hex'))?.data : undefined
    if (data?.type !== 'account') return sum
    const extended = extensionFrom({ ...extensionOf(data.account), level: 3 })
    return sum + extended.toXdr().length - data.account.ext.toXdr().length
  }, 0)

const answered = (
  signed: SignedTransaction,
  { footprint, auth, archived, cost }: InvocationOutcome,
  below: LedgerView,
  leeway: number,
) =>
  declarationOf(signed, {
    footprint,
    auth,
    archived,
    instructions: withMargin(cost.instructions, leeway),
    diskReadBytes: cost.readBytes + growthOf([...footprint.readOnly, ...footprint.readWrite], below),
    writeBytes: cost.writeBytes + growthOf(footprint.readWrite, below),
    refundable: cost.rentFee + eventsFee(cost.eventBytes),
  })

const modeOf = (
  given: ReadonlyArray<xdr.SorobanAuthorizationEntry>,
  { authMode, isAddressBound }: CallOptions,
): InvocationMode => {
  const isEnforced = authMode === 'enforce' || (authMode === '' && given.length > 0)
  return isEnforced
    ? { _tag: 'record', auth: given }
    : { _tag: 'record', isAddressBound, allowsNonRoot: authMode === 'record_allow_nonroot' }
}

/** Simulates a host function: calls a contract, creates one or uploads code. */
export const simulatedCall = (
  signed: SignedTransaction,
  { sourceAccount }: xdr.Operation,
  { hostFunction: call, auth: given }: xdr.InvokeHostFunctionOp,
  below: LedgerDraft,
  options: CallOptions,
): SimulatedTransaction => {
  const source = sourceAccount === null ? signed.source : accountIdOf(sourceAccount)
  const draft = draftOn(below, below.ledger)
  const outcome = invoke({ call, source, draft, network: { id: signed.networkId }, mode: modeOf(given, options) })
  const { result, diagnostics: events, auth } = outcome
  if (E.isLeft(result)) return { error: hostErrorText(result.left.error, events), events }
  return {
    ...answered(signed, outcome, below, options.leeway),
    events,
    results: [{ auth: auth.map((each) => each.toXdr('base64')), xdr: result.right.toXdr('base64') }],
    stateChanges: stateChanges(draft, below.find),
  }
}

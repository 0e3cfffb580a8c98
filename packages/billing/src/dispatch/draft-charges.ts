import {
  type AccountId,
  asText,
  type ChargeAction,
  type ContractId,
  type Environment,
  IntentId,
  secondMs,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import {
  type CallLimits,
  type ContractCallOrder,
  type MandateCharge,
  mandateNumbers,
  PAYOUT_LIFETIME_MS,
  type PreparedCharges,
  prepareCharges,
  readCallLimits,
} from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { giveUp } from '../features/outgoing/waiting.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

type Charge = Found<IntentRow> & { readonly action: ChargeAction }

/**
 * Drafts one call of as many charges as the network accepts, and simulates it. Leaves out and gives up the charges that
 * the contract would refuse. Null if no charge is left, or the simulation fails.
 */
export const draftCharges = async (
  outgoing: Outgoing,
  batch: Batch,
  source: TransactionSource,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const charges = chargesIn(batch)
  const [first] = charges
  if (first === undefined) throw new Error('a batch of charges is empty')
  const { contractId } = first.action
  const limits = await readCallLimits(outgoing.network.gateway)()
  if (E.isRight(limits))
    return draftCall(
      outgoing,
      { environment: batch.environment, source, operator: batch.source, contractId, limits: limits.right },
      charges,
    )
  outgoing.raise({ _tag: 'CannotCharge', contractId, cause: limits.left.cause })
  return E.right(null)
}

type Call = {
  readonly environment: Environment
  readonly source: TransactionSource
  readonly operator: AccountId
  readonly contractId: ContractId
  readonly limits: CallLimits
}

/** If the simulation of a whole call fails, drafts half of its charges: those that make it fail hold up no others. */
const draftCall = async (
  outgoing: Outgoing,
  call: Call,
  charges: ReadonlyArray<Charge>,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const { source, operator, contractId, limits } = call
  const order = orderOf(outgoing, source, charges)
  const wanted = charges.map(({ action }) => mandateCharge(action))
  const found = await prepareCharges(outgoing.network.gateway)(order, contractId, operator, wanted, limits)()
  if (E.isRight(found)) return leaveOut(outgoing, call, charges, found.right)
  if (found.left._tag === 'SimulationFailed' && charges.length > 1) {
    const half = Math.ceil(charges.length / 2)
    const draft = await draftCall(outgoing, call, charges.slice(0, half))
    return E.isLeft(draft) || draft.right !== null ? draft : draftCall(outgoing, call, charges.slice(half))
  }
  const cause = 'cause' in found.left ? found.left.cause : found.left._tag
  outgoing.raise({ _tag: 'CannotCharge', contractId, cause })
  return E.right(null)
}

const leaveOut = async (
  outgoing: Outgoing,
  call: Call,
  charges: ReadonlyArray<Charge>,
  { prepared, taken, refused, ...left }: PreparedCharges,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const { source } = call
  const withNumber = (number: number) => ({ reason: 'simulation_failed' as const, code: asText(number.toString()) })
  const given = await giveUp(
    outgoing,
    call.environment,
    refused
      // The node simulates at its newest ledger; a later one may lie in the period, and far enough from the last charge.
      .filter(({ number }) => number !== mandateNumbers.PeriodNotBegun && number !== mandateNumbers.TooClose)
      .flatMap(({ charge, number }) => among(charges, charge).map((intent) => ({ intent, ...withNumber(number) }))),
  )
  if (E.isLeft(given)) return given
  if (prepared === null) return E.right(null)
  if (source.spendable < source.bid + prepared.resourceFee) {
    outgoing.raise({ _tag: 'FeeSourceCannotPay', account: source.signer.account })
    return E.right(null)
  }
  const { envelopeXdr, transactionHash, maxTime, resourceFee } = prepared
  const intents = taken.flatMap((charge) => among(charges, charge).map(({ id }) => decodeOrThrow(IntentId, id)))
  const postponed = left.postponed.flatMap((charge) => among(charges, charge))
  return E.right({ envelopeXdr, transactionHash, maxTime, resourceFee, intents, postponed })
}

const chargesIn = ({ intents }: Batch): ReadonlyArray<Charge> =>
  intents.flatMap((found) => {
    const { action } = found.row.details
    return action._tag === 'charge' ? [{ ...found, action }] : []
  })

const mandateCharge = ({ mandateId: mandate, periodStart, amount, reference }: ChargeAction): MandateCharge => ({
  mandate,
  periodStart,
  amount,
  reference,
})

const among = (charges: ReadonlyArray<Charge>, { reference }: MandateCharge): ReadonlyArray<Charge> =>
  charges.filter(({ action }) => action.reference === reference)

const orderOf = (
  { network, ingested }: Outgoing,
  { signer, sequence, bid }: TransactionSource,
  charges: ReadonlyArray<Charge>,
): ContractCallOrder => ({
  sourceAccount: signer.account,
  nextAccountSequence: sequence,
  ledgerClosedAt: ingested.closedAt,
  lifetimeMs: PAYOUT_LIFETIME_MS,
  notAfter: lastMoment(charges),
  fee: bid,
  networkPassphrase: network.gateway.networkPassphrase,
})

/** A call that is too late dies without a fee; the contract would refuse it and still take one. */
const lastMoment = (charges: ReadonlyArray<Charge>): UnixMs =>
  unixMs(Math.min(...charges.map(({ action }) => action.periodEnd)) - secondMs)

import { asText, type ChargeAction, IntentId, secondMs, type UnixMs, unixMs } from '@quittance/domain'
import {
  type ContractCallOrder,
  type MandateCharge,
  PAYOUT_LIFETIME_MS,
  prepareCharges,
  readCallLimits,
} from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import type { ExecuteFailure } from '../execute.ts'
import type { Batch } from './batches.ts'
import type { Drawn, Source } from './drawn.ts'
import { giveUp } from './waiting.ts'
import type { Outgoing } from './walk.ts'

/** The contract's number for a period that has not begun: of the newest ledger, as the node that simulates knows it. */
const periodNotBegun = 116

type Charge = Found<IntentRow> & { readonly action: ChargeAction }

/**
 * One call of as many charges of a batch as the network takes, simulated just now. What the contract would refuse is left
 * out, and given up with its number: nothing of it was sent. Null where nothing is left, or nobody can simulate it.
 */
export const drawCharges =
  (outgoing: Outgoing, batch: Batch, source: Source): TE.TaskEither<ExecuteFailure, Drawn | null> =>
  async () => {
    const { network, raise } = outgoing
    const { gateway } = network
    const charges = chargesIn(batch)
    const [first] = charges
    if (first === undefined) throw new Error('a batch of charges has none')
    const { contractId } = first.action
    const cannot = (cause: string): E.Either<never, null> => {
      raise({ _tag: 'CannotCharge', contractId, cause })
      return E.right(null)
    }
    const limits = await readCallLimits(gateway)()
    if (E.isLeft(limits)) return cannot(limits.left.cause)
    const order = orderOf(outgoing, source, charges)
    const wanted = charges.map(({ action }) => mandateCharge(action))
    const found = await prepareCharges(gateway)(order, contractId, batch.source, wanted, limits.right)()
    if (E.isLeft(found)) return cannot('cause' in found.left ? found.left.cause : found.left._tag)

    const { prepared, taken, refused } = found.right
    const withNumber = (number: number) => ({ reason: 'simulation_failed' as const, code: asText(number.toString()) })
    const given = await giveUp(
      outgoing,
      refused
        .filter(({ number }) => number !== periodNotBegun)
        .flatMap(({ charge, number }) => among(charges, charge).map((intent) => ({ intent, ...withNumber(number) }))),
    )
    if (E.isLeft(given)) return given
    if (prepared === null) return E.right(null)
    if (source.spendable < source.bid + prepared.resourceFee) {
      raise({ _tag: 'FeeSourceCannotPay', account: source.signer.publicKey })
      return E.right(null)
    }
    const { envelopeXdr, transactionHash, maxTime, resourceFee } = prepared
    const intents = taken.flatMap((charge) => among(charges, charge).map(({ id }) => decodeOrThrow(IntentId, id)))
    return E.right({ envelopeXdr, transactionHash, maxTime, resourceFee, intents })
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
  { network, walked }: Outgoing,
  { signer, sequence, bid }: Source,
  charges: ReadonlyArray<Charge>,
): ContractCallOrder => ({
  sourceAccount: signer.publicKey,
  nextAccountSequence: sequence,
  ledgerClosedAt: walked.closedAt,
  lifetimeMs: PAYOUT_LIFETIME_MS,
  notAfter: lastMoment(charges),
  fee: bid,
  networkPassphrase: network.gateway.networkPassphrase,
})

/** Late, it dies without a fee, where the contract would take one to refuse it. */
const lastMoment = (charges: ReadonlyArray<Charge>): UnixMs =>
  unixMs(Math.min(...charges.map(({ action }) => action.periodEnd)) - secondMs)

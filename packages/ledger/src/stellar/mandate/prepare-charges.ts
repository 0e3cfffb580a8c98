import type { AccountId, ContractId } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { MandateCharge } from '../../mandate.ts'
import type { CallLimits, Simulation } from '../../simulation.ts'
import { chargeManyCall } from './calls.ts'
import {
  type ContractCallOrder,
  type PreparedCall,
  type PrepareRejection,
  preparedCall,
  simulatedEnvelope,
} from './contract-call.ts'
import { chargesAtOnce, fitting } from './limits.ts'
import { withRoomToGrow } from './room-to-grow.ts'
import { readValue } from './stored-values.ts'

/**
 * The result of preparing charges for one call. `prepared` charges those that are `taken`, in this order; null for
 * none. `refused` are left out, each with the contract's number in the simulation: if one of them succeeded later, it
 * would touch more than the call may, and fail all of it. `postponed` did not fit.
 */
export type PreparedCharges = {
  readonly prepared: PreparedCall | null
  readonly taken: ReadonlyArray<MandateCharge>
  readonly refused: ReadonlyArray<{ readonly charge: MandateCharge; readonly number: number }>
  readonly postponed: ReadonlyArray<MandateCharge>
}

const Numbers = t.array(t.number)

/** The contract's result for each charge; null where the node returned something else. */
const answersIn = ({ returnValue }: Extract<Simulation, { _tag: 'Simulated' }>, count: number) => {
  const numbers = returnValue === null ? null : readValue(Numbers, xdr.ScVal.fromXdr(returnValue, 'base64'))
  return numbers?.length === count ? numbers : null
}

/**
 * Prepares one call for as many charges as fit, simulating until all of them would succeed.
 * Errors: as `prepareCall`; charges are refused one by one, never all for one.
 */
export const prepareCharges =
  ({ simulate }: Pick<LedgerGateway, 'simulate'>) =>
  (
    order: ContractCallOrder,
    contract: ContractId,
    operator: AccountId,
    charges: ReadonlyArray<MandateCharge>,
    limits: CallLimits,
  ): TE.TaskEither<LedgerUnreachable | PrepareRejection, PreparedCharges> =>
  async () => {
    let taken = charges.slice(0, chargesAtOnce(limits))
    let postponed = charges.slice(taken.length)
    const refused: Array<PreparedCharges['refused'][number]> = []
    const keep = (count: number): void => {
      postponed = [...taken.slice(count), ...postponed]
      taken = taken.slice(0, count)
    }

    // Each round leaves at least one out, so there are at most as many as charges.
    while (taken.length > 0) {
      const call = chargeManyCall(contract, operator, taken)
      const envelope = simulatedEnvelope(order, call)
      if (E.isLeft(envelope)) return envelope
      const answer = await simulate(envelope.right)()
      if (E.isLeft(answer)) return answer
      const simulation = answer.right
      if (simulation._tag === 'SimulationFailed') {
        if (taken.length === 1 || simulation.hostError.type !== 'Budget') return E.left(simulation)
        keep(Math.floor(taken.length / 2))
        continue
      }
      const numbers = answersIn(simulation, taken.length)
      if (numbers === null) return E.left(unanswered)
      if (numbers.some((number) => number !== 0)) {
        refused.push(
          ...taken.flatMap((charge, index) => {
            const number = numbers[index] ?? 0
            return number === 0 ? [] : [{ charge, number }]
          }),
        )
        taken = taken.filter((_, index) => numbers[index] === 0)
        continue
      }
      const roomy = withRoomToGrow(simulation, limits)
      const prepared = preparedCall(order, call, roomy)
      if (E.isLeft(prepared)) return prepared
      const bytes = Buffer.byteLength(prepared.right.envelopeXdr, 'base64')
      const fits = fitting(roomy.resources, bytes, limits, taken.length)
      if (fits >= taken.length || taken.length === 1)
        return E.right({ prepared: prepared.right, taken, refused, postponed })
      keep(Math.max(1, fits))
    }
    return E.right({ prepared: null, taken, refused, postponed })
  }

const unanswered: LedgerUnreachable = {
  _tag: 'LedgerUnreachable',
  cause: 'the simulation gave no answer for each charge',
}

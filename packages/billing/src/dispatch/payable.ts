import type { AccountId, Environment } from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { perhapsPaidIn } from '../features/outgoing/perhaps-paid.ts'
import { isInUse, rotationHoldingUp } from '../features/outgoing/rotations.ts'
import { pausedIn } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import { carriedIn } from './carried.ts'
import type { Payers } from './payers.ts'

/**
 * Leaves out paused intents and those that no key can sign for, so that they take up no room; those of merchants whose
 * ledgers are not placed yet, since one of these may hold the payment, whose payment may be one that the log has lost, or
 * whose transaction was sent; and those of accounts whose key is rotated, which waits until no transaction of the account is
 * open.
 */
export async function* payable(
  outgoing: Outgoing,
  environment: Environment,
  payers: Payers,
  waiting: ReadonlyArray<Iterable<Found<IntentRow>> | AsyncIterable<Found<IntentRow>>>,
): AsyncGenerator<Found<IntentRow>> {
  const { services } = outgoing
  const isPaused = await pausedIn(services, environment, 'dispatch')
  const isUnattachable = await pausedIn(services, environment, 'attach')
  const isCarried = await carriedIn(outgoing, environment)
  const perhapsPaid = perhapsPaidIn(services)
  const isHeldUp = heldUpByRotations(outgoing, environment)
  for (const each of waiting)
    for await (const intent of each) {
      const { merchantId, row } = intent
      const { source, action } = row.details
      if (isCarried(intent)) continue
      if (action._tag === 'payment' && (await perhapsPaid({ merchantId, environment }, action)) !== null) continue
      if (!(await isUpToDate(services)({ merchantId, environment }))) continue
      if (await isHeldUp(intent)) continue
      if (isUnattachable(intent) || isPaused(intent) || isPaused({ merchantId, environment, id: source })) continue
      if ((await payers.of(intent)) !== null) yield intent
    }
}

/** Whether an intent waits for the rotation of its account's key, or a rotation for the account's open transactions. */
const heldUpByRotations = ({ services: { readModels }, ingested }: Outgoing, environment: Environment) => {
  const isRotating = new Map<AccountId, boolean>()
  return async ({ row: { details } }: Found<IntentRow>): Promise<boolean> => {
    const { source } = details
    if (details.class === 'rotation') return isInUse(readModels, environment, source, ingested)
    const known = isRotating.get(source) ?? (await rotationHoldingUp(readModels, environment, source)) !== null
    isRotating.set(source, known)
    return known
  }
}

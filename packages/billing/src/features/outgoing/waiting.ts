import {
  asText,
  type Environment,
  type GiveUpReason,
  Intent,
  type IntentAction,
  isExhausted,
  secondMs,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import { mandateNumbers } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { isInMerchantsCustody } from '../../services/custody.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Item } from '../../stores/setbacks/setbacks.ts'
import type { IsFrozen } from './frozen.ts'
import { inTurn } from './merchants-in-turn.ts'
import { leastLeftMs, type Outgoing } from './outgoing.ts'

const periodOver = asText(mandateNumbers.PeriodOver.toString())

/** An intent that is not sent any more. */
export type Spent = { readonly intent: Found<IntentRow>; readonly reason: GiveUpReason; readonly code?: Text }

/** The waiting intents that may be tried, read lazily. Those met on the way that never may be tried are added to `spent`. */
export async function* stillWaiting(
  outgoing: Outgoing,
  environment: Environment,
  spent: Array<Spent>,
  isFrozen: IsFrozen,
): AsyncGenerator<Found<IntentRow>, undefined> {
  const { readModels } = outgoing.services
  for await (const due of inTurn(outgoing, environment, isFrozen)) {
    // An intent that only the merchant can sign for waits for the signature, and is no trouble.
    if (await isInMerchantsCustody(readModels, environment, due.row.details.source)) continue
    const time = timeFor(due.row.details.action, outgoing.ingested.closedAt)
    if (isExhausted(due.row)) spent.push({ intent: due, reason: 'attempts_exhausted' })
    else if (time === 'over') spent.push({ intent: due, reason: 'simulation_failed', code: periodOver })
    else if (time === 'now') yield due
  }
}

/** A charge needs a closed ledger of its period, to be simulated, and time for another one. */
const timeFor = (action: IntentAction, closedAt: UnixMs): 'now' | 'later' | 'over' => {
  switch (action._tag) {
    case 'payment':
    case 'mandate_cancellation':
    case 'change_trust':
    case 'create_account':
    case 'rotate_key':
    case 'set_recovery_signer':
    case 'keep_contract':
    case 'anchor':
      return 'now'
    case 'charge': {
      const { periodStart, periodEnd } = action
      if (closedAt >= periodEnd) return 'over'
      return closedAt >= periodStart && closedAt + leastLeftMs < periodEnd - secondMs ? 'now' : 'later'
    }
  }
}

/** Ends the intents; their owners learn that nothing was paid. */
export const giveUp = (
  { services, ingested }: Pick<Outgoing, 'services' | 'ingested'>,
  environment: Environment,
  spent: ReadonlyArray<Spent>,
): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'give_up',
    items: spent.map(({ intent: { id, merchantId }, ...why }) => ({ merchantId, environment, id, why })),
    again: whileWaiting(services),
    work: async ({ why, ...intent }) => {
      const context = stepContext(intent, `${environment}/${intent.id}`, 'give up', ingested.closedAt)
      const decide = Intent.decider.decide({ type: 'GiveUpIntent', ...why })
      return stepUnless(services.store)(['IntentIsAttached', 'IntentHasEnded'], Intent, intent.id, context, decide)
    },
  })

/** An intent that was set back comes up again as long as it waits. */
export const whileWaiting =
  ({ readModels }: Pick<Services, 'readModels'>) =>
  async ({ id }: Item): Promise<null | undefined> =>
    (await readModels.intents.withId(id))?.row.status === 'waiting' ? undefined : null

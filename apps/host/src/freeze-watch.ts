import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '@quittance/billing'
import type { FreezeDecision, FreezeState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { RaiseAlarm } from './alarm.ts'

const betweenLooksMs = 1_000

/** Raises an alarm for each freeze, also for those in force at the start, and for the end of each. */
export const watchFreezes = async (
  freezing: Pick<Services['freezing'], 'now'>,
  raise: RaiseAlarm,
  signal: AbortSignal,
): Promise<void> => {
  const look = freezeLook(raise)
  while (!signal.aborted) {
    // A log that does not answer is looked at again.
    const state = await freezing.now().catch(() => null)
    if (state !== null && E.isRight(state)) look(state.right)
    await pause(betweenLooksMs, undefined, { signal }).catch(() => undefined)
  }
}

const keyOf = ({ scope, merchantId }: FreezeDecision): string => `${scope} ${merchantId ?? ''}`

/** Compares what is frozen with what the look before found. */
export const freezeLook = (raise: RaiseAlarm) => {
  let known = new Map<string, FreezeDecision>()
  return ({ inForce, ended }: Pick<FreezeState, 'inForce' | 'ended'>): void => {
    const found = new Map(inForce.map((each) => [keyOf(each), each]))
    for (const [key, freeze] of found) if (!known.has(key)) raise({ _tag: 'Frozen', ...freeze }, null)
    for (const [key, freeze] of known) {
      if (found.has(key)) continue
      raise({ _tag: 'FreezeOver', ...(ended.find((each) => keyOf(each) === key) ?? freeze) }, null)
    }
    known = found
  }
}

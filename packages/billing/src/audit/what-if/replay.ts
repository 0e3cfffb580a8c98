import {
  dueAt,
  hourMs,
  isSame,
  nextStep,
  type Policy,
  type SubscriptionStep,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { answers, asksFor } from './asks.ts'
import { evidenceOf } from './evidence.ts'
import { fitting } from './fitting.ts'
import { byRules, type Intervention, interventionIn, otherPriceOf } from './other-rules.ts'
import { amountOf, endOf, ownStep, type Stand } from './own-steps.ts'
import { isAboutRates, partsAt } from './parting.ts'
import { byPolicy, type Moment, simulation } from './simulation.ts'
import type { TracedAct } from './traced.ts'
import type { World } from './world.ts'

/** `assumed`: how many of the charges have an end that no record tells; `without`: acts of people that came to nothing. */
export type Replayed = {
  readonly moments: ReadonlyArray<Moment>
  readonly ends: number
  readonly assumed: number
  readonly without: number
}

const never = Number.POSITIVE_INFINITY

/** A step of the simulation that changed nothing: it would be asked for again for ever. */
export type Stuck = { readonly _tag: 'Stuck'; readonly step: SubscriptionStep['_tag']; readonly at: UnixMs }

/**
 * Lives a subscription again. As long as nothing differs, the record is followed act by act. From the first difference on the
 * simulation lives by its own clock: it takes each step when it is due, or when the record took the same step
 * soon after; what people and the ledger did happens to it too; and a charge that the record did not make ends as the nearest one
 * that it made.
 */
export const replay = (acts: ReadonlyArray<TracedAct>, world: World): E.Either<Stuck, Replayed> => {
  const sim = simulation()
  const { from, to, changed, rules } = world
  const evidence = evidenceOf(acts)
  const recorded = acts.at(-1)?.state.attempts ?? []
  const own = (id: string): boolean => !recorded.some(({ paymentId }) => paymentId === id)
  let pending: ReturnType<typeof endOf> | null = null
  const endedPauses = new Set<UnixMs>()
  let [isApart, number, ends, assumed, without] = [false, 0, 0, 0, 0]

  const policyAt = (at: UnixMs): Policy => (at < from ? world.policyAt(at) : changed(world.policyAt(at)))
  const standAt = (now: UnixMs, state: Stand['state'], seen = evidence): Stand => {
    number += 1
    const otherPrice = otherPriceOf(rules, state.terms.productId, now)
    return { state, now, policy: policyAt(now), evidence: seen, recorded, number, otherPrice }
  }
  const intervention = (): Intervention | null =>
    sim.state === null ? null : interventionIn(sim.state, sim.now, rules, endedPauses)
  const intervene = ({ at, events, pausedAt }: Intervention): void => {
    if (pausedAt !== null) endedPauses.add(pausedAt)
    sim.record(events, at)
  }

  /** Whether the record takes this step soon after a moment. */
  const isTakenSoon = (step: SubscriptionStep, at: UnixMs, next: number): boolean => {
    for (let index = next; index < acts.length; index++) {
      const act = acts[index]
      if (act === undefined || act.at > at + world.latenessMs) return false
      if (act.role === 'clock' && answers(step, act.command)) return true
    }
    return false
  }

  const take = (step: SubscriptionStep, now: UnixMs, state: Stand['state']): Stuck | null => {
    const stand = standAt(now, state)
    const command = ownStep(stand, step)
    if (command === null || sim.give(command, now).length === 0) return { _tag: 'Stuck', step: step._tag, at: now }
    if (step._tag === 'hand_over_charge' && own(step.attempt.paymentId)) {
      pending = endOf(stand, step.attempt)
      assumed += 1
      ends += 1
    }
    return null
  }

  /** Lives by the clock until a moment, or until the record takes the step that is due, at one of the acts from `next` on. */
  const liveUntil = (until: UnixMs, next: number): Stuck | null => {
    let now = sim.now
    for (;;) {
      const { state } = sim
      if (state === null) return null
      const ahead = Math.max(now, Math.min(dueAt(state) ?? never, pending?.at ?? never))
      const other = intervention()
      if (other !== null && other.at <= Math.min(until, ahead) && other.at < to) {
        intervene(other)
        now = sim.now
        continue
      }
      if (ahead >= until) return null
      now = unixMs(ahead)
      if (pending !== null && pending.at <= now) {
        sim.give(byPolicy(pending.command, policyAt(now)), now)
        pending = null
        continue
      }
      const step = nextStep(state, now, policyAt(now), world.stoppedAt(now))
      if (step._tag === 'nothing') {
        now = unixMs(now + hourMs)
        continue
      }
      if (isTakenSoon(step, now, next)) return null
      const stuck = take(step, now, state)
      if (stuck !== null) return stuck
    }
  }

  /** Has the other price count before a charge that the record took just when it was due. */
  const reprice = (now: UnixMs): void => {
    const { state } = sim
    if (state === null) return
    const step = nextStep(state, now, policyAt(now), world.stoppedAt(now))
    const price = otherPriceOf(rules, state.terms.productId, now)
    if (step._tag === 'apply_price_change' && isSame(step.priceChange.price, price)) take(step, now, state)
  }

  const follow = (act: TracedAct): Stuck | null => {
    const { command, role, at } = act
    const now = unixMs(Math.max(at, sim.now))
    const policy = policyAt(now)
    if (role === 'clock') reprice(now)
    const { state } = sim
    if (state === null) {
      sim.give(byRules(command, now, rules) ?? command, now)
      return null
    }
    switch (role) {
      case 'clock': {
        if (!asksFor(state, command, now, policy)) return null
        if (isAboutRates(command)) {
          const mine = ownStep(standAt(now, state, evidenceOf([act])), nextStep(state, now, policy))
          if (mine !== null && mine.type !== command.type) {
            sim.give(mine, now)
            return null
          }
        }
        if (command.type === 'AttemptCharge') {
          const { price } = state.terms
          const amount = isSame(price, command.price) ? command.amount : amountOf(standAt(now, state), price)
          sim.give({ ...command, price, amount }, now)
          return null
        }
        sim.give(byPolicy(command, policy), now)
        return null
      }
      case 'outcome': {
        const isKnown =
          'paymentId' in command && state.attempts.some(({ paymentId }) => paymentId === command.paymentId)
        if (isKnown && sim.give(byPolicy(command, policy), now).length > 0) ends += 1
        return null
      }
      case 'outside': {
        const given = byRules(command, now, rules)
        if (given !== null && sim.give(fitting(given, state), now).length === 0) without += 1
        return null
      }
    }
  }

  for (const [index, act] of acts.entries()) {
    if (act.at >= to) break
    isApart ||= world.isByClock && act.at >= from
    const policy = act.at < from ? act.policy : changed(act.policy)
    isApart ||= partsAt(sim, act, policy) || (intervention()?.at ?? never) <= act.at
    if (!isApart) {
      const command = byRules(act.command, act.at, rules)
      const events = command === null ? [] : sim.give(byPolicy(command, policy), act.at)
      if (act.role === 'outcome') ends += 1
      isApart = !isSame(events, act.events)
      continue
    }
    const stuck = liveUntil(act.at, index) ?? follow(act)
    if (stuck !== null) return E.left(stuck)
  }
  isApart ||= (intervention()?.at ?? never) < to
  const stuck = isApart ? liveUntil(to, acts.length) : null
  return stuck === null ? E.right({ moments: sim.moments, ends, assumed, without }) : E.left(stuck)
}

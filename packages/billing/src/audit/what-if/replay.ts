import {
  dueAt,
  hourMs,
  isSame,
  nextStep,
  type Policy,
  type Stopped,
  type SubscriptionCommand,
  type SubscriptionStep,
  type UnixMs,
  unixMs,
  withoutRate,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { answers, asksFor } from './asks.ts'
import { evidenceOf } from './evidence.ts'
import { fitting } from './fitting.ts'
import { amountOf, endOf, ownStep, type Stand } from './own-steps.ts'
import { byPolicy, type Moment, type Simulation, simulation } from './simulation.ts'
import type { TracedAct } from './traced.ts'

/** What a replay goes by. Times from `from` on and before `to` are lived by the changed policy. */
export type World = {
  readonly policyAt: (at: UnixMs) => Policy
  readonly changed: (policy: Policy) => Policy
  readonly stoppedAt: (at: UnixMs) => Stopped
  readonly from: UnixMs
  readonly to: UnixMs
  /** A recorded step within so much after a step of the simulation is the same step: the worker was that late. */
  readonly latenessMs: number
  /** Has the simulation live by its own clock from `from` on even where nothing differs from the record. */
  readonly isByClock: boolean
}

/** `assumed`: how many of the charges have an end that no record tells; `without`: acts of people that came to nothing. */
export type Replayed = {
  readonly moments: ReadonlyArray<Moment>
  readonly ends: number
  readonly assumed: number
  readonly without: number
}

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
  const { from, to, changed } = world
  const evidence = evidenceOf(acts)
  const recorded = acts.at(-1)?.state.attempts ?? []
  const own = (id: string): boolean => !recorded.some(({ paymentId }) => paymentId === id)
  let pending: ReturnType<typeof endOf> | null = null
  let [isApart, number, ends, assumed, without] = [false, 0, 0, 0, 0]

  const policyAt = (at: UnixMs): Policy => (at < from ? world.policyAt(at) : changed(world.policyAt(at)))
  const standAt = (now: UnixMs, state: Stand['state'], seen = evidence): Stand => {
    number += 1
    return { state, now, policy: policyAt(now), evidence: seen, recorded, number }
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
      const due = dueAt(state)
      const at = Math.max(now, Math.min(due ?? Number.POSITIVE_INFINITY, pending?.at ?? Number.POSITIVE_INFINITY))
      if (at >= until) return null
      now = unixMs(at)
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

  const follow = (act: TracedAct): Stuck | null => {
    const { command, role, at } = act
    const { state } = sim
    const now = unixMs(Math.max(at, sim.now))
    const policy = policyAt(now)
    if (state === null) {
      sim.give(command, now)
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
          sim.give(
            {
              ...command,
              price,
              amount: isSame(price, command.price) ? command.amount : amountOf({ recorded, now }, price),
            },
            now,
          )
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
      case 'outside':
        if (sim.give(fitting(command, state), now).length === 0) without += 1
        return null
    }
  }

  for (const [index, act] of acts.entries()) {
    if (act.at >= to) break
    isApart ||= world.isByClock && act.at >= from
    isApart ||= partsAt(sim, act, act.at < from ? act.policy : changed(act.policy))
    if (!isApart) {
      const policy = act.at < from ? act.policy : changed(act.policy)
      const events = sim.give(byPolicy(act.command, policy), act.at)
      if (act.role === 'outcome') ends += 1
      isApart = !isSame(events, act.events)
      continue
    }
    const stuck = liveUntil(act.at, index) ?? follow(act)
    if (stuck !== null) return E.left(stuck)
  }
  const stuck = isApart ? liveUntil(to, acts.length) : null
  return stuck === null ? E.right({ moments: sim.moments, ends, assumed, without }) : E.left(stuck)
}

/** Whether a policy asks for something else than what the clock has done. */
const partsAt = ({ state }: Simulation, { command, role, at, policy: before }: TracedAct, policy: Policy): boolean => {
  if (state === null || role !== 'clock') return false
  if (!asksFor(state, command, at, policy)) return true
  if (!isAboutRates(command)) return false
  const mayBeAgreed = (by: Policy): boolean => withoutRate(state, by, at, 'no_rate').mayBeAgreed
  return mayBeAgreed(before) !== mayBeAgreed(policy)
}

/** Whether a command is what a policy made of a charge that had no rate, or may have had none. */
const isAboutRates = (command: SubscriptionCommand): boolean =>
  command.type === 'DelayCharge' ||
  command.type === 'EndUnsettled' ||
  (command.type === 'AttemptCharge' && command.agreedRates !== undefined)

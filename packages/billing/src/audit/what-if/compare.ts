import { hourMs, isSame, type Policy, type RecordedEvent, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { actsOf } from './acts.ts'
import type { Policies } from './circumstances.ts'
import { type Figures, figuresOf } from './figures.ts'
import { notOtherwise, type OtherRules } from './other-rules.ts'
import { type Replayed, replay, type Stuck } from './replay.ts'
import { type NotReproduced, traced } from './traced.ts'
import type { World } from './world.ts'

/** What a subscription is replayed by. `changed` is the policy in place of a recorded one, `rules` what else is different. */
export type Question = {
  readonly policies: Policies
  readonly changed: (policy: Policy) => Policy
  readonly rules: OtherRules
  readonly stoppedAt: World['stoppedAt']
  readonly from: UnixMs
  readonly to: UnixMs
}

/**
 * A subscription as it was, as it would have been, and as the simulation has it by the policies that counted, without following
 * the record's clock: the error of the method. `isOtherwise`: whether it would have lived otherwise.
 */
export type Compared = Pick<Replayed, 'ends' | 'assumed' | 'without'> & {
  readonly recorded: Figures
  readonly changed: Figures
  readonly control: Figures
  readonly isOtherwise: boolean
}

/** A worker takes a step within an hour after it is due, unless it was away. */
const latenessMs = hourMs

/** Replays the stream of one subscription. Nothing is written, and nothing but these events is read. */
export const compare = (
  recorded: ReadonlyArray<RecordedEvent>,
  { policies, ...question }: Question,
): E.Either<NotReproduced | Stuck, Compared> => {
  const acts = traced(actsOf(recorded), policies.of)
  if (E.isLeft(acts)) return acts
  const { from, to } = question
  const world = { ...question, policyAt: policies.at, latenessMs, isByClock: false }
  const changed = replay(acts.right, world)
  if (E.isLeft(changed)) return changed
  const control = replay(acts.right, {
    ...world,
    changed: (policy) => policy,
    rules: notOtherwise,
    isByClock: true,
  })
  if (E.isLeft(control)) return control
  const { moments, ...counts } = changed.right
  const lived = acts.right.filter(({ at }) => at < to)
  const events = (each: ReadonlyArray<{ readonly events: unknown }>) => each.map((moment) => moment.events)
  return E.right({
    ...counts,
    recorded: figuresOf(lived, from, to),
    changed: figuresOf(moments, from, to),
    control: figuresOf(control.right.moments, from, to),
    isOtherwise: !isSame(events(moments), events(lived)),
  })
}

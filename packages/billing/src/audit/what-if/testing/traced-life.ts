import { type Policy, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import type { Life } from '@quittance/domain/testing/subscription-life'
import { present } from '../../../testing/outcomes.ts'
import type { Act } from '../acts.ts'
import { notOtherwise } from '../other-rules.ts'
import { traced } from '../traced.ts'
import type { World } from '../world.ts'
import { actsOfLife } from './acts-of-life.ts'

export const tracedLife = (life: Life) => {
  const acts = actsOfLife(life)
  return right(traced(acts, ({ revision }) => present(acts.find((act) => act.revision === revision)).policy))
}

/** A world in which nothing is different. */
export const sameWorld = ({ policy, now }: Pick<Life, 'policy' | 'now'>): World => ({
  policyAt: () => policy,
  changed: (before: Policy) => before,
  rules: notOtherwise,
  stoppedAt: () => ({ sales: false, charges: false }),
  from: unixMs(0),
  to: unixMs(now + 1),
  latenessMs: 0,
  isByClock: false,
})

/** When what happened, without what it says. */
export const shapeOf = (acts: ReadonlyArray<Pick<Act, 'at' | 'events'>>) =>
  acts.map(({ at, events }) => [at, ...events.map(({ type }) => type)])

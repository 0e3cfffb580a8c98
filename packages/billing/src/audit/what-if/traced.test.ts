import { anyLife, live } from '@quittance/domain/testing/any-subscription-life'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { present } from '../../testing/outcomes.ts'
import { actsOfLife } from './testing/acts-of-life.ts'
import { traced } from './traced.ts'

describe('the acts of a subscription', () => {
  it('are reproduced event for event by the commands behind them, whatever has happened to it', () =>
    fc.assert(
      fc.property(anyLife, (script) => {
        const acts = actsOfLife(live(script))
        const found = traced(acts, ({ revision }) => present(acts.find((act) => act.revision === revision)).policy)
        if (E.isLeft(found))
          throw new Error(
            JSON.stringify([found.left.why, acts.find(({ revision }) => revision === found.left.revision)], (_, v) =>
              typeof v === 'bigint' ? `${v}` : v,
            ),
          )
        expect(found.right.map(({ events }) => events)).toEqual(acts.map(({ events }) => events))
      }),
      { numRuns: 300 },
    ))
})

import { dueAt, hourMs, stopAt, stuckFor, unixMs } from '@quittance/domain'
import { anyLife, live } from '@quittance/domain/testing/any-subscription-life'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { foldRow } from './read-model.ts'
import { subscriptions } from './subscriptions.ts'

import { alarmsOf, id, written } from './testing/subscriptions.ts'

describe('the read model of subscriptions', () => {
  it('says what the stream says, and when something is due, whatever was lived', () =>
    fc.assert(
      fc.asyncProperty(anyLife, async (script) => {
        const life = live(script)
        const { log, events, models } = await written(life)
        const row = (await models.subscriptions.withId(id))?.row
        expect(O.some(row)).toEqual(foldRow(subscriptions, events))
        const { attempts: _, ...known } = life.state
        expect(row).toMatchObject(known)
        expect(await models.subscriptions.nextDue('testnet', 0)).toBe(dueAt(life.state))
        log.store.close()
      }),
      { numRuns: 60 },
    ))
})

describe('the to-do list of who has to look at subscriptions', () => {
  it('holds whatever stands, whatever was lived', () =>
    fc.assert(
      fc.asyncProperty(anyLife, fc.constantFrom('unknown' as const, 'no_rate' as const), async (script, ends) => {
        const life = live(script)
        life.pass(unixMs(life.now + 33 * 24 * hourMs), () => ends)
        const stands = stuckFor(life.state) !== null || stopAt(life.state, life.now) !== null
        if (stands) expect(await alarmsOf(life)).toBe(1)
      }),
      { numRuns: 60 },
    ))
})

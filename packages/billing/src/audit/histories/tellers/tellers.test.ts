import { readFileSync } from 'node:fs'
import { type RecordedEvent, Subscription } from '@quittance/domain'
import { anyLife, live } from '@quittance/domain/testing/any-subscription-life'
import fc from 'fast-check'
import { voiceOf } from './index.ts'
import { subscriptionTeller } from './subscription/index.ts'

/** Categories whose streams belong to the installation, to an account or to the log, and to the history of no resource. */
const withoutHistory = new Set([
  'channel',
  'following',
  'log',
  'log_transparency',
  'migration',
  'reservation',
  'screening',
  'stellartx',
  'team',
])

const recordedAt = 1_800_000_000_000
const recorded = (event: Parameters<typeof Subscription.events.encodeEvent>[0], revision: number): RecordedEvent => ({
  ...Subscription.events.encodeEvent(event),
  id: `event-${revision}`,
  stream: 'subscription-sub_1',
  revision: BigInt(revision),
  position: BigInt(revision),
  recordedAt,
  metadata: {
    merchantId: 'mer_1',
    environment: 'testnet',
    commandId: 'command',
    correlationId: 'command',
    causationId: null,
    actor: 'process',
    occurredAt: recordedAt,
    previousHash: '',
    hash: '',
  },
})

describe('what is told of events', () => {
  it('has a voice for the streams of every resource', () => {
    const file = new URL('../../../../../domain/src/testing/released-events.json', import.meta.url)
    const released: ReadonlyArray<{ category: string }> = JSON.parse(readFileSync(file, 'utf8'))
    const categories = new Set(released.map(({ category }) => category))
    for (const category of categories) {
      const resource = () => voiceOf(`${category}-x`).resource
      if (withoutHistory.has(category)) expect(resource).toThrow(`no history holds ${category}-x`)
      else expect(resource()).toMatch(/^[a-z_]+$/)
    }
  })

  it('tells every event of any life of a subscription, in sentences without stroops, milliseconds or missing words', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const { history: events } = live(life)
        const told = subscriptionTeller.tell(events.map(recorded))
        expect(told).toHaveLength(events.length)
        for (const { told: each, status } of told) {
          expect(`${each.what} ${each.why ?? ''}`).not.toMatch(/\d{12}|undefined|NaN|\[object|_/)
          expect(each.what).toMatch(/^[A-Z]/)
          expect(status).not.toBeNull()
        }
      }),
    )
  })
})

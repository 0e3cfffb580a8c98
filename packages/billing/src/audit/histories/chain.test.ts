import { causesOf, whyStatus } from './chain.ts'
import type { TimelineEntry } from './timeline.ts'

const entry = (id: string, status: string, cause: string | null, of = 'sub_1'): TimelineEntry => ({
  id,
  object: 'history_entry',
  resource: { object: 'subscription', id: of },
  type: id,
  revision: 0,
  occurred_at: '2026-11-28T00:00:00.000Z',
  recorded_at: '2026-11-28T00:00:00.000Z',
  actor: 'process',
  actor_type: 'service',
  what: id,
  why: null,
  cause: cause === null ? { type: 'clock', entry_id: null } : { type: 'event', entry_id: cause },
  status,
  price: null,
  rates: [],
  amount: null,
  amount_stroops: null,
  asset_id: null,
  transaction_hash: null,
  ledger: null,
  command_id: id,
  correlation_id: id,
  causation_id: null,
  hash: '',
})
const ids = (entries: ReadonlyArray<TimelineEntry> | null) => entries?.map(({ id }) => id) ?? null

const life = [
  entry('started', 'active', null),
  entry('attempted', 'active', null),
  entry('refused', 'refused', 'attempted', 'int_1'),
  entry('failed', 'past_due', 'refused'),
  entry('failed again', 'past_due', 'failed'),
  entry('paid', 'active', null),
]

describe('why a resource has a status', () => {
  it('begins with what no entry has caused, through entries of other resources', () => {
    expect(ids(whyStatus(life, 'sub_1', 'past_due'))).toEqual(['attempted', 'refused', 'failed'])
  })
  it('is why it last came into that status, not why it stayed', () => {
    expect(ids(whyStatus(life, 'sub_1', 'active'))).toEqual(['paid'])
  })
  it('is not known of a status that it never had', () => {
    expect(whyStatus(life, 'sub_1', 'canceled')).toBeNull()
  })
  it('ends at a cause that the reader may not see', () => {
    const shown = life.filter(({ id }) => id !== 'refused')
    expect(shown.flatMap((each) => (each.id === 'failed' ? ids(causesOf(shown, each)) : []))).toEqual(['failed'])
  })
})

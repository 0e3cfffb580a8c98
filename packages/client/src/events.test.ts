import { createClient } from './index.ts'
import { manualClock } from './testing/manual-clock.ts'
import { cuts, type Step, says, scriptedServices } from './testing/scripted-service.ts'

const services = scriptedServices()
afterEach(services.closeAll)

const at = '2026-11-20T10:00:00.000Z'
const idOf = (number: number): string => `evt_${String(number).padStart(22, '0')}`
const webhook = {
  id: 'wh_7nQe4Cw0XbDq1yLZs5Tt0u',
  object: 'webhook',
  name: 'A hook',
  url: 'https://shop.example/hook',
  events: ['*'],
  is_disabled: true,
  description: null,
  environment: 'testnet',
  created_at: at,
  updated_at: at,
}
const event = (number: number) => ({
  id: idOf(number),
  type: 'webhook.disabled',
  timestamp: at,
  api_version: '2026-11-20',
  environment: 'testnet',
  resource_id: webhook.id,
  sequence: number,
  data: webhook,
})
const pageOf = (numbers: ReadonlyArray<number>, has_more: boolean): Step =>
  says(200, { data: { object: 'list', data: numbers.map(event), has_more, url: '/events' } })

const all = async <A>(list: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const each of list) found.push(each)
  return found
}

const begin = async (...script: readonly [Step, ...Step[]]) => {
  const service = await services.start(...script)
  const clock = manualClock()
  const { events } = createClient({ baseUrl: service.url, apiKey: 'sk_test_1', clock, maxRetries: 0 })
  return { asked: () => service.received.map(({ request }) => request), clock, events }
}

describe('events', () => {
  it('listing events requests page after page', async () => {
    const { asked, events } = await begin(pageOf([1, 2], true), pageOf([3], true), pageOf([], false))
    const walked = await all(events.list({ type: 'webhook.disabled' }))
    expect(walked).toEqual([event(1), event(2), event(3)])
    const query = 'limit=100&type=webhook.disabled'
    expect(asked()).toEqual([
      `GET /events?${query}`,
      `GET /events?${query}&after=${idOf(2)}`,
      `GET /events?${query}&after=${idOf(3)}`,
    ])
  })

  it('a single page of events can be requested', async () => {
    const { asked, events } = await begin(pageOf([5], true))
    expect(await events.list({ after: idOf(4) }).page()).toMatchObject({ data: [event(5)], has_more: true })
    expect(asked()).toEqual([`GET /events?after=${idOf(4)}`])
  })

  it('following yields existing events at once, later ones after a pause, and nothing once aborted', async () => {
    const { asked, clock, events } = await begin(pageOf([1, 2], false), pageOf([], false), pageOf([3], false))
    const stopping = new AbortController()
    const seen: Array<unknown> = []
    const following = (async () => {
      for await (const each of events.follow({ after: idOf(0) }, { pauseMs: 250, signal: stopping.signal })) {
        seen.push(each)
        if (each.sequence === 3) stopping.abort()
      }
    })()
    await clock.pass(250)
    await clock.pass(250)
    await following
    expect(seen).toEqual([event(1), event(2), event(3)])
    expect(asked().map((request) => /after=(\w+)/.exec(request)?.[1])).toEqual([idOf(0), idOf(2), idOf(2)])
  })

  it('a failed request ends the following, which can resume after the last event', async () => {
    const { asked, events, clock } = await begin(pageOf([1], false), cuts, pageOf([2], false))
    const seen: Array<string> = []
    const following = (async () => {
      for await (const { id } of events.follow()) seen.push(id)
    })()
    await Promise.all([
      expect(following).rejects.toMatchObject({ failure: { _tag: 'Unreachable' } }),
      clock.pass(1_000),
    ])
    const [next] = await all(events.list({ after: idOf(1) }))
    expect([...seen, next?.id]).toEqual([idOf(1), idOf(2)])
    expect(asked()).toHaveLength(3)
  })
})

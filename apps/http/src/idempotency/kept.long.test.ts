import { type KeyedCommand, keyedCommands } from '../testing/keyed-commands.ts'
import { openKeyedShop } from '../testing/keyed-shop.ts'
import type { KeyedRequest } from '../testing/killable.ts'
import { type Service, startService } from '../testing/service.ts'

const daySeconds = 24 * 60 * 60

describe('a keyed request that is repeated after the stored answers are forgotten', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const ask = ({ method, path, body, key }: KeyedRequest) =>
    service.api(path, { method, ...(body === undefined ? {} : { body }), headers: { 'idempotency-key': key } })
  const advance = async (days: number) => {
    const { status } = await service.api('/sandbox/advance', { body: { seconds: days * daySeconds } })
    expect(status).toBe(200)
  }
  const counts = async () => {
    const listed: Record<string, number> = {}
    for (const list of [
      '/product',
      '/customers',
      '/checkout',
      '/webhooks',
      '/refunds',
      '/payouts',
      '/payout_destinations',
    ])
      listed[list] = (await service.api(`${list}?limit=100`)).body.data.data.length
    return listed
  }
  /** Without challenges, which are made anew when an unused one has expired, and without what a worker counts since. */
  const lasting = (body: unknown): unknown =>
    JSON.parse(
      JSON.stringify(body, (name, value: unknown) =>
        ['challenge', 'transaction', 'synced_at', 'progress', 'all_noticed'].includes(name) ? undefined : value,
      ),
    )

  it('does nothing again: every route, after 32 and after 400 days', async () => {
    const shop = await openKeyedShop(service)
    const asked: Array<{ command: KeyedCommand; request: KeyedRequest; first: unknown }> = []
    for (const [index, command] of keyedCommands.entries()) {
      const key = `k${index}`
      const request = { ...(await command.given(shop, key)), key }
      const { status, body } = await ask(request)
      expect([command.route, status]).toEqual([command.route, 200])
      asked.push({ command, request, first: lasting(body) })
    }
    for (const days of [32, 368]) {
      await advance(days)
      const before = await counts()
      const told: Array<unknown> = []
      const expected: Array<unknown> = []
      for (const { command, request, first } of asked) {
        const { route, how } = command
        const { status, body } = await ask(request)
        told.push({ days, route, how, status, body: lasting(body) })
        expected.push({ days, route, how, status: 200, body: first })
      }
      expect(told).toEqual(expected)
      expect(await counts()).toEqual(before)
    }
  })
})

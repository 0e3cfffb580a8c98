import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet } from '../testing/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const advance = (body: object | string) => service.api('/sandbox/advance', { body })
const now = async (): Promise<number> => Date.parse((await service.api('/sandbox/clock')).body.data.now)
const hourMs = 60 * 60 * 1000

describe("the sandbox's clock", () => {
  it('shows time and ledger, and moves the clock while ledgers close', async () => {
    const { body } = await service.api('/sandbox/clock')
    expect(body).toEqual({
      data: { now: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), ledger: expect.any(Number) },
    })
    const before = await now()
    const moved = await advance({ seconds: 3600 })
    expect({ status: moved.status, keys: Object.keys(moved.body.data) }).toEqual({
      status: 200,
      keys: ['now', 'ledger'],
    })
    expect(Date.parse(moved.body.data.now) - before).toBeGreaterThanOrEqual(hourMs)
    expect(moved.body.data.ledger).toBeGreaterThan(body.data.ledger)
    expect(await now()).toBeGreaterThanOrEqual(Date.parse(moved.body.data.now))
  })

  it('moves the clock to a moment, and serialises concurrent moves', async () => {
    const to = (await now()) + hourMs
    expect(Date.parse((await advance({ to: new Date(to).toISOString() })).body.data.now)).toBeGreaterThanOrEqual(to)
    const before = await now()
    const moved = await Promise.all([advance({ seconds: 600 }), advance({ seconds: 600 }), advance({ seconds: 600 })])
    expect(moved.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await now()) - before).toBeGreaterThanOrEqual(1_800_000)
  })

  it('a move of the clock ends only sessions whose time is over', async () => {
    const early = await openSale(service)
    await advance({ seconds: 12 * 3600 })
    const late = await openSale(service)
    await advance({ seconds: 13 * 3600 })
    const statusOf = async (id: string) => (await service.api(`/checkout/${id}`)).body.data.status
    expect([await statusOf(early.id), await statusOf(late.id)]).toEqual(['expired', 'open'])
  }, 30_000)

  it('a move of the clock past its end fails a partially paid session and its payment', async () => {
    const sale = await openSale(service)
    const wallet = await fundedWallet(service.facts)
    await wallet.pay({ ...sale, amount: '1' })
    await advance({ seconds: 25 * 3600 })
    const checkout = (await service.api(`/checkout/${sale.id}`)).body.data
    expect(checkout).toMatchObject({ status: 'failed', failure_reason: 'underpaid' })
    const payment = (await service.api(`/payment/${checkout.payment_id}`)).body.data
    expect(payment).toMatchObject({ status: 'failed', amount: '1 XLM', checkout_id: sale.id })
  }, 30_000)

  it("drives the countdown of a page by the sandbox's clock", async () => {
    const { id } = await openSale(service)
    await advance({ seconds: 3600 })
    const before = await now()
    const page: string = (await service.anyone(`/pay/${id}`)).body
    const [, data = ''] = /<script type="application\/json" id="checkout-data">([^<]*)</.exec(page) ?? []
    const shown = Date.parse(JSON.parse(data).now)
    expect(shown).toBeGreaterThanOrEqual(before)
    expect(shown).toBeLessThanOrEqual(await now())
  })

  it('confirms a sent payment before the clock has moved', async () => {
    const sale = await openSale(service)
    const wallet = await fundedWallet(service.facts)
    await wallet.ledger.sendTransaction(await wallet.payment(sale))
    await advance({ seconds: 0 })
    expect((await service.api(`/checkout/${sale.id}`)).body.data.status).toBe('completed')
    expect((await completed(service, sale.id)).late).toBe(false)
  }, 30_000)

  it.each([
    ['nothing', {}, 'invalid_request', 'seconds'],
    ['both', { seconds: 1, to: '2100-01-01T00:00:00Z' }, 'invalid_request', 'seconds'],
    ['half a second', { seconds: 0.5 }, 'invalid_request', 'seconds'],
    ['less than nothing', { seconds: -1 }, 'invalid_request', 'seconds'],
    ['a text', { seconds: '60' }, 'invalid_request', 'seconds'],
    ['more than ten years', { seconds: 400_000_000 }, 'invalid_request', 'seconds'],
    ['no date', { to: 'tomorrow' }, 'invalid_request', 'to'],
    ['a number for a moment', { to: 1_900_000_000 }, 'invalid_request', 'to'],
    ['a moment without a zone', { to: '2030-01-01T00:00:00' }, 'invalid_request', 'to'],
    ['the 30th of February', { to: '2030-02-30T10:00:00Z' }, 'invalid_request', 'to'],
    ['the 25th hour', { to: '2030-02-28T25:00:00Z' }, 'invalid_request', 'to'],
    ['a moment far away', { to: '9999-01-01T00:00:00Z' }, 'invalid_request', 'to'],
    ['the past', { to: '2020-01-01T00:00:00Z' }, 'target_in_the_past', 'to'],
  ])('refuses to move the clock by %s', async (_, body, code, param) => {
    const { status, body: answer } = await advance(body)
    expect({ status, body: answer }).toEqual({ status: 400, body: problem(code, param) })
  })

  it.each(['[]', 'null', '"60"', ''])('refuses to move the clock by the body %s', async (body) => {
    const { status, body: answer } = await advance(body)
    expect({ status, body: answer }).toEqual({ status: 400, body: problem('invalid_request', 'body') })
  })
})

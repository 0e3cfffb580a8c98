import { provenDestination } from '../testing/destination.ts'
import { eventually } from '../testing/eventually.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let operator: Operator
let wallet: Wallet
let usdc: string
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir)
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
  const sale = await openSale(service, { amount: 100, currency_code: 'USDC' })
  await wallet.pay(sale)
  await completed(service, sale.id)
}, 30_000)
afterAll(async () => {
  await operator.close()
  await service.close()
})

const refused = (status: number, code: string) => ({ status, body: { code } })

const proven = () => provenDestination(service, wallet)
const request = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  service.api('/payouts', { body: { asset_id: usdc, amount: '1', ...body }, headers })
const balance = async () => {
  const { body } = await service.api('/balance')
  return body.data.find(({ asset_id }: { readonly asset_id: string }) => asset_id === usdc)
}

describe('a payout', () => {
  it('accepts, lists, reports and pays a payout, and updates the balance', async () => {
    const destination = await proven()
    expect(await balance()).toMatchObject({ object: 'balance', code: 'USDC', ledger: '100', available: '100' })
    const headers = { 'idempotency-key': 'payout-1' }
    const asked = await request({ amount: 12.5, destination, metadata: { month: '11' } }, headers)
    expect(asked).toMatchObject({
      status: 200,
      body: { data: { object: 'payout', status: 'pending', amount: '12.5 USDC', destination: wallet.address } },
    })
    const { id } = asked.body.data
    expect((await request({ amount: 12.5, destination, metadata: { month: '11' } }, headers)).body).toEqual(asked.body)
    const ended = await eventually(
      () => service.api(`/payouts/${id}`),
      ({ body }) => body.data.status !== 'pending',
    )
    expect(ended.body.data).toMatchObject({ status: 'succeeded', failure_reason: null })
    expect(await balance()).toMatchObject({ ledger: '87.5', available: '87.5', held: '0', in_flight: '0' })
    expect((await service.api(`/payouts?asset_id=${usdc}`)).body.data.data).toEqual([ended.body.data])
    expect((await service.api('/payouts?asset_id=native')).body.data.data).toEqual([])
    const told = (await service.api(`/events?resource_id=${id}`)).body.data.data
    expect(told.map(({ type }: { readonly type: string }) => type)).toEqual(['payout.created', 'payout.succeeded'])
    expect(await service.api(`/payouts/${id}/cancel`, { method: 'POST' })).toMatchObject(
      refused(409, 'payout_not_cancelable'),
    )
  })

  it.each<[object, number, string]>([
    [{ amount: 0 }, 400, 'amount_not_positive'],
    [{ amount: '0.0' }, 400, 'amount_not_positive'],
    [{ amount: -1 }, 400, 'malformed_amount'],
    [{ amount: 1e-9 }, 400, 'malformed_amount'],
    [{ amount: '1e3' }, 400, 'invalid_request'],
    [{ amount: 'ALL' }, 400, 'invalid_request'],
    [{ amount: '12.50000001' }, 400, 'invalid_request'],
    [{ amount: '999999999999' }, 400, 'amount_too_large'],
    [{ amount: null }, 400, 'invalid_request'],
    [{ amount: '1000000' }, 409, 'insufficient_funds'],
    [{ asset_id: 'USDC:GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA' }, 400, 'unsupported_asset'],
    [{ asset_id: 'USDC' }, 400, 'invalid_request'],
    [{ destination: 'pdst_0000000000000000000000' }, 404, 'not_found'],
    [{ destination: '../../etc' }, 404, 'not_found'],
    [{ memo: 'é'.repeat(15) }, 400, 'malformed_memo'],
    [{ memo: 'po_0000000000000000000000' }, 400, 'malformed_memo'],
    [{ memo: '18446744073709551616', memo_type: 'id' }, 400, 'malformed_memo'],
    [{ memo: '-1', memo_type: 'id' }, 400, 'malformed_memo'],
    [{ memo: '1', memo_type: 'hash' }, 400, 'invalid_request'],
    [{ metadata: { a: { toJSON: 1 } }, destination: 7 }, 400, 'invalid_request'],
  ])('refuses a payout with %j: %d %s', async (body, status, code) => {
    const [destination] = (await service.api('/payout_destinations')).body.data.data
    expect(await request({ destination: destination.id, ...body })).toMatchObject(refused(status, code))
  })

  it('pays out only to destinations that a secret key registered, even with an app token', async () => {
    const { secret } = await operator.createKey(service.facts.merchant_id, {
      scopes: ['payouts:read', 'payouts:write'],
    })
    const asThief = (path: string, body: object, method = 'POST') =>
      fetch(`${service.url}${path}`, {
        method,
        headers: { 'x-app-token': secret, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const thief = await fundedWallet(service.facts, [usdc])
    expect((await asThief('/payout_destinations', { address: thief.address })).status).toBe(403)
    const own = { asset_id: usdc, amount: '1', destination: thief.address }
    expect((await asThief('/payouts', own)).status).toBe(404)
    const [destination] = (await service.api('/payout_destinations')).body.data.data
    const memo = { asset_id: usdc, amount: '1', destination: destination.id, memo: 'user 666' }
    expect((await asThief('/payouts', memo)).status).toBe(403)
    expect((await asThief(`/payout_destinations/${destination.id}`, {}, 'DELETE')).status).toBe(403)
    expect((await asThief('/payouts', { ...memo, memo: null })).status).toBe(200)
  })
})

describe('a payout destination', () => {
  it('delays an unproven payout destination by a day, and reports it at once', async () => {
    const stranger = await fundedWallet(service.facts, [usdc])
    const body = { address: stranger.address, label: 'the bank' }
    const { data } = (await service.api('/payout_destinations', { body })).body
    expect(data).toMatchObject({
      object: 'payout_destination',
      status: 'registered',
      via: 'waiting',
      label: 'the bank',
    })
    expect(await request({ destination: data.id })).toMatchObject(refused(409, 'destination_not_usable_yet'))
    const told = (await service.api(`/events?resource_id=${data.id}`)).body.data.data
    expect(told).toMatchObject([{ type: 'payout_destination.created', data: { address: stranger.address } }])
    const unsigned = { body: { transaction: data.challenge.transaction } }
    expect(await service.api(`/payout_destinations/${data.id}/verify`, unsigned)).toMatchObject(
      refused(400, 'challenge_not_signed'),
    )
    expect((await service.api(`/payout_destinations/${data.id}`, { method: 'DELETE' })).body.data).toEqual({
      id: data.id,
      object: 'payout_destination',
      deleted: true,
    })
    expect(await request({ destination: data.id })).toMatchObject(refused(404, 'not_found'))
  })

  it.each<[object, string]>([
    [{ address: 'GABC' }, 'malformed_address'],
    [{ address: 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN' }, 'malformed_address'],
    [{ address: '<script>alert(1)</script>' }, 'malformed_address'],
    [{}, 'invalid_request'],
  ])('refuses a payout destination with %j: %s', async (body, code) =>
    expect(await service.api('/payout_destinations', { body })).toMatchObject(refused(400, code)),
  )
})

describe('a payout schedule', () => {
  it('sets, shows and removes a payout schedule', async () => {
    const destination = await proven()
    const body = { asset_id: usdc, interval: 'weekly', weekly_anchor: 'friday', reserve: '20', destination }
    const set = await service.api('/payout_schedules', { method: 'PUT', body })
    expect(set.body.data).toMatchObject({
      object: 'payout_schedule',
      asset_id: usdc,
      interval: 'weekly',
      weekly_anchor: 'friday',
      threshold: null,
      reserve: '20',
      destination,
    })
    expect((await service.api('/payout_schedules')).body.data).toEqual([set.body.data])
    const removed = await service.api(`/payout_schedules/${usdc}`, { method: 'DELETE' })
    expect(removed.body.data).toEqual({ object: 'payout_schedule', asset_id: usdc, deleted: true })
    expect((await service.api('/payout_schedules')).body.data).toEqual([])
    expect(await service.api('/payout_schedules/native', { method: 'DELETE' })).toMatchObject(refused(404, 'not_found'))
  })

  it.each<[object, number, string]>([
    [{ interval: 'threshold' }, 400, 'threshold_missing'],
    [{ interval: 'threshold', threshold: '0' }, 400, 'threshold_missing'],
    [{ interval: 'hourly' }, 400, 'invalid_request'],
    [{ reserve: '-1' }, 400, 'invalid_request'],
    [{ destination: 'pdst_0000000000000000000000' }, 404, 'not_found'],
  ])('refuses a payout schedule with %j: %d %s', async (body, status, code) => {
    const [destination] = (await service.api('/payout_destinations')).body.data.data
    const wanted = { asset_id: usdc, interval: 'daily', destination: destination.id, ...body }
    expect(await service.api('/payout_schedules', { method: 'PUT', body: wanted })).toMatchObject(refused(status, code))
  })
})

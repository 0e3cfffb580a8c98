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
let destination: string
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir)
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
  const sale = await openSale(service, { amount: 100, currency_code: 'USDC' })
  await wallet.pay(sale)
  await completed(service, sale.id)
  destination = await provenDestination(service, wallet)
}, 30_000)
afterAll(async () => {
  await operator.close()
  await service.close()
})

const tokenFor = async (...scopes: ReadonlyArray<string>) => {
  const { secret } = await operator.createKey(service.facts.merchant_id, { scopes })
  const headers = { 'x-app-token': secret }
  return (path: string, body?: object) =>
    service.anyone(path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) })
}
const limit = (body: object) => service.api('/limits', { method: 'PUT', body })
const payOut = (amount: string, key: string) =>
  service.api('/payouts', { body: { asset_id: usdc, amount, destination }, headers: { 'idempotency-key': key } })
const ended = (id: string) =>
  eventually(
    () => service.api(`/payouts/${id}`),
    ({ body }) => body.data.status !== 'pending',
  )

it('a payout over the limit waits until the token of another person approves it', async () => {
  expect(await limit({ scope: 'merchant', amount: '25' })).toMatchObject({
    status: 200,
    body: { data: { object: 'limits', currency: 'USD', limits: [{ scope: 'merchant', amount: '25' }], used_24h: '0' } },
  })
  const within = await payOut('20', 'one')
  expect(within.body.data.approval_id).toBeNull()
  expect((await ended(within.body.data.id)).body.data.status).toBe('succeeded')
  const over = await payOut('10', 'two')
  const { id, approval_id } = over.body.data
  expect(over).toMatchObject({ status: 200, body: { data: { status: 'pending', approval_id: expect.any(String) } } })
  expect((await payOut('10', 'two')).body).toEqual(over.body)
  await service.api('/sandbox/advance', { body: { seconds: 60 } })
  expect((await service.api(`/payouts/${id}`)).body.data).toMatchObject({ status: 'pending', approval_id })

  const clerk = await tokenFor('approvals:read', 'approvals:write')
  const { data } = (await clerk('/approvals?status=waiting')).body.data
  expect(data).toMatchObject([{ id: approval_id, of: 'payout', subject_id: id, amount: '10 USDC', value_usd: '10' }])
  const refusal = await service.api(`/approvals/${approval_id}/approve`, { body: {} })
  expect([refusal.status, refusal.body.code]).toEqual([403, 'approval_by_requester'])
  expect((await clerk('/limits')).body.data).toMatchObject({ used_24h: '20' })
  const approved = await clerk(`/approvals/${approval_id}/approve`, { note: 'Ada called' })
  expect(approved).toMatchObject({ status: 200, body: { data: { status: 'approved', note: 'Ada called' } } })
  expect((await ended(id)).body.data).toMatchObject({ status: 'succeeded', approval_id: null })
  expect((await payOut('10', 'two')).body).toEqual(over.body)
  const late = await clerk(`/approvals/${approval_id}/reject`, {})
  expect([late.status, late.body.code]).toEqual([409, 'approval_ended'])
  const told = (await service.api(`/events?resource_id=${approval_id}`)).body.data.data
  expect(told.map(({ type }: { readonly type: string }) => type)).toEqual(['approval.requested', 'approval.approved'])
  const changed = (await service.api('/events?type=limits.changed')).body.data.data
  expect(changed).toMatchObject([{ resource_id: service.facts.merchant_id, data: { limits: [{ amount: '25' }] } }])
})

it('only a secret key sets a limit, and only the scope approves', async () => {
  const token = await tokenFor('approvals:read', 'payouts:write')
  expect((await token('/approvals/apr_7nQe4Cw0XbDq1yLZs5Tt0u/approve', {})).status).toBe(403)
  const put = await service.anyone('/limits', {
    method: 'PUT',
    headers: {
      'x-app-token': (await operator.createKey(service.facts.merchant_id, { scopes: ['approvals:write'] })).secret,
    },
    body: { scope: 'merchant', amount: null },
  })
  expect([put.status, put.body.code]).toEqual([403, 'scope_missing'])
})

it.each<[object, number, string]>([
  [{ scope: 'merchant' }, 400, 'invalid_request'],
  [{ scope: 'all', amount: '5' }, 400, 'invalid_request'],
  [{ scope: 'merchant', amount: 5 }, 400, 'invalid_request'],
  [{ scope: 'merchant', amount: '-5' }, 400, 'invalid_request'],
  [{ scope: 'merchant', amount: '5.001' }, 400, 'invalid_request'],
  [{ scope: 'key_0000000000000000000000', amount: '5' }, 404, 'not_found'],
])('the limit %j is answered with %i', async (body, status, code) => {
  const answer = await limit(body)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

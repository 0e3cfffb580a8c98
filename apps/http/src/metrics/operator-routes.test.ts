import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FreezeFailure } from '@quittance/billing'
import { asText } from '@quittance/domain'
import { accountOf } from '@quittance/domain/testing'
import { configFrom, openPlatform, type Platform } from '@quittance/host'
import { keyPairFromSeed } from '@quittance/ledger'
import fastify from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { eventStoreOf } from '../testing/event-store.ts'
import { eventually } from '../testing/eventually.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService, temporaryDirectory } from '../testing/service.ts'
import { fundedWallet } from '../testing/wallet.ts'
import { operatorRoutes } from './operator-routes.ts'

const token = 'operators-only-'.repeat(3)

describe('the operator’s routes beside the metrics', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ QUITTANCE_OPERATOR_TOKEN: token })
  })
  afterAll(() => service.close())

  const send = async (path: string, body?: unknown, authorization = `Bearer ${token}`) => {
    const response = await fetch(new URL(path, service.metricsUrl), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const metrics = async () => (await fetch(new URL('/metrics', service.metricsUrl))).text()
  const asked = { scope: 'sales', reason: 'the rates are wrong', by: 'Ada' }

  it('freeze and unfreeze, and the service says so', async () => {
    const { merchant_id } = service.facts
    const one = { scope: 'sales', merchant_id, changed: true, waiting: 0 }
    expect(await send('/freezes', { ...asked, merchant_id })).toEqual({ status: 200, body: one })
    expect(await send('/freezes', asked)).toEqual({ status: 200, body: { ...one, merchant_id: null } })
    const freeze = { ...asked, at: expect.stringMatching(/Z$/) }
    const [first, second] = [
      { ...freeze, merchant_id },
      { ...freeze, merchant_id: null },
    ]
    expect((await send('/freezes')).body).toEqual([
      { ...first, waiting: 0 },
      { ...second, waiting: 0 },
    ])
    const ready = await send('/ready')
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready', freezes: { status: 'frozen' } } })
    expect(ready.body.freezes.freezes).toEqual([first, second])
    expect(await metrics()).toMatch(
      /quittance_frozen\{scope="sales",of="all"\} 1\nquittance_frozen\{scope="sales",of="merchant"\} 1\nquittance_frozen\{scope="charges",of="all"\} 0/,
    )
    const checkout = await service.api('/checkout?type=direct', { body: { amount: 10, currency_code: 'USD' } })
    expect([checkout.status, checkout.body.code]).toEqual([503, 'sales_frozen'])
    expect(JSON.stringify(checkout.body)).not.toContain('rates')
    expect((await service.anyone('/ready')).body).toEqual({ status: 'ready' })
    for (const merchant of [null, merchant_id])
      expect((await send('/unfreezes', { ...asked, merchant_id: merchant })).body).toMatchObject({ changed: true })
    expect((await send('/freezes')).body).toEqual([])
    expect((await service.api('/checkout?type=direct', { body: { amount: 10, currency_code: 'USD' } })).status).toBe(
      200,
    )
  })

  it('suspend a merchant: its keys read, and change nothing', async () => {
    const { merchant_id } = service.facts
    const suspension = { ...asked, scope: 'everything', merchant_id }
    const { id } = (await service.api('/customers', { body: { email: 'ada@example.com', name: 'Ada' } })).body.data
    expect((await send('/freezes', suspension)).body).toMatchObject({ changed: true })
    const commands = [
      ['/customers', { body: { email: 'bob@example.com', name: 'Bob' } }],
      ['/customers', { body: { email: 'bob@example.com', name: 'Bob' }, headers: { 'idempotency-key': 'bob' } }],
      [`/customers/${id}`, { method: 'DELETE' }],
      ['/payouts', { body: {} }],
    ] as const
    for (const [path, request] of commands) {
      const { status, body } = await service.api(path, request)
      expect([status, body.code]).toEqual([403, 'merchant_suspended'])
    }
    expect((await service.api(`/customers/${id}`)).status).toBe(200)
    expect((await service.api('/payments')).status).toBe(200)
    expect((await send('/unfreezes', suspension)).body).toMatchObject({ changed: true })
    expect((await service.api(...commands[1])).status).toBe(200)
  })

  it.each([
    ['no token', ''],
    ['another token', `Bearer ${'x'.repeat(45)}`],
    ['the token without its scheme', token],
  ])('refuse %s', async (_, authorization) => {
    for (const path of ['/freezes', '/unfreezes'])
      expect(await send(path, asked, authorization)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect((await send('/freezes', undefined, authorization)).status).toBe(401)
    expect((await send('/freezes')).body).toEqual([])
  })

  it('refuse a merchant’s key', async () =>
    expect((await send('/unfreezes', asked, `Bearer ${service.facts.api_key}`)).status).toBe(401))

  it.each([
    ['another scope', 400, { ...asked, scope: 'refunds' }],
    ['everything of all merchants', 400, { ...asked, scope: 'everything' }],
    ['no reason', 400, { scope: 'sales' }],
    ['a blank reason', 400, { ...asked, reason: ' ' }],
    ['a long reason', 400, { ...asked, reason: 'x'.repeat(501) }],
    ['no body', 400, null],
    ['a merchant that does not exist', 404, { ...asked, merchant_id: 'mer_nobody' }],
  ])('answer %s with %i', async (_, status, body) => expect((await send('/freezes', body)).status).toBe(status))
})

describe('a merchant who is closed', () => {
  it('has keys that read, and change nothing', async () => {
    const service = await startService()
    const config = configFrom({ QUITTANCE_DATA_DIR: service.dataDir, ...(await eventStoreOf(service.dataDir)) })
    if (E.isLeft(config)) throw new Error('the settings are wrong')
    const platform = await openPlatform(config.right)
    if (E.isLeft(platform)) throw new Error('the data directory cannot be opened')
    const { billing, close } = platform.right
    const address = keyPairFromSeed(new Uint8Array(32).fill(79)).accountId
    await service.api('/payout_destinations', { body: { address } })
    const { merchant_id: merchantId } = service.facts
    const commandId = billing.freshId()
    const context = { merchantId, environment: 'testnet', commandId, correlationId: commandId } as const
    const given = { ...context, causationId: null, actor: 'operator', at: billing.clock.now('testnet') }
    const decision = { destination: address, refundDays: 0, by: asText('Ada'), reason: asText('the shop ends') }
    expect(await billing.closeMerchant(given, decision)()).toMatchObject({ right: { isNew: true } })
    await close()
    const { status, body } = await service.api('/customers', { body: { email: 'ada@example.com', name: 'Ada' } })
    expect([status, body.code]).toEqual([403, 'merchant_closed'])
    expect((await service.api('/payments')).status).toBe(200)
    await service.close()
  })
})

describe('the end of a suspension that is refused', () => {
  const directory = temporaryDirectory()
  let platform: Platform
  beforeAll(async () => {
    const config = configFrom({ QUITTANCE_DATA_DIR: directory.path, ...(await eventStoreOf(directory.path)) })
    if (E.isLeft(config)) throw new Error('the settings are wrong')
    const opened = await openPlatform(config.right)
    if (E.isLeft(opened)) throw new Error('the data directory cannot be opened')
    platform = opened.right
  })
  afterAll(async () => {
    await platform.close()
    directory.remove()
  })

  const accounts = [accountOf(1), accountOf(2)]
  it.each<[FreezeFailure, number, object]>([
    [{ _tag: 'KeysNotRotated', accounts }, 409, { code: 'keys_not_rotated', accounts }],
    [{ _tag: 'MerchantHasLeft' }, 409, { code: 'merchant_has_left' }],
    [{ _tag: 'LedgerUnreachable', cause: 'no answer' }, 503, { code: 'ledger_unreachable' }],
    [{ _tag: 'StoreUnavailable', cause: 'locked' }, 503, { code: 'store_unavailable' }],
  ])('says why (%#)', async (failure, status, body) => {
    const server = fastify()
    const { freezes, log, screening } = platform.billing
    operatorRoutes(server, { log, screening, freezes: { ...freezes, unfreeze: () => TE.left(failure) } }, token)
    const answered = await server.inject({
      method: 'POST',
      url: '/unfreezes',
      headers: { authorization: `Bearer ${token}` },
      body: { scope: 'everything', merchant_id: 'mer_1', reason: 'arrived' },
    })
    expect([answered.statusCode, answered.json()]).toEqual([status, { error: expect.any(String), ...body }])
    await server.close()
  })
})

describe('a service without the operator’s token', () => {
  it('has no operator’s routes', async () => {
    const service = await startService()
    expect((await fetch(new URL('/freezes', service.metricsUrl))).status).toBe(404)
    await service.close()
  })
})

describe('the operator’s routes about what a screening holds', () => {
  it('list it and decide about it, which no key of the merchant can', async () => {
    const directory = temporaryDirectory()
    const path = join(directory.path, 'deny.txt')
    writeFileSync(path, '# nobody\n')
    const service = await startService({ QUITTANCE_OPERATOR_TOKEN: token, QUITTANCE_DENY_LIST: path })
    const send = async (body?: object) => {
      const response = await fetch(new URL('/screening', service.metricsUrl), {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    try {
      expect(await send()).toEqual({ status: 200, body: [] })
      const sale = await openSale(service)
      const wallet = await fundedWallet(service.facts)
      writeFileSync(path, `${wallet.address}\n`)
      const refused = await service.anyone(`/pay/${sale.id}/transaction`, { body: { source_account: wallet.address } })
      expect([refused.status, refused.body.code]).toEqual([503, 'sales_frozen'])
      expect(JSON.stringify(refused.body)).not.toMatch(/list|screen|deny/i)
      await wallet.pay(sale)
      const held = await eventually(
        () => send(),
        ({ body }) => body.length > 0,
      )
      const [{ subject }] = held.body
      expect(held.body).toMatchObject([{ kind: 'incoming', address: wallet.address, kept: false }])
      const resolve = { body: { action: 'apply', checkout_id: sale.id } }
      const tried = await service.api(`/exceptions/${subject}/resolve`, resolve)
      expect([tried.status, tried.body.code]).toEqual([409, 'exception_held'])
      const decision = { subject, action: 'accept', reason: 'a namesake', by: 'Ada' }
      expect(await send(decision)).toEqual({
        status: 200,
        body: { subject, action: 'accept', changed: true, left_to_merchant: false },
      })
      await completed(service, sale.id)
      expect((await send()).body).toEqual([])
      expect(await send({ subject: 'rf_nobody', action: 'accept', reason: 'a try' })).toMatchObject({
        status: 404,
        body: { code: 'not_held' },
      })
      expect(await send({ subject: 'rf_nobody', action: 'burn', reason: 'a try' })).toMatchObject({ status: 400 })
    } finally {
      await service.close()
      directory.remove()
    }
  })
})

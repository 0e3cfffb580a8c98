import { writeFileSync } from 'node:fs'
import { asText } from '@quittance/domain'
import { configFrom, dataFiles, openPlatform } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { problem } from '../testing/client.ts'
import { eventStoreOf } from '../testing/event-store.ts'
import { eventually } from '../testing/eventually.ts'
import { readinessAt } from '../testing/readiness.ts'
import { type Service, startService } from '../testing/service.ts'

const lost = { position: '7', stream: 'payment-pay_1', revision: 3, hash: 'ab'.repeat(32), at: 1_700_000_000_000 }

describe('a service whose log went back', () => {
  let service: Service
  let productId: string
  beforeAll(async () => {
    service = await startService()
    const made = await service.api('/product', { body: product })
    productId = made.body.data.id
    writeFileSync(dataFiles(service.dataDir).logMark, JSON.stringify(lost))
    await eventually(
      () => readinessAt(service.url),
      ({ status }) => status === 503,
    )
  })
  afterAll(() => service.close())
  const product = { name: 'A', type: 'one_time', currency_code: 'EUR', price_amount: 1 }

  it('is not ready, and names what the log lacks', async () => {
    expect((await readinessAt(service.url)).body).toMatchObject({
      status: 'not_ready',
      log: { status: 'rolled_back', reasons: [{ reason: 'event_lacking', subject: lost.hash }] },
    })
    expect(await service.anyone('/ready')).toMatchObject({ status: 503, body: { status: 'not_ready' } })
    expect(await service.anyone('/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('serves reads, and refuses commands of merchants and of payers', async () => {
    expect(await service.api(`/product/${productId}`)).toMatchObject({ status: 200, body: { data: { id: productId } } })
    const refused = { status: 503, body: problem('log_rolled_back') }
    expect(await service.api('/product', { body: product })).toMatchObject(refused)
    expect(await service.api('/product', { body: product, headers: { 'idempotency-key': 'k' } })).toMatchObject(refused)
    expect(await service.api(`/product/${productId}`, { method: 'DELETE' })).toMatchObject(refused)
    expect(await service.anyone('/pay/chk_1/submit', { body: { transaction_xdr: 'AAAA' } })).toMatchObject(refused)
  })

  it('goes on ingesting ledgers', async () => {
    const { walked } = (await readinessAt(service.url)).body.ledgers.testnet
    await service.api('/sandbox/advance', { body: { seconds: 30 } })
    await eventually(
      () => readinessAt(service.url),
      ({ body }) => body.ledgers.testnet.walked > walked,
    )
  })

  it('takes commands again once another process has recorded an acceptance', async () => {
    const settings = { QUITTANCE_DATA_DIR: service.dataDir, ...(await eventStoreOf(service.dataDir)) }
    const config = configFrom(settings)
    if (E.isLeft(config)) throw new Error('the settings are wrong')
    const platform = await openPlatform(config.right)
    if (E.isLeft(platform)) throw new Error('it does not open')
    const { billing, close } = platform.right
    const accepted = await eventually(
      () => billing.log.accept({ by: asText('Ada'), reason: asText('the disk died'), isForced: false })(),
      E.isRight,
    )
    expect(accepted).toMatchObject({ right: { by: 'Ada', lacked: [lost], forgotten: [] } })
    await close()
    await eventually(
      () => readinessAt(service.url),
      ({ status }) => status === 200,
    )
    expect(await service.api('/product', { body: product })).toMatchObject({ status: 200 })
  })
})

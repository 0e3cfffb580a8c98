import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dumpDatabaseOf } from '@quittance/event-store/postgres/testing/databases'
import { isInDatabase, isLogInDatabase, isOnServer } from '../testing/event-store.ts'
import { openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'

/** A text and the bytes that it is written from, in the forms in which they could have been kept. */
const forms = (secret: string): ReadonlyArray<Buffer> => {
  const bits = Buffer.from(secret.replace(/^[a-z_]+_/, ''), 'base64url')
  return [
    Buffer.from(secret),
    bits,
    ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(bits.toString(form))),
  ]
}

describe('a secret that is shown under a key', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('shows a secret again to a retry with the same key, and writes it to no file', async () => {
    const shown = async (path: string, key: string, body?: object) => {
      const request = { method: 'POST', headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) }
      const [first, again] = [await service.api(path, request), await service.api(path, request)]
      expect([path, first.status, again.body]).toEqual([path, 200, first.body])
      return first.body.data
    }
    const hook = { name: 'Hook', url: 'https://shop.example/hook', events: ['payment.confirmed'] }
    const endpoint = await shown('/webhooks', 'secret key of an endpoint', hook)
    const rotated = await shown(`/webhooks/${endpoint.id}/rotate_secret`, 'secret key of a rotation')
    const customer = await shown('/customers', 'secret key of a customer', { email: 'ada@example.com', name: 'Ada' })
    const portal = await shown(`/customers/${customer.id}/portal`, 'secret key of an invitation')
    const operator = await openOperator(service.dataDir)
    const merchant = await operator.createMerchant('Another merchant')
    await operator.close()
    expect([endpoint.secret, rotated.secret, portal.token, merchant.secret]).toEqual([
      expect.stringMatching(/^whsec_/),
      expect.stringMatching(/^whsec_/),
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^sk_test_/),
    ])

    const secrets = [endpoint.secret, rotated.secret, portal.token, merchant.secret].flatMap(forms)
    if (isInDatabase) dumpDatabaseOf(service.dataDir, join(service.dataDir, 'dump.sql'))
    // The one that newcomers are told is in the file that tells them.
    const files = readdirSync(service.dataDir).filter((name) => name !== 'sandbox.json')
    const contents = files.map((name) => ({ name, bytes: readFileSync(join(service.dataDir, name)) }))
    for (const { name, bytes } of contents) {
      expect([name, secrets.filter((secret) => bytes.includes(secret)).length]).toEqual([name, 0])
    }
    const written = ['secret key of an invitation', ...(isOnServer && !isLogInDatabase ? [] : ['WebhookSecretRotated'])]
    expect(written.filter((text) => contents.some(({ bytes }) => bytes.includes(text)))).toEqual(written)
  })
})

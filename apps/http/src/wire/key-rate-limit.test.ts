import { startService } from '../testing/service.ts'

describe('the requests of one key', () => {
  it('limits the requests of each key for all its routes together, before anything of them is done', async () => {
    const service = await startService({ QUITTANCE_KEY_RATE_LIMIT: '3' })
    try {
      const order = { body: { email: 'ada@example.com', name: 'Ada' }, headers: { 'idempotency-key': 'ada' } }
      const answers = []
      for (const path of ['/payments', '/refunds', '/payouts']) answers.push((await service.api(path)).status)
      const { status, body, headers } = await service.api('/customers', order)
      expect([...answers, status, body.code]).toEqual([200, 200, 200, 429, 'too_many_requests'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await service.anyone('/openapi.json')).status).toBe(200)
      const wrong = { headers: { 'x-api-key': 'sk_test_nobody' } }
      expect((await service.anyone('/payments', wrong)).status).toBe(401)
    } finally {
      await service.close()
    }
  })

  it('has no limit by default', async () => {
    const service = await startService()
    try {
      const { status, headers } = await service.api('/payments')
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null])
    } finally {
      await service.close()
    }
  })
})

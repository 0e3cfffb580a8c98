import { createClient } from '@quittance/client'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('a merchant is told that the sandbox has set the settlement account up', async () => {
  const { url, facts } = service
  const settlement = await createClient({ baseUrl: url, apiKey: facts.api_key }).settlement.retrieve()
  expect(settlement).toMatchObject({
    environment: 'testnet',
    network_passphrase: facts.network_passphrase,
    exists: true,
    missing: '0',
    problems: [],
    next_step: null,
    is_ready: true,
  })
  expect((await service.api('/settlement')).body).toEqual({ data: settlement })
})

import { problem } from '../testing/client.ts'
import { readinessAt } from '../testing/readiness.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const set = (body: object | string) => service.api('/sandbox/faults', { body })

describe('the fault knobs of the service', () => {
  it('sets all fault knobs as a whole, lists what is left of them, and clears them by an empty object', async () => {
    const faults = {
      lose_reply: { times: 1 },
      drop: {},
      include_late: { ledgers: 2 },
      lag: { ledgers: 3, every: 100 },
      prune: { keep: 100_000 },
      ledger_gap: { ledger: 1 },
      lie: { ledger: 1, times: 1 },
      silent: { methods: ['getVersionInfo'] },
      server_error: { status: 500, methods: ['getVersionInfo'] },
      fee_surge: { base_fee: 200 },
      missing_events: { from_ledger: 1, to_ledger: 1, contract: 'C', times: 1 },
      archived_entry: { mandate: 'ab'.repeat(32) },
    }
    const { status, body } = await set(faults)
    expect({ status, body }).toEqual({ status: 200, body: { data: faults } })
    expect((await service.api('/sandbox/faults')).body).toEqual({ data: faults })
    expect((await set({})).body).toEqual({ data: {} })
    expect((await service.api('/sandbox/faults')).body).toEqual({ data: {} })
  })

  it.each([
    ['an unknown knob', { lose_replies: {} }, 'body'],
    ['a misspelt end', { drop: { time: 3 } }, 'drop'],
    ['no times', { drop: { times: 0 } }, 'drop'],
    ['half a ledger', { lag: { ledgers: 0.5 } }, 'lag'],
    ['nothing to keep', { prune: {} }, 'prune'],
    ['a status that is no trouble', { server_error: { status: 404 } }, 'server_error'],
    ['a fee below the least', { fee_surge: { base_fee: 99 } }, 'fee_surge'],
    ['no account', { deauthorise: { account: 'G', asset_id: 'native' } }, 'deauthorise'],
    ['an allowance of nobody', { expired_allowance: { account: 'G', asset_id: 'native' } }, 'expired_allowance'],
    ['a mandate that is none', { archived_entry: { mandate: 'm' } }, 'archived_entry'],
    ['a list', '[]', 'body'],
  ])('rejects faults with %s', async (_, body, param) => {
    const answer = await set(body)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: problem('invalid_request', param),
    })
    expect((await service.api('/sandbox/faults')).body).toEqual({ data: {} })
  })

  it('shows no negative lag when the node is late', async () => {
    await service.api('/sandbox/advance', { body: { seconds: 60 } })
    await set({ lag: { ledgers: 2 } })
    const { body } = await readinessAt(service.url)
    expect(body.ledgers.testnet).toMatchObject({ lag: 0, halted: null })
    expect(body.ledgers.testnet.walked - body.ledgers.testnet.latest).toBeGreaterThan(0)
    await set({})
  })

  it('shows faults to merchants only', async () => {
    expect((await service.anyone('/sandbox/faults')).status).toBe(401)
    expect((await service.anyone('/sandbox/faults', { body: {} })).status).toBe(401)
  })
})

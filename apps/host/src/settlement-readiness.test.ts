import type { Services } from '@quittance/billing'
import { unixMs } from '@quittance/domain'
import { settlementReadiness } from './settlement-readiness.ts'

type Refused = ReturnType<Services['seenAccounts']['refused']>[number]
type Due = Parameters<typeof settlementReadiness>[0]['readModels']['settlementSetUps']

const since = unixMs(1_793_491_200_000)
const iso = '2026-11-01T00:00:00.000Z'
const merchant = (number: number): string => `mer_${number}`
const refused = (number: number): Refused => ({
  environment: 'testnet',
  merchantId: merchant(number),
  code: 'trustline_missing',
  since,
})

/** Rows of so many merchants that are not set up, on the testnet; `read` counts those that were read. */
const dueRows = (many: number) => {
  const rows = { read: 0 }
  const table: Due = {
    countDue: async (environment) => (environment === 'testnet' ? many : 0),
    due: async function* (environment) {
      for (let number = 0; environment === 'testnet' && number < many; number++) {
        rows.read += 1
        const row = {
          environment,
          account: null,
          accountSetAt: since,
          assets: [],
          former: [],
          isSponsored: false,
          changed: '0',
          isDone: false,
        }
        yield { id: `${number}`, merchantId: merchant(number), environment, row }
      }
    },
  }
  return { table, rows }
}

const readinessOf = async (many: number, refusals: ReadonlyArray<Refused>) => {
  const { table, rows } = dueRows(many)
  const known = { readModels: { settlementSetUps: table }, seenAccounts: { refused: () => refusals } }
  return { settlement: await settlementReadiness(known), read: rows.read }
}
const notSetUp = (number: number) => ({
  environment: 'testnet',
  merchant: merchant(number),
  reason: 'not_set_up',
  since: iso,
})

describe('the readiness of settlement accounts', () => {
  it('reports settlement as ok when every merchant is set up and no sale was refused', async () =>
    expect(await readinessOf(0, [])).toEqual({
      read: 0,
      settlement: { status: 'ok', not_set_up: 0, not_payable: 0, merchants: [] },
    }))

  it('readiness names merchants whose sales were refused, then those not set up, each once', async () =>
    expect(await readinessOf(2, [refused(1)])).toEqual({
      read: 2,
      settlement: {
        status: 'degraded',
        not_set_up: 2,
        not_payable: 1,
        merchants: [
          { environment: 'testnet', merchant: merchant(1), reason: 'trustline_missing', since: iso },
          notSetUp(0),
        ],
      },
    }))

  it('readiness shows twenty merchants of ten thousand, and reads no more rows than that', async () => {
    const { settlement, read } = await readinessOf(10_000, [])
    expect(settlement).toMatchObject({
      not_set_up: 10_000,
      merchants: Array.from({ length: 20 }, (_, n) => notSetUp(n)),
    })
    expect(settlement.merchants).toHaveLength(20)
    expect(read).toBeLessThanOrEqual(21)
  })
})

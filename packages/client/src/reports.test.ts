import { createClient } from './index.ts'
import { type Step, says, scriptedServices } from './testing/scripted-service.ts'

const services = scriptedServices()
afterEach(services.closeAll)

const entry = (id: string) => ({
  id,
  object: 'journal_entry',
  kind: 'funding',
  at: '2026-11-20T10:00:00.000Z',
  subject: 'fun_1',
  transaction_hash: null,
  ledger: 7,
  event: { type: 'FundingReceived', stream: 'funding-fun_1', revision: 0 },
  postings: [
    { account: 'Assets:Settlement', asset_id: 'native', currency: null, amount: '12.5000000' },
    { account: 'Equity:Funding', asset_id: 'native', currency: null, amount: '-12.5000000' },
  ],
})
const pageOf = (ids: ReadonlyArray<string>, next: string | null): Step =>
  says(200, { data: { object: 'list', data: ids.map(entry), has_more: next !== null, next, url: '/reports/journal' } })

describe('the journal', () => {
  it('goes on where a page says, also behind a page without entries', async () => {
    const service = await services.start(pageOf(['a', 'b'], '7_c'), pageOf([], '9_d'), pageOf(['c'], null))
    const { reports } = createClient({ baseUrl: service.url, apiKey: 'sk_test_1', maxRetries: 0 })
    const found: Array<unknown> = []
    for await (const each of reports.journal({ from: new Date('2026-11-01T00:00:00Z'), starting_after: '5_e' }))
      found.push(each)
    expect(found).toEqual(['a', 'b', 'c'].map(entry))
    const asked = (cursor: string) =>
      `GET /reports/journal?from=2026-11-01T00%3A00%3A00.000Z&limit=100&starting_after=${cursor}`
    expect(service.received.map(({ request }) => request)).toEqual(['5_e', '7_c', '9_d'].map(asked))
  })
})

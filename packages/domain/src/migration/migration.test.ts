import { ContractId } from '../shared/asset.ts'
import { asText } from '../shared/text.ts'
import { count, unixMs } from '../shared/units.ts'
import { decoded, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Migrations, migrationFor } from './index.ts'

const { given } = scenario(Migrations.decider)
const first = decoded(ContractId, 'CBKMUZNFQIAL775XBB2W2GP5CNHBM5YGH6C3XB7AY6SUVO2IBU3VYK2V')
const second = decoded(ContractId, 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC')
const why = { by: asText('Ada'), reason: asText('version 2'), at: unixMs(start) }
const [ours, theirs] = [{ merchantId: asText('mer_1') }, { merchantId: asText('mer_2') }]
const begin = (contract = first, of = {}) => ({ type: 'BeginMigration' as const, contract, ...why, ...of })
const begun = (contract = first, of = {}) => ({
  type: 'MigrationBegun' as const,
  data: { contract, ...why, ...of },
})
const canceled = (of = {}) => ({ type: 'MigrationCanceled' as const, data: { ...why, ...of } })
const figures = { signed: count(3), ended: count(1), at: unixMs(start) }
const completed = (of = {}) => ({ type: 'MigrationCompleted' as const, data: { ...figures, ...of } })

describe('a migration to another contract', () => {
  it('begins once', () => given([begun()]).when(begin()).then([]))
  it('begins again after it has ended', () => given([begun(), completed()]).when(begin()).then([begun()]))
  it('ends an earlier one of the same subscribers to another contract', () =>
    given([begun()])
      .when(begin(second))
      .then([canceled(), begun(second)]))
  it('of one merchant goes on beside that of all', () =>
    given([begun()])
      .when(begin(second, ours))
      .then([begun(second, ours)]))
  it('is canceled once', () => {
    given([begun()])
      .when({ type: 'CancelMigration', ...why })
      .then([canceled()])
    given([begun(), canceled()])
      .when({ type: 'CancelMigration', ...why })
      .then([])
  })
  it('is completed once, unless it was canceled', () => {
    given([begun()])
      .when({ type: 'CompleteMigration', ...figures })
      .then([completed()])
    given([begun(), completed()])
      .when({ type: 'CompleteMigration', ...figures })
      .then([])
    given([begun(), canceled()])
      .when({ type: 'CompleteMigration', ...figures })
      .then([])
  })
  it.each([
    ['nobody', [], null],
    ['everybody', [begun()], first],
    ['this merchant', [begun(first, ours)], first],
    ['this merchant alone, beside that of everybody', [begun(), begun(second, ours)], second],
    ['another merchant', [begun(first, theirs)], null],
    ['this merchant, as long as it was open', [begun(first, ours), canceled(ours)], null],
  ])('concerns a merchant whose subscribers it moves: %s', (_, history, contract) => {
    const { evolve, initial } = Migrations.decider
    expect(migrationFor(history.reduce(evolve, initial), 'mer_1')?.contract ?? null).toBe(contract)
  })
})

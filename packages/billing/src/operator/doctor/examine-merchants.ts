import type { Environment } from '@quittance/domain'
import type { Holding, LedgerUnreachable } from '@quittance/ledger'
import type { Found, SettlementSetUpRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type MerchantSettlements, merchantSettlements } from '../../features/settlement-account/merchant-facts.ts'
import { readStanding } from '../../features/settlement-account/read-standing.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { severalAtOnce } from '../../kernel/several-at-once.ts'
import type { Network, Services } from '../../services/services.ts'
import type { Finding } from './findings.ts'
import type { DoctorServices } from './services.ts'

/** Up to so many accounts are read one by one. Of more, only the holdings of those set up are read, 200 at a time. */
const mostReadEach = 500
const atOnce = 8

type Failure = LedgerUnreachable | StoreUnavailable
type Row = Found<SettlementSetUpRow>

/** Finds what keeps the merchants of an environment from being paid, lowest ids first. */
export const examineMerchants = async (
  services: DoctorServices,
  network: Network,
  environment: Environment,
): Promise<E.Either<Failure, ReadonlyArray<Finding>>> => {
  const rows = (await services.readModels.settlementSetUps.all()).filter(({ row }) => row.environment === environment)
  const suspects = rows.length <= mostReadEach ? E.right(rows) : await suspectsAmong(network, rows)
  if (E.isLeft(suspects)) return suspects
  const facts = merchantSettlements(services.store)
  const findings: Array<Finding> = []
  const examined = await severalAtOnce(suspects.right, atOnce, async (row) => {
    const found = await examineMerchant(services, network, facts, row)
    if (E.isRight(found)) findings.push(...found.right)
    return found
  })
  const nameOf = (finding: Finding): string => (finding.code === 'merchant' ? finding.owner.merchantId : '')
  return E.map(() => findings.sort((one, other) => nameOf(one).localeCompare(nameOf(other))))(examined)
}

const examineMerchant = async (
  services: Pick<Services, 'readModels' | 'vault' | 'clock'>,
  network: Network,
  facts: MerchantSettlements,
  { merchantId, environment }: Row,
): Promise<E.Either<Failure, ReadonlyArray<Finding>>> => {
  const settlement = await facts(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const standing = await readStanding(services, network, settlement.right)
  if (E.isLeft(standing)) return standing
  const owner = { merchantId, environment, custody: settlement.right.custody }
  return E.right(standing.right.problems.map((problem) => ({ environment, code: 'merchant', owner, problem })))
}

/** The merchants that are not set up, or that lack an account or a trustline. */
const suspectsAmong = async (
  { gateway }: Network,
  rows: ReadonlyArray<Row>,
): Promise<E.Either<LedgerUnreachable, ReadonlyArray<Row>>> => {
  const holdings = rows.flatMap(
    ({ row: { account, assets } }): ReadonlyArray<Holding> =>
      account === null ? [] : assets.map((assetId) => ({ account, assetId })),
  )
  const balances = await gateway.balances(holdings)()
  if (E.isLeft(balances)) return balances
  const lacking = new Set(balances.right.filter(({ held }) => held === null).map(({ account }) => account))
  return E.right(rows.filter(({ row }) => !row.isDone || row.account === null || lacking.has(row.account)))
}

import {
  type AccountId,
  type AssetId,
  type Environment,
  Merchant,
  type OpeningBalance,
  positiveCount,
} from '@quittance/domain'
import type { Found, MerchantRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Counted, countedOf } from '../../books/reconciliation/counted.ts'
import { accountsOf } from '../../features/book-lines/book-lines.ts'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { step } from '../../kernel/step.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Network, ProvisionFailed, Services } from '../../services/services.ts'
import { provisioned } from '../../stores/vault/provision.ts'
import { settlementKey } from '../../stores/vault/vault-signer.ts'
import { type Ending, endingStep } from './ending.ts'

export type CloseBooksFailure = ProcessFailure | ProvisionFailed

/**
 * Ends the books of all settlement accounts with what they say is held, which is gone, and begins new ones with what the
 * new ledger holds: nothing, unless somebody was faster. A network that sets accounts up makes them before. Books that a
 * former try has closed stay closed.
 */
export const closeAllBooks = async (ending: Ending, network: Network): Promise<E.Either<CloseBooksFailure, number>> => {
  const { services } = ending
  let closed = 0
  for (const merchant of await services.readModels.merchants.all()) {
    if (await services.left.has(merchant.id)) continue
    const accounts = await openBooks(ending, merchant)
    if (accounts.length === 0) continue
    const counted = await (await countedOf(services, network, ending.environment))(merchant)
    if (E.isLeft(counted)) return counted
    for (const account of accounts) {
      const made = await makeAgain(ending, network, merchant, account)
      if (E.isLeft(made)) return made
      const own = counted.right.filter((each) => each.account === account)
      const done = await closeBooks(ending, network, merchant.id, account, own)
      if (E.isLeft(done)) return done
      closed += 1
    }
  }
  return E.right(closed)
}

const watchedAt = async ({ readModels }: Pick<Services, 'readModels'>, environment: Environment, account: AccountId) =>
  (await readModels.watchedAccounts.withKey(account)).find(({ row }) => row.environment === environment)?.row ?? null

const openBooks = (
  { services, environment, epoch }: Ending,
  merchant: Found<MerchantRow>,
): Promise<ReadonlyArray<AccountId>> =>
  filterInTurn(
    accountsOf(merchant, environment),
    async (account) =>
      !((await watchedAt(services, environment, account))?.closed ?? []).some((each) => each.epoch === epoch),
  )

/** Only the account that is paid now, and only where the network does it by itself; else a worker has it made. */
const makeAgain = async (
  { services, environment, at }: Ending,
  { provision }: Network,
  merchant: Found<MerchantRow>,
  account: AccountId,
): Promise<E.Either<ProvisionFailed, void>> => {
  const { vault } = services
  const custody = (await watchedAt(services, environment, account))?.custody
  if (provision === null || custody === 'merchant') return E.right(undefined)
  const key = settlementKey(environment, merchant.id)
  if ((await vault.publicKey(key)) !== account) return E.right(undefined)
  return provisioned(vault, provision, { at, key, account, actor: 'operator' })
}

const closeBooks = async (
  ending: Ending,
  { gateway }: Network,
  merchantId: string,
  account: AccountId,
  counted: ReadonlyArray<Counted>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, environment, epoch, at } = ending
  const holdings = counted.map(({ assetId }) => ({ account, assetId }))
  const held = await gateway.balances(holdings)()
  if (E.isLeft(held)) return held
  const latest = await gateway.latestLedger()()
  if (E.isLeft(latest)) return latest
  const setUpThrough = held.right.reduce((last, { asOf }) => (asOf > last ? asOf : last), latest.right.sequence)
  const decide = Merchant.decider.decide({
    type: 'CloseBooks',
    environment,
    account,
    epoch: positiveCount(epoch),
    closing: amounts(counted.map((each) => ({ assetId: each.assetId, amount: each.counted }))),
    setUpThrough,
    opening: amounts(held.right.map((each) => ({ assetId: each.assetId, amount: each.held }))),
    at,
  })
  const closed = await step(services.store)(Merchant, merchantId, endingStep(ending, merchantId, account), decide)
  return E.map(() => undefined)(closed)
}

/** What there is nothing of needs no line. */
const amounts = (
  balances: ReadonlyArray<{ readonly assetId: AssetId; readonly amount: OpeningBalance['amount'] | null }>,
): ReadonlyArray<OpeningBalance> =>
  balances.flatMap(({ assetId, amount }) => (amount === null || amount === 0n ? [] : [{ assetId, amount }]))

import type { AccountId, Environment } from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import type { Found, SettlementSetUpRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { native } from '../book-lines/book-lines.ts'
import type { SettingUp } from './setting-up.ts'

export type FoundAccount = Found<SettlementSetUpRow> & { readonly account: AccountId }

/** The most accounts visited with each ledger: each costs a request to the node. */
const mostVisited = 20
/** The most accounts that are checked for existence with each ledger: a few requests, 200 accounts each. */
const mostAsked = 1_000

/**
 * The accounts to visit with this ledger, longest unvisited first. If there are more than a few, those that do not
 * exist and that only their merchant can create are left out together.
 */
export const accountsDue = async (
  settingUp: SettingUp,
  environment: Environment,
): Promise<E.Either<LedgerUnreachable, ReadonlyArray<FoundAccount>>> => {
  const { services, pauses, ingested, network, friendbots } = settingUp
  const found = await Array.fromAsync(withAccount(services.readModels.settlementSetUps.due(environment, 0)))
  const due = found
    .map((each) => ({ found: each, nextAt: pauses.nextAt(each.account, each.row.changed) }))
    .filter(({ nextAt }) => nextAt <= ingested.closedAt)
    .sort((one, other) => one.nextAt - other.nextAt)
    .map(({ found }) => found)
  if (due.length <= mostVisited) return E.right(due)
  const asked = due.slice(0, mostAsked)
  const held = await network.gateway.balances(asked.map(({ account }) => ({ account, assetId: native })))()
  if (E.isLeft(held)) return held
  const isThere = new Set(held.right.flatMap(({ account, held: lumens }) => (lumens === null ? [] : [account])))
  const waits = ({ account, row }: FoundAccount) => !isThere.has(account) && !row.isSponsored && friendbots === null
  for (const { account, row } of asked.filter(waits)) pauses.stuck(account, row.changed, ingested.closedAt, null)
  return E.right(asked.filter((found) => !waits(found)).slice(0, mostVisited))
}

async function* withAccount(rows: AsyncIterable<Found<SettlementSetUpRow>>): AsyncGenerator<FoundAccount> {
  for await (const found of rows) {
    const { account } = found.row
    if (account !== null) yield { ...found, account }
  }
}

import type { AccountId, Environment } from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import type { Found, SettlementSetUpRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { native } from '../book-lines/book-lines.ts'
import type { SettingUp } from './setting-up.ts'

export type FoundAccount = Found<SettlementSetUpRow> & { readonly account: AccountId }

/** So many accounts are looked at with a ledger: each costs a question to the node, and the worker has more to do. */
const mostVisited = 20
/** Whether so many exist is asked with a ledger: a few questions, 200 accounts each. */
const mostAsked = 1_000

/**
 * The accounts to look at with this ledger, the longest not looked at first. Where there are more than a few, those that do
 * not exist, and that nobody but their merchant creates, are sorted out together.
 */
export const inTurn = async (
  settingUp: SettingUp,
  environment: Environment,
): Promise<E.Either<LedgerUnreachable, ReadonlyArray<FoundAccount>>> => {
  const { services, pauses, ingested, network, friendbots } = settingUp
  const due = [...dueAccounts(services.readModels.settlementSetUps.due(environment, 0))]
    .map((found) => ({ found, nextAt: pauses.nextAt(found.account, found.row.changed) }))
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

function* dueAccounts(rows: Iterable<Found<SettlementSetUpRow>>): Generator<FoundAccount> {
  for (const found of rows) {
    const { account } = found.row
    if (account !== null) yield { ...found, account }
  }
}

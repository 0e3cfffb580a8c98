import { type AcceptedAsset, type AccountId, type OpeningBalance, stroops } from '@quittance/domain'
import type { LedgerGateway, LedgerHead, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { native } from '../book-lines/book-lines.ts'

/** The account is not on the ledger. */
export type OwnAccountMissing = { readonly _tag: 'OwnAccountMissing'; readonly account: AccountId }

/** An account's balances as of one ledger. */
export type Observed = { readonly opening: ReadonlyArray<OpeningBalance>; readonly asOf: LedgerHead }

const mostReadings = 5

/** Reads an account's balances of XLM and of the accepted assets, again until all are as of one ledger. */
export const observe = async (
  gateway: LedgerGateway,
  account: AccountId,
  accepted: ReadonlyArray<AcceptedAsset>,
): Promise<E.Either<LedgerUnreachable | OwnAccountMissing, Observed>> => {
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  const { closedAt } = head.right
  const assets = new Set([native, ...accepted.map(({ assetId }) => assetId)])
  const holdings = [...assets].map((assetId) => ({ account, assetId }))
  for (let readings = 0; readings < mostReadings; readings++) {
    const found = await gateway.balances(holdings)()
    if (E.isLeft(found)) return found
    const [first, ...others] = found.right
    if (first === undefined || others.some(({ asOf }) => asOf !== first.asOf)) continue
    if (first.held === null) return E.left({ _tag: 'OwnAccountMissing', account })
    const opening = found.right.map(({ assetId, held }) => ({ assetId, amount: held ?? stroops(0n) }))
    return E.right({ opening, asOf: { sequence: first.asOf, closedAt } })
  }
  return E.left({ _tag: 'LedgerUnreachable', cause: `balances of ${account} differ by their ledgers` })
}

import { type LedgerSequence, type Stroops, stroops } from '@quittance/domain'
import { Keypair, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Balance, Holding, LedgerGateway, LedgerUnreachable } from '../gateway.ts'
import { accountOf } from './addresses.ts'
import { NATIVE, sdkAsset, trustedAssetIdOf } from './assets.ts'
import type { HeldAt } from './nodes/ledger-node.ts'

/** The most ledger keys that a node takes in one question. Source: Stellar docs, `getLedgerEntries`. */
const keysAtOnce = 200

/** How many questions are under way at a time: enough to hide the way to a node, few enough not to be turned away. */
const questionsAtOnce = 4

/** The ledger key of the entry that tells what is held: the account's own for the native asset, else its trustline. */
export const holdingKey = ({ account, assetId }: Holding): xdr.LedgerKey => {
  const accountId = Keypair.fromPublicKey(account).xdrAccountId()
  if (assetId === NATIVE) return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }))
  const asset = sdkAsset(assetId).toTrustLineXdrObject()
  return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset }))
}

const nameOf = ({ account, assetId }: Holding): string => `${account} ${assetId}`

const heldIn = (entry: xdr.LedgerEntryData): readonly [string, Stroops] | null => {
  if (entry.type === 'account')
    return [nameOf({ account: accountOf(entry.account.accountId), assetId: NATIVE }), stroops(entry.account.balance)]
  if (entry.type !== 'trustline') return null
  const { accountId, asset, balance } = entry.trustLine
  const assetId = trustedAssetIdOf(asset)
  return assetId === null ? null : [nameOf({ account: accountOf(accountId), assetId }), stroops(balance)]
}

/** What entries tell of holdings. Each entry names what it is of; in which order a node gives them does not matter. */
export const balancesAmong = (
  entries: ReadonlyArray<xdr.LedgerEntryData>,
  holdings: ReadonlyArray<Holding>,
  asOf: LedgerSequence,
): ReadonlyArray<Balance> => {
  const held = new Map(entries.map(heldIn).filter((each) => each !== null))
  return holdings.map(({ account, assetId }) => ({
    account,
    assetId,
    held: held.get(nameOf({ account, assetId })) ?? null,
    asOf,
  }))
}

/** Asks for any number of holdings, so many at once that a node answers; the first failure ends it. */
export const inBatches =
  (held: (holdings: ReadonlyArray<Holding>) => TaskEither<LedgerUnreachable, HeldAt>): LedgerGateway['balances'] =>
  (holdings) =>
  async () => {
    const batches = Array.from({ length: Math.ceil(holdings.length / keysAtOnce) }, (_, batch) =>
      holdings.slice(batch * keysAtOnce, (batch + 1) * keysAtOnce),
    )
    const found: Array<ReadonlyArray<Balance>> = []
    const waiting = batches.entries()
    let failure: LedgerUnreachable | null = null
    const askOn = async (): Promise<void> => {
      for (const [place, batch] of waiting) {
        if (failure !== null) return
        const answer = await held(batch)()
        if (E.isLeft(answer)) failure = answer.left
        else found[place] = answer.right.balances
      }
    }
    await Promise.all(Array.from({ length: questionsAtOnce }, askOn))
    return failure === null ? E.right(found.flat()) : E.left(failure)
  }

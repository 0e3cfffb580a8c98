import { Asset, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { noOffers } from '../exchange/book.ts'
import { newAccount } from '../ledger/accounts.ts'
import { issuedAsset } from '../ledger/assets.ts'
import { draftOn, keepIn, type LedgerDraft, type LedgerView } from '../ledger/draft.ts'
import { balanceOf, requireHolding } from '../ledger/holdings.ts'
import { authorizedFlag } from '../ledger/trustlines.ts'
import { logicOf } from '../operations/index.ts'
import type { OperationOutcome } from '../operations/operation.ts'
import { keyNumber } from './fixture.ts'

const emptyLedger: LedgerView = { ...noOffers, find: () => undefined, lastId: () => 0n }
const ledger = { sequence: 2, closeTime: 0n }

const trader = (number: number) => keyNumber(number).xdrAccountId()
export const [ann, ben, cho, dan] = [trader(1), trader(2), trader(3), trader(4)]
export const traders: ReadonlyArray<xdr.PublicKey> = [ann, ben, cho, dan]

const issuers = [11, 12, 13].map(keyNumber)
export const goldIssuer = keyNumber(11).xdrAccountId()
const issued = (code: string, number: number) => new Asset(code, keyNumber(number).publicKey()).toXdrObject()
export const xlm: xdr.Asset = Asset.native().toXdrObject()
export const [gold, silver, copper] = [issued('GOLD', 11), issued('SILVER', 12), issued('COPPER', 13)]
export const assets: ReadonlyArray<xdr.Asset> = [xlm, gold, silver, copper]

export const startBalance = 1_000_000_000n

/** Writes a trustline with the given fields. */
export const putLine = (
  draft: LedgerDraft,
  accountId: xdr.PublicKey,
  asset: xdr.Asset,
  { balance = startBalance, limit = 10n * startBalance, flags = authorizedFlag },
): void => {
  const issued = issuedAsset(asset)
  if (issued === undefined) throw new Error('the native asset has no trustlines')
  const ext = xdr.TrustLineEntryExt.v0()
  draft.put(
    xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ accountId, asset: issued, balance, limit, flags, ext })),
  )
}

/** A draft with four accounts that hold 100 of each asset with a limit of 1,000, and the issuers. */
export const market = (): LedgerDraft => {
  const draft = draftOn(emptyLedger, ledger)
  for (const accountId of [...traders, ...issuers.map((each) => each.xdrAccountId())]) {
    const account = newAccount(accountId, startBalance, 1)
    const numSubEntries = traders.includes(accountId) ? issuers.length : 0
    draft.put(xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...account, numSubEntries })))
  }
  for (const accountId of traders) for (const asset of assets.slice(1)) putLine(draft, accountId, asset, {})
  return draft
}

/** Runs one operation; a refused one changes nothing. */
export const run = (draft: LedgerDraft, source: xdr.PublicKey, body: xdr.OperationBody): OperationOutcome => {
  const logic = logicOf(body)
  if (logic === undefined) throw new Error(`${body.type} is not supported by this ledger`)
  const own = draftOn(draft, ledger)
  const checked = logic.check(source)
  const outcome = E.isLeft(checked) ? checked : logic.apply(source, own, { account: source, sequence: 1n, index: 0 })
  if (E.isRight(outcome)) keepIn(draft, own)
  return outcome
}

/** The network's name of an outcome. */
export const nameOf = (outcome: OperationOutcome): string => {
  const result = E.isLeft(outcome) ? outcome.left : outcome.right
  return result.type === 'opInner' ? result.tr.value.type : result.type
}

/** An account's balance of an asset, in stroops. */
export const held = (draft: LedgerDraft, accountId: xdr.PublicKey, asset: xdr.Asset): bigint =>
  balanceOf(requireHolding(draft, accountId, asset))

/** The offers in a market, by id. */
export const offersIn = (draft: LedgerDraft): ReadonlyArray<xdr.OfferEntry> =>
  [...draft.touched().values()]
    .flatMap((entry) => (entry?.data.type === 'offer' ? [entry.data.offer] : []))
    .toSorted((one, next) => Number(one.offerId - next.offerId))

type Terms = {
  readonly selling: xdr.Asset
  readonly buying: xdr.Asset
  readonly amount: bigint
  readonly price: readonly [number, number]
  readonly offerId?: bigint
}

export const sell = ({ selling, buying, amount, price: [n, d], offerId = 0n }: Terms): xdr.OperationBody =>
  xdr.OperationBody.manageSellOffer(
    new xdr.ManageSellOfferOp({ selling, buying, amount, price: new xdr.Price({ n, d }), offerId }),
  )

export const buy = ({ selling, buying, amount, price: [n, d], offerId = 0n }: Terms): xdr.OperationBody =>
  xdr.OperationBody.manageBuyOffer(
    new xdr.ManageBuyOfferOp({ selling, buying, buyAmount: amount, price: new xdr.Price({ n, d }), offerId }),
  )

export const sellPassively = ({ selling, buying, amount, price: [n, d] }: Terms): xdr.OperationBody =>
  xdr.OperationBody.createPassiveSellOffer(
    new xdr.CreatePassiveSellOfferOp({ selling, buying, amount, price: new xdr.Price({ n, d }) }),
  )

type Payment = {
  readonly to: xdr.PublicKey
  readonly sendAsset: xdr.Asset
  readonly destAsset: xdr.Asset
  readonly path?: ReadonlyArray<xdr.Asset>
}

const muxed = (accountId: xdr.PublicKey) => xdr.MuxedAccount.keyTypeEd25519(accountId.ed25519)

export const receive = (
  { to, sendAsset, destAsset, path = [] }: Payment,
  destAmount: bigint,
  sendMax: bigint,
): xdr.OperationBody =>
  xdr.OperationBody.pathPaymentStrictReceive(
    new xdr.PathPaymentStrictReceiveOp({
      sendAsset,
      sendMax,
      destination: muxed(to),
      destAsset,
      destAmount,
      path: [...path],
    }),
  )

export const send = (
  { to, sendAsset, destAsset, path = [] }: Payment,
  sendAmount: bigint,
  destMin: bigint,
): xdr.OperationBody =>
  xdr.OperationBody.pathPaymentStrictSend(
    new xdr.PathPaymentStrictSendOp({
      sendAsset,
      sendAmount,
      destination: muxed(to),
      destAsset,
      destMin,
      path: [...path],
    }),
  )

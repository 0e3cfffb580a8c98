import { localAmount, stroopsFromDecimal } from './amounts.ts'
import { words } from './script-words.ts'
import type { Choice, PayerAsset } from './wire.ts'
import { assetCode, assetIssuer } from './words.ts'

/** The text and the transaction of an asset; no transaction when it cannot be chosen. */
export type ShownChoice = {
  readonly code: string
  readonly most: string
  readonly note: string
  readonly choice: Choice | null
}

/** Anyone may issue an asset under any code, so the issuer is shown beside it. */
const issuerNote = (assetId: string): ReadonlyArray<string> => {
  const issuer = assetIssuer(assetId)
  return issuer === null ? [] : [words.assets.issuedBy(`${issuer.slice(0, 4)}…${issuer.slice(-4)}`)]
}

const isLess = (one: string, other: string): boolean =>
  (stroopsFromDecimal(one) ?? 0n) < (stroopsFromDecimal(other) ?? 0n)

/** Describes an asset that the payer holds; `settledIn` is the quoted one. */
export const shownChoice = (
  { assetId, balance, sendAmount, sendMax, isPriceChecked }: PayerAsset,
  settledIn: string,
): ShownChoice => {
  const code = assetCode(assetId)
  const { assets } = words
  const local = (amount: string) => localAmount(words.decimalSign, amount)
  const held = [assets.held(local(balance)), ...issuerNote(assetId)]
  if (sendAmount === null || sendMax === null)
    return { code, most: '', note: [assets.noPath, ...held].join(' · '), choice: null }
  const isEnough = !isLess(balance, sendAmount)
  const doubts = isPriceChecked ? [] : [assets.unchecked]
  return {
    code,
    most: assetId === settledIn ? `${local(sendMax)} ${code}` : assets.most(`${local(sendMax)} ${code}`),
    note: [...(isEnough ? doubts : [assets.tooLittle]), ...held].join(' · '),
    choice: isEnough ? { assetId, sendMax } : null,
  }
}

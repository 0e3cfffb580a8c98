import { stroopsFromDecimal } from './amounts.ts'
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
  return issuer === null ? [] : [`issued by ${issuer.slice(0, 4)}…${issuer.slice(-4)}`]
}

const isLess = (one: string, other: string): boolean =>
  (stroopsFromDecimal(one) ?? 0n) < (stroopsFromDecimal(other) ?? 0n)

/** Describes an asset that the payer holds; `settledIn` is the quoted one. */
export const shownChoice = (
  { assetId, balance, sendAmount, sendMax, isPriceChecked }: PayerAsset,
  settledIn: string,
): ShownChoice => {
  const code = assetCode(assetId)
  const held = [`${balance} held`, ...issuerNote(assetId)]
  if (sendAmount === null || sendMax === null)
    return { code, most: '', note: ['no acceptable price at the moment', ...held].join(' · '), choice: null }
  const isEnough = !isLess(balance, sendAmount)
  const doubts = isPriceChecked ? [] : ['no exchange rate to check this price by']
  return {
    code,
    most: assetId === settledIn ? `${sendMax} ${code}` : `at most ${sendMax} ${code}`,
    note: [...(isEnough ? doubts : ['not enough']), ...held].join(' · '),
    choice: isEnough ? { assetId, sendMax } : null,
  }
}

import { Refused, Unanswered } from '../../api.ts'
import { fieldsOf, textIn } from '../../fields.ts'
import type { Mandate } from '../../mandate.ts'
import { OtherMandate } from '../proposed.ts'
import { walletWords } from '../wallet-words.ts'

/** Why the payer's wallet has not paid or signed. `wallet` is its name, `detail` a sentence of the service or the wallet. */
export type Trouble =
  | { readonly _tag: 'WalletMissing'; readonly wallet: string; readonly url: string }
  | { readonly _tag: 'WalletLocked'; readonly wallet: string }
  | { readonly _tag: 'WalletSilent'; readonly wallet: string }
  | { readonly _tag: 'WalletFailed'; readonly wallet: string; readonly detail: string }
  | { readonly _tag: 'Declined'; readonly wallet: string }
  | { readonly _tag: 'WrongNetwork'; readonly wallet: string; readonly wanted: string; readonly found: string }
  | { readonly _tag: 'OtherSigner'; readonly wallet: string; readonly address: string }
  | { readonly _tag: 'Altered'; readonly wallet: string }
  | { readonly _tag: 'NoAccount'; readonly address: string }
  | { readonly _tag: 'NoTrustline' }
  | { readonly _tag: 'Frozen' }
  | { readonly _tag: 'TooLittle'; readonly detail: string }
  | { readonly _tag: 'MandateChanged'; readonly detail: string; readonly mandate: Mandate }
  | { readonly _tag: 'FailedOnLedger'; readonly code: string }
  /** The signed transaction may have reached the network. */
  | { readonly _tag: 'Unsure' }
  | { readonly _tag: 'Unanswered'; readonly detail: string }
  | { readonly _tag: 'Refused'; readonly detail: string }

/** Ends the way to a payment. A script without libraries can end a chain of steps only with exceptions. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly trouble: Trouble
  constructor(trouble: Trouble) {
    super(trouble._tag)
    this.trouble = trouble
  }
}

/** The payer stopped waiting, or began anew. What the wallet answers later is thrown away. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

type Wallet = { readonly name: string; readonly url: string }

/** Codes of SEP-43: -4 is the user's refusal, -3 an invalid request. */
const USER_REJECTED = -4
const INVALID_REQUEST = -3

/** What a wallet means with what it threw. Wallets agree on little but the code of the user's refusal. */
export const troubleOfWallet = (cause: unknown, { name, url }: Wallet): Trouble => {
  const fields = fieldsOf(cause)
  const text = cause instanceof Error ? cause.message : (textIn(fields, 'message') ?? String(cause))
  if (fields.code === USER_REJECTED || /reject|declin|denied|cancel|closed|refus/i.test(text))
    return { _tag: 'Declined', wallet: name }
  if (/lock|unlock|password/i.test(text)) return { _tag: 'WalletLocked', wallet: name }
  if (/not (connected|installed|available|open)/i.test(text)) return { _tag: 'WalletMissing', wallet: name, url }
  if (fields.code === INVALID_REQUEST) return { _tag: 'WalletLocked', wallet: name }
  return { _tag: 'WalletFailed', wallet: name, detail: text.slice(0, 200) }
}

const byCode = (code: string | null, detail: string, address: string): Trouble => {
  switch (code) {
    case 'wallet_trustline_missing':
      return { _tag: 'NoTrustline' }
    case 'wallet_frozen':
      return { _tag: 'Frozen' }
    case 'source_account_not_found':
      return { _tag: 'NoAccount', address }
    case 'wallet_balance_too_low':
    case 'send_asset_too_little':
    case 'fee_source_cannot_pay':
      return { _tag: 'TooLittle', detail }
    default:
      return { _tag: 'Refused', detail }
  }
}

/** What an error of any step means for the payer. `wasSent`: the signed transaction was handed in, or may have been. */
export const troubleOf = (cause: unknown, address: string, wasSent: boolean): Trouble => {
  if (cause instanceof Stopped) return cause.trouble
  if (cause instanceof OtherMandate) return { _tag: 'MandateChanged', detail: cause.message, mandate: cause.mandate }
  if (cause instanceof Refused) return byCode(cause.code, cause.message, address)
  if (wasSent) return { _tag: 'Unsure' }
  const detail = cause instanceof Unanswered ? cause.message : walletWords.troubles.defect(String(cause))
  return { _tag: 'Unanswered', detail }
}

import type { Wallet } from '../wallet.ts'

/** The owner of a wallet, who signs with its real key what a page asks for, or declines. */
export type Owner = {
  wallet: Wallet
  isWilling: boolean
  /** What the wallet was asked to sign, in order. */
  readonly asked: Array<string>
}

/** The signed envelope; null when the owner declines. */
export const signedBy = (owner: Owner, envelope: string, networkPassphrase?: string): string | null => {
  owner.asked.push(envelope)
  return owner.isWilling ? owner.wallet.sign(envelope, networkPassphrase) : null
}

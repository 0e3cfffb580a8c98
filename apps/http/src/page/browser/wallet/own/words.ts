import { publicNetwork, testNetwork } from './kit.ts'
import type { Trouble } from './trouble.ts'

/** What the payer can do next. */
export type NextStep = 'retry' | 'other_wallet' | 'get_wallet' | 'add_asset' | 'other_asset' | 'agree' | 'look_again'

export type TroubleWords = {
  readonly title: string
  readonly text: string
  readonly next: ReadonlyArray<NextStep>
}

export const nextLabels: Readonly<Record<NextStep, string>> = {
  retry: 'Try again',
  other_wallet: 'Use another wallet',
  get_wallet: 'Get this wallet',
  add_asset: 'Add it in my wallet',
  other_asset: 'Pay with another asset',
  agree: 'I agree, sign it',
  look_again: 'Look again',
}

/** A network as wallets name it. */
export const networkName = (passphrase: string): string => {
  if (passphrase === publicNetwork) return 'the public network (Mainnet)'
  return passphrase === testNetwork ? 'the test network (Testnet)' : `“${passphrase}”`
}

/** Why ledgers refuse what a wallet has signed, by the network’s names. */
const ledgerReasons: Readonly<Record<string, string>> = {
  paymentUnderfunded: 'The account had too little left when the ledger came to it.',
  pathPaymentStrictReceiveUnderfunded: 'The account had too little left when the ledger came to it.',
  pathPaymentStrictReceiveTooFewOffers: 'The market had moved: nobody offered the exchange any more.',
  pathPaymentStrictReceiveOverSendmax: 'The market had moved: the exchange would have taken more than was shown.',
  txTooLate: 'It was signed too late.',
  txInsufficientBalance: 'The account had too little XLM for the fee, after its reserve.',
  changeTrustLowReserve: 'The account had too little XLM for the reserve of another asset.',
}

/** What happened and what to do, in plain words. `assetCode` is what is asked for. */
export const troubleWords = (trouble: Trouble, assetCode: string): TroubleWords => {
  switch (trouble._tag) {
    case 'WalletMissing':
      return {
        title: `${trouble.wallet} does not answer`,
        text: 'It is not installed in this browser, or it is switched off. Install it, reload this page, and try again.',
        next: ['get_wallet', 'other_wallet'],
      }
    case 'WalletLocked':
      return {
        title: `${trouble.wallet} has not opened an account`,
        text: 'It may be locked, or may not let this page see an account. Unlock it, allow this page, and try again.',
        next: ['retry', 'other_wallet'],
      }
    case 'WalletSilent':
      return {
        title: `${trouble.wallet} has not answered in time`,
        text: 'Nothing was paid. Its window may be behind this one. Close it, and try again.',
        next: ['retry', 'other_wallet'],
      }
    case 'WalletFailed':
      return {
        title: `${trouble.wallet} could not do it`,
        text: `Nothing was paid. It says: ${trouble.detail}`,
        next: ['retry', 'other_wallet'],
      }
    case 'Declined':
      return {
        title: `You declined it in ${trouble.wallet}`,
        text: 'Nothing was signed and nothing was paid.',
        next: ['retry', 'other_wallet'],
      }
    case 'WrongNetwork':
      return {
        title: `${trouble.wallet} is on another network`,
        text: `It is on ${trouble.found}. Switch it to ${trouble.wanted} in its settings, and try again.`,
        next: ['retry', 'other_wallet'],
      }
    case 'OtherSigner':
      return {
        title: `${trouble.wallet} signed with another account`,
        text: `Nothing was paid. Choose the account ${trouble.address.slice(0, 4)}…${trouble.address.slice(-4)} in it and try again, or connect it anew with the other one.`,
        next: ['retry', 'other_wallet'],
      }
    case 'Altered':
      return {
        title: `${trouble.wallet} gave back something else`,
        text: 'What it signed is not what this page asked for, so it was thrown away. Nothing was paid.',
        next: ['retry', 'other_wallet'],
      }
    case 'NoAccount':
      return {
        title: 'This account is not on the network yet',
        text: `Send some XLM to ${trouble.address} first: an account begins with at least 1 XLM, which it keeps as its reserve.`,
        next: ['retry', 'other_wallet'],
      }
    case 'NoTrustline':
      return {
        title: `Your account cannot hold ${assetCode} yet`,
        text: `An account has to add ${assetCode} before it can hold it. That keeps 0.5 XLM of yours in reserve, which you get back when you remove it.`,
        next: ['add_asset', 'other_asset', 'other_wallet'],
      }
    case 'Frozen':
      return {
        title: `Your account may not send ${assetCode}`,
        text: `The issuer of ${assetCode} does not let this account move it. Only the issuer can change that.`,
        next: ['other_asset', 'other_wallet'],
      }
    case 'TooLittle':
      return {
        title: 'There is too little in this account',
        text: trouble.detail.includes(' XLM')
          ? `${trouble.detail}. An account keeps 1 XLM, and 0.5 XLM for each asset and offer of it, which it cannot spend.`
          : `${trouble.detail}. Send it what is missing, and try again.`,
        next: ['retry', 'other_asset', 'other_wallet'],
      }
    case 'MandateChanged':
      return { title: 'This is what your wallet would sign', text: trouble.detail, next: ['agree', 'other_wallet'] }
    case 'FailedOnLedger':
      return {
        title: 'The network did not carry it out',
        text: `${ledgerReasons[trouble.code] ?? `It says: ${trouble.code}.`} Nothing was paid but the network’s fee.`,
        next: ['retry', 'other_asset', 'other_wallet'],
      }
    case 'Unsure':
      return {
        title: 'It may still arrive',
        text: 'Your wallet has signed, and no ledger has said yet what became of it. Please do not pay again: this page keeps watching.',
        next: ['look_again'],
      }
    case 'Unanswered':
      return { title: 'That did not work', text: trouble.detail, next: ['retry', 'other_wallet'] }
    case 'Refused':
      return { title: 'That did not work', text: trouble.detail, next: ['retry', 'other_wallet'] }
  }
}

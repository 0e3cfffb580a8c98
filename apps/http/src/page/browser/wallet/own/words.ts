import { walletWords } from '../wallet-words.ts'
import { publicNetwork, testNetwork } from './kit.ts'
import type { Trouble } from './trouble.ts'

const { ledgerReasons: reasons, networks, troubles } = walletWords

/** What the payer can do next. */
export type NextStep = 'retry' | 'other_wallet' | 'get_wallet' | 'add_asset' | 'other_asset' | 'agree' | 'look_again'

export type TroubleWords = {
  readonly title: string
  readonly text: string
  readonly next: ReadonlyArray<NextStep>
}

/** A network as wallets name it. */
export const networkName = (passphrase: string): string => {
  if (passphrase === publicNetwork) return networks.public
  return passphrase === testNetwork ? networks.test : networks.other(passphrase)
}

/** Why ledgers refuse what a wallet has signed, by the network’s names. */
const ledgerReasons: Readonly<Record<string, string>> = {
  paymentUnderfunded: reasons.underfunded,
  pathPaymentStrictReceiveUnderfunded: reasons.underfunded,
  pathPaymentStrictReceiveTooFewOffers: reasons.noOffers,
  pathPaymentStrictReceiveOverSendmax: reasons.overMost,
  txTooLate: reasons.tooLate,
  txInsufficientBalance: reasons.noFee,
  changeTrustLowReserve: reasons.lowReserve,
}

/** What happened and what to do, in plain words. `assetCode` is what is asked for. */
export const troubleWords = (trouble: Trouble, assetCode: string): TroubleWords => {
  switch (trouble._tag) {
    case 'WalletMissing':
      return {
        title: troubles.missing(trouble.wallet),
        text: troubles.missingText,
        next: ['get_wallet', 'other_wallet'],
      }
    case 'WalletLocked':
      return {
        title: troubles.locked(trouble.wallet),
        text: troubles.lockedText,
        next: ['retry', 'other_wallet'],
      }
    case 'WalletSilent':
      return {
        title: troubles.silent(trouble.wallet),
        text: troubles.silentText,
        next: ['retry', 'other_wallet'],
      }
    case 'WalletFailed':
      return {
        title: troubles.walletFailed(trouble.wallet),
        text: troubles.walletFailedText(trouble.detail),
        next: ['retry', 'other_wallet'],
      }
    case 'Declined':
      return {
        title: troubles.declined(trouble.wallet),
        text: troubles.declinedText,
        next: ['retry', 'other_wallet'],
      }
    case 'WrongNetwork':
      return {
        title: troubles.wrongNetwork(trouble.wallet),
        text: troubles.wrongNetworkText(trouble.found, trouble.wanted),
        next: ['retry', 'other_wallet'],
      }
    case 'OtherSigner':
      return {
        title: troubles.otherSigner(trouble.wallet),
        text: troubles.otherSignerText(`${trouble.address.slice(0, 4)}…${trouble.address.slice(-4)}`),
        next: ['retry', 'other_wallet'],
      }
    case 'Altered':
      return {
        title: troubles.altered(trouble.wallet),
        text: troubles.alteredText,
        next: ['retry', 'other_wallet'],
      }
    case 'NoAccount':
      return {
        title: troubles.noAccount,
        text: troubles.noAccountText(trouble.address),
        next: ['retry', 'other_wallet'],
      }
    case 'NoTrustline':
      return {
        title: troubles.noTrustline(assetCode),
        text: troubles.noTrustlineText(assetCode),
        next: ['add_asset', 'other_asset', 'other_wallet'],
      }
    case 'Frozen':
      return {
        title: troubles.frozen(assetCode),
        text: troubles.frozenText(assetCode),
        next: ['other_asset', 'other_wallet'],
      }
    case 'TooLittle':
      return {
        title: troubles.tooLittle,
        text: trouble.detail.includes(' XLM')
          ? troubles.tooLittleXlmText(trouble.detail)
          : troubles.tooLittleText(trouble.detail),
        next: ['retry', 'other_asset', 'other_wallet'],
      }
    case 'MandateChanged':
      return { title: troubles.mandateChanged, text: trouble.detail, next: ['agree', 'other_wallet'] }
    case 'FailedOnLedger':
      return {
        title: troubles.failedOnLedger,
        text: troubles.failedOnLedgerText(ledgerReasons[trouble.code] ?? reasons.other(trouble.code)),
        next: ['retry', 'other_asset', 'other_wallet'],
      }
    case 'Unsure':
      return {
        title: troubles.unsure,
        text: troubles.unsureText,
        next: ['look_again'],
      }
    case 'Unanswered':
      return { title: troubles.refused, text: trouble.detail, next: ['retry', 'other_wallet'] }
    case 'Refused':
      return { title: troubles.refused, text: trouble.detail, next: ['retry', 'other_wallet'] }
  }
}

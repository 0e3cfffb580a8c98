import type { IntentDetails } from '../intent/index.ts'
import type { TransactionSuccess } from '../ledger-transaction/events.ts'
import type { TransactionDetails } from '../ledger-transaction/index.ts'
import { accountSequence } from '../shared/account-sequence.ts'
import { AnchorId, IntentId, PaymentId, SetUpId } from '../shared/ids.ts'
import { LedgerSequence, OperationIndex } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { accountOf, contractOf } from './account.ts'
import { decoded, exampleId, hashOf, merchantAccount, payerAccount, start, usdc } from './examples.ts'

export const ledgerOf = (sequence: number): LedgerSequence => decoded(LedgerSequence, sequence)
/** The place of an operation in its transaction. */
export const indexOf = (index: number): OperationIndex => decoded(OperationIndex, index)

/** 10 USDC back to the payer. */
export const examplePayout: IntentDetails = {
  class: 'refund',
  owner: asText('rf_1'),
  source: merchantAccount,
  action: { _tag: 'payment', destination: payerAccount, assetId: usdc, amount: stroops(100_000_000n) },
  memo: asText('rf_1'),
}

/** 10 USDC for the month that begins at `start`. */
export const exampleCharge: IntentDetails = {
  class: 'charge',
  owner: asText(exampleId(PaymentId, 1)),
  source: merchantAccount,
  action: {
    _tag: 'charge',
    contractId: contractOf(1),
    mandateId: decoded(MandateId, hashOf(5)),
    customer: payerAccount,
    periodStart: start,
    periodEnd: unixMs(start + 30 * 24 * 3_600_000),
    amount: stroops(100_000_000n),
    assetId: usdc,
    reference: asText(exampleId(PaymentId, 1)),
  },
  memo: null,
}

/** A trustline for USDC, whose reserve a sponsor keeps. */
export const exampleTrustline: IntentDetails = {
  class: 'set_up',
  owner: asText(exampleId(SetUpId, 1)),
  source: merchantAccount,
  action: { _tag: 'change_trust', assetId: usdc, limit: 'maximum', sponsor: payerAccount },
  memo: null,
}

/** The merchant's account, whose reserves a sponsor keeps. */
export const exampleAccountCreation: IntentDetails = {
  class: 'set_up',
  owner: asText(exampleId(SetUpId, 2)),
  source: payerAccount,
  action: { _tag: 'create_account', account: merchantAccount },
  memo: null,
}

/** Another key of the merchant's account, whose reserve a sponsor keeps. */
export const exampleRotation: IntentDetails = {
  class: 'rotation',
  owner: asText(merchantAccount),
  source: merchantAccount,
  action: { _tag: 'rotate_key', to: accountOf(9), sponsor: payerAccount },
  memo: null,
}

/** Another key of the merchant's account, by a transaction that the recovery key has signed. */
export const exampleOfflineRotation: IntentDetails = {
  ...exampleRotation,
  action: { _tag: 'rotate_key', to: accountOf(9), signedOffline: asText('AAAA') },
}

/** A recovery signer of the merchant's account, whose reserve a sponsor keeps. */
export const exampleRecoverySigner: IntentDetails = {
  class: 'rotation',
  owner: asText(merchantAccount),
  source: merchantAccount,
  action: { _tag: 'set_recovery_signer', signer: accountOf(8), isProtected: true, sponsor: payerAccount },
  memo: null,
}

/** Rent for a mandate contract, which the operator's account pays. */
export const exampleUpkeep: IntentDetails = {
  class: 'upkeep',
  owner: asText(contractOf(1)),
  source: payerAccount,
  action: { _tag: 'keep_contract', contractId: contractOf(1), work: 'extend' },
  memo: null,
}

/** The hash of a checkpoint of 3 events, which the operator's account puts on the ledger. */
export const exampleAnchor: IntentDetails = {
  class: 'anchor',
  owner: asText(exampleId(AnchorId, 1)),
  source: payerAccount,
  action: {
    _tag: 'anchor',
    checkpoint: asText(`log.example\n3\n${'A'.repeat(43)}=\n`),
    signatures: asText('— log.example AAAA\n'),
  },
  memo: null,
}

/** Prepared after ledger 1000, with a minute and a half to live. */
export const exampleTransaction: TransactionDetails = {
  envelopeXdr: asText('AAAA'),
  sourceAccount: merchantAccount,
  accountSequence: accountSequence(7n),
  maxTime: unixMs(start + 90_000),
  preparedAfter: ledgerOf(1000),
  preparedAt: start,
  class: 'refund',
  fee: stroops(100n),
  feeCap: stroops(10_000n),
  intents: [exampleId(IntentId, 1), exampleId(IntentId, 2)],
}

/** How the next ledger holds the transaction of `hashOf(1)`. */
export const paidOut: TransactionSuccess = {
  transactionHash: hashOf(1),
  ledger: ledgerOf(1001),
  closedAt: unixMs(start + 5_000),
  feeSource: merchantAccount,
  feeCharged: stroops(100n),
}

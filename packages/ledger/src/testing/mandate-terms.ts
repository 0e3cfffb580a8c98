import { ContractId, LedgerSequence, stroops, unixMs } from '@quittance/domain'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import type { MandateTerms } from '../mandate.ts'
import { named } from '../named.ts'
import type { ContractCallOrder } from '../stellar/mandate/contract-call.ts'
import { handMadeNetwork, payee, payer, trader, usd } from './hand-made.ts'
import { hashOf } from './ledgers.ts'

/** Payer's mandate for payee, which trader operates. */
export const terms: MandateTerms = {
  contract: named(ContractId, StrKey.encodeContract(new Uint8Array(32).fill(7))),
  customer: payer,
  payee,
  operator: trader,
  assetId: usd,
  cap: stroops(110n),
  intervalUnit: 'month',
  intervalCount: 1,
  firstChargeAt: unixMs(1_769_860_800_000),
  endsAt: null,
  firstAmount: stroops(100n),
  allowance: stroops(770n),
  allowanceExpiryLedger: named(LedgerSequence, 4_110_399),
  reference: 'chk_1',
}

export const order: ContractCallOrder = {
  sourceAccount: payer,
  nextAccountSequence: 8n,
  ledgerClosedAt: unixMs(1_769_860_800_000),
  lifetimeMs: 120_000,
  notAfter: null,
  fee: stroops(200n),
  networkPassphrase: handMadeNetwork,
}

const keyOf = (number: number): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(hashOf(number), 'hex') }))

/** What a call needs, with so many written entries. */
export const transactionData = (written: number): string =>
  new xdr.SorobanTransactionData({
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({
        readOnly: [keyOf(0)],
        readWrite: Array.from({ length: written }, (_, index) => keyOf(index + 1)),
      }),
      instructions: 1_000_000 * written,
      diskReadBytes: 100,
      writeBytes: 200 * written,
    }),
    ext: xdr.SorobanTransactionDataExt.v0(),
    resourceFee: 1n,
  }).toXdr('base64')

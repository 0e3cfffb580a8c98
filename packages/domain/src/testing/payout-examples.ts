import type { PayoutDetails, PayoutTarget } from '../payout/index.ts'
import type { PayoutSchedule } from '../payout-book/index.ts'
import type { PayoutDestinationDetails } from '../payout-destination/index.ts'
import { PayoutDestinationId } from '../shared/ids.ts'
import { MuxedId } from '../shared/incoming-payment.ts'
import { MemoId, MemoText } from '../shared/memo.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { decoded, exampleId, payerAccount, start, usdc } from './examples.ts'

export const memoText = { type: 'text' as const, value: decoded(MemoText, 'user 1042') }
export const memoId = { type: 'id' as const, value: decoded(MemoId, '1042') }

export const exampleTarget: PayoutTarget = {
  destinationId: exampleId(PayoutDestinationId, 1),
  address: payerAccount,
  memo: memoId,
}

/** 10 USDC to the merchant's own address. */
export const examplePayoutDetails: PayoutDetails = {
  assetId: usdc,
  amount: stroops(100_000_000n),
  target: exampleTarget,
  keep: stroops(0n),
  metadata: noMetadata,
}

export const exampleDestination: PayoutDestinationDetails = {
  address: payerAccount,
  memo: memoText,
  label: asText('our exchange'),
  usableFrom: start,
}

export const muxedDestination: PayoutDestinationDetails = {
  ...exampleDestination,
  memo: null,
  label: null,
  muxedId: decoded(MuxedId, '7'),
}

/** Daily, and 5 USDC stay. */
export const exampleSchedule: PayoutSchedule = {
  interval: { type: 'daily' },
  reserve: stroops(50_000_000n),
  destinationId: exampleTarget.destinationId,
}

import type { xdr } from '@stellar/stellar-sdk'
import { addressOf } from '../addresses.ts'
import { assetIdOf } from '../assets.ts'
import type { Transfer } from './transfer.ts'

export const paymentTransfer = ({ destination, asset }: xdr.PaymentOp): Transfer => ({
  destination: addressOf(destination),
  assetId: assetIdOf(asset),
})

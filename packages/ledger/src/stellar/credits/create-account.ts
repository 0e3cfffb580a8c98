import type { xdr } from '@stellar/stellar-sdk'
import { accountOf } from '../addresses.ts'
import { NATIVE } from '../assets.ts'
import type { Transfer } from './transfer.ts'

/** A new account starts with a native balance, which its creator pays. */
export const createAccountTransfer = ({ destination }: xdr.CreateAccountOp): Transfer => ({
  destination: { account: accountOf(destination), muxedId: null },
  assetId: NATIVE,
})

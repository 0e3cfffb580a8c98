import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { changeTrust } from './change-trust.ts'
import { createAccount } from './create-account.ts'
import { manageData } from './manage-data.ts'
import type { OperationLogic } from './operation.ts'
import { payment } from './payment.ts'
import { setOptions } from './set-options.ts'

const notSupported = xdr.OperationResult.opNotSupported()

/** An operation that is not part of this ledger answers as a network does that has not adopted it. */
const unsupported: OperationLogic = {
  level: 'medium',
  success: notSupported,
  check: () => E.left(notSupported),
  apply: () => E.left(notSupported),
}

export const logicOf = (body: xdr.OperationBody): OperationLogic => {
  if (body.type === 'createAccount') return createAccount(body.createAccountOp)
  if (body.type === 'payment') return payment(body.paymentOp)
  if (body.type === 'changeTrust') return changeTrust(body.changeTrustOp)
  if (body.type === 'setOptions') return setOptions(body.setOptionsOp)
  if (body.type === 'manageData') return manageData(body.manageDataOp)
  return unsupported
}

import type { xdr } from '@stellar/stellar-sdk'
import { changeTrust } from './change-trust.ts'
import { createAccount } from './create-account.ts'
import { manageData } from './manage-data.ts'
import type { OperationLogic } from './operation.ts'
import { payment } from './payment.ts'
import { setOptions } from './set-options.ts'

/** What the ledger knows of an operation, or undefined when it is not part of this ledger. */
export const logicOf = (body: xdr.OperationBody): OperationLogic | undefined => {
  if (body.type === 'createAccount') return createAccount(body.createAccountOp)
  if (body.type === 'payment') return payment(body.paymentOp)
  if (body.type === 'changeTrust') return changeTrust(body.changeTrustOp)
  if (body.type === 'setOptions') return setOptions(body.setOptionsOp)
  if (body.type === 'manageData') return manageData(body.manageDataOp)
  return undefined
}

import type { ContractContext, ContractNotes } from '../operations/contract-context.ts'
import { declaredBy, measureOf } from './contract-transaction.ts'
import type { SignedTransaction } from './envelope.ts'
import { eventsFee, nonRefundableFee } from './resource-fees.ts'

const nothingNoted: ContractNotes = { returnValue: null, events: [], diagnostics: [], eventBytes: 0, rentFee: 0n }

/** Undefined for a classic transaction. */
export const contractContextOf = (signed: SignedTransaction): ContractContext | undefined => {
  const declared = declaredBy(signed.transaction)
  if (declared === undefined) return undefined
  const nonRefundable = nonRefundableFee(declared, measureOf(signed))
  const refundable = ({ rentFee, eventBytes }: Pick<ContractNotes, 'eventBytes' | 'rentFee'>) =>
    rentFee + eventsFee(eventBytes)
  let notes = nothingNoted
  return {
    networkId: signed.networkId,
    declared,
    note: (more) => {
      notes = { ...notes, ...more }
    },
    covers: (used) => refundable(used) <= declared.resourceFee - nonRefundable,
    noted: () => notes,
    charged: () => ({ nonRefundable, refundable: refundable(notes) }),
    refund: (isSuccess) => declared.resourceFee - nonRefundable - (isSuccess ? refundable(notes) : 0n),
  }
}

import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { type InvocationCost, invoke } from '../contracts/index.ts'
import { transactionLimits } from '../ledger/contract-settings.ts'
import { restoredBy } from '../ledger/resource-fees.ts'
import { sha256 } from '../network.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const codes = xdr.InvokeHostFunctionResult
const { result, success, done, refused } = resultsOf(
  xdr.OperationResultTr.invokeHostFunction,
  codes.invokeHostFunctionSuccess(new Uint8Array(32)),
)

const failures = {
  trapped: codes.invokeHostFunctionTrapped(),
  resourceLimitExceeded: codes.invokeHostFunctionResourceLimitExceeded(),
  entryArchived: codes.invokeHostFunctionEntryArchived(),
}

const isBeyond = (cost: InvocationCost, { instructions, diskReadBytes, writeBytes }: xdr.SorobanResources): boolean =>
  cost.instructions > instructions || cost.readBytes > diskReadBytes || cost.writeBytes > writeBytes

/** Calls a contract, creates one or uploads code. The result hashes the return value and the events. */
export const invokeHostFunction = ({ hostFunction: call, auth }: xdr.InvokeHostFunctionOp): OperationLogic => ({
  level: 'medium',
  success,
  check: () => done,
  apply: (source, draft, { contract }) => {
    if (contract === undefined) return refused(codes.invokeHostFunctionMalformed())
    const { declared, networkId } = contract
    const { resources } = declared
    const { footprint } = resources
    const mode = { _tag: 'enforce', footprint, auth, restored: restoredBy(declared) } as const
    const outcome = invoke({ call, source, draft, network: { id: networkId }, mode })
    const { cost, events, diagnostics } = outcome
    contract.note({ diagnostics })
    if (E.isLeft(outcome.result) && outcome.result.left.resultCode === 'entryArchived')
      return refused(failures.entryArchived)
    if (isBeyond(cost, resources)) return refused(failures.resourceLimitExceeded)
    if (E.isLeft(outcome.result)) return refused(failures[outcome.result.left.resultCode])
    const returnValue = outcome.result.right
    const { eventBytes, rentFee } = cost
    if (eventBytes > transactionLimits.eventBytes) return refused(failures.resourceLimitExceeded)
    if (!contract.covers(cost)) return refused(codes.invokeHostFunctionInsufficientRefundableFee())
    contract.note({ eventBytes, rentFee, returnValue, events })
    const preimage = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events: [...events] })
    return E.right(result(codes.invokeHostFunctionSuccess(sha256(preimage.toXdr()))))
  },
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ContractId } from '@quittance/domain'
import { Operation, xdr } from '@stellar/stellar-sdk'
import { named } from '../named.ts'
import { sha256 } from '../stellar/transaction-hash.ts'
import type { HandMadeTransaction } from './hand-made.ts'

/** A step of a recorded scenario: see contracts/mandate/README.md. All in base64 XDR. */
export type Step = {
  readonly ledger: { readonly sequence: number; readonly timestamp: number }
  readonly function?: string
  readonly arguments: ReadonlyArray<string>
  readonly authorisations: ReadonlyArray<{ readonly address: string; readonly invocation: string }>
  readonly outcome: { readonly value?: string; readonly contract_error?: number }
  readonly events: ReadonlyArray<string>
  readonly changes: ReadonlyArray<{
    readonly key: string
    readonly after: { readonly entry: string; readonly live_until: number | null } | null
  }>
}

export type Scenario = { readonly contract: ContractId; readonly steps: ReadonlyArray<Step> }

const folder = join(import.meta.dirname, '../../../../contracts/mandate/vectors')

/** What the committed bytes of the contract do, as its own tests recorded it. */
export const scenario = (name: string): Scenario => {
  const { contract, steps } = JSON.parse(readFileSync(join(folder, `${name}.generated.json`), 'utf8'))
  return { contract: named(ContractId, contract), steps }
}

export const scValOf = (base64: string): xdr.ScVal => xdr.ScVal.fromXdr(base64, 'base64')

/** A contract call as a ledger holds it: its result is the hash of what it answered and told. */
export type HandMadeCall = {
  readonly contract: ContractId
  readonly function: string
  readonly args: ReadonlyArray<xdr.ScVal>
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly returnValue: xdr.ScVal
  readonly changes?: ReadonlyArray<xdr.LedgerEntryChange>
}

const extension = xdr.ExtensionPoint.v0()

const metaOf = (
  { events, changes = [] }: HandMadeCall,
  returnValue: xdr.ScVal | null,
  diagnosticEvents: ReadonlyArray<xdr.DiagnosticEvent>,
): xdr.TransactionMeta =>
  xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext: extension,
      txChangesBefore: [],
      operations: [new xdr.OperationMetaV2({ ext: extension, changes: [...changes], events: [...events] })],
      txChangesAfter: [],
      sorobanMeta: new xdr.SorobanTransactionMetaV2({ ext: xdr.SorobanTransactionMetaExt.v0(), returnValue }),
      events: [],
      diagnosticEvents: [...diagnosticEvents],
    }),
  )

const asked = ({ contract, function: name, args }: HandMadeCall): xdr.Operation =>
  Operation.invokeContractFunction({ contract, function: name, args: [...args] })

/** A call that went well. `told` is what a node says of it, where that is something else. */
export const wentWell = (call: HandMadeCall, told: HandMadeCall = call): HandMadeTransaction => {
  const { returnValue, events } = call
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events: [...events] })
  const success = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(sha256(preimage.toXdr()))
  return {
    operations: [{ operation: asked(call), result: xdr.OperationResultTr.invokeHostFunction(success) }],
    meta: () => metaOf(told, told.returnValue, []),
  }
}

/** A call that a contract refused; the node saw these numbers, innermost call first. */
export const wasRefused = (call: HandMadeCall, ...numbers: ReadonlyArray<number>): HandMadeTransaction => {
  const trapped = xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped()
  const errors = numbers.map(
    (number) =>
      new xdr.DiagnosticEvent({
        inSuccessfulContractCall: false,
        event: new xdr.ContractEvent({
          ext: extension,
          contractId: null,
          type: xdr.ContractEventType.diagnostic,
          body: xdr.ContractEventBody.v0(
            new xdr.ContractEventV0({
              topics: [xdr.ScVal.scvSymbol('error'), xdr.ScVal.scvError(xdr.ScError.sceContract(number))],
              data: xdr.ScVal.scvString('refused'),
            }),
          ),
        }),
      }),
  )
  return {
    operations: [{ operation: asked(call), result: xdr.OperationResultTr.invokeHostFunction(trapped) }],
    hasFailed: true,
    meta: () => metaOf({ ...call, events: [] }, null, errors),
  }
}

/** The call of a recorded step that went well. */
export const callOf = ({ contract }: Scenario, step: Step): HandMadeCall => {
  const { value } = step.outcome
  if (step.function === undefined || value === undefined) throw new Error('the step went wrong')
  return {
    contract,
    function: step.function,
    args: step.arguments.map(scValOf),
    events: step.events.map((event) => xdr.ContractEvent.fromXdr(event, 'base64')),
    returnValue: scValOf(value),
  }
}

import { xdr } from '@stellar/stellar-sdk'
import type { HostError } from './host-error.ts'
import type { Journal } from './journal.ts'
import { symbol, vec } from './values/sc-values.ts'

/** The events that contracts emit, and diagnostics of how the calls went. */
export interface EventLog {
  readonly emit: (contract: xdr.ContractId, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal) => void
  readonly called: (
    caller: xdr.ContractId | null,
    contract: xdr.ContractId,
    name: string,
    args: ReadonlyArray<xdr.ScVal>,
  ) => void
  readonly returned: (contract: xdr.ContractId, name: string, value: xdr.ScVal) => void
  readonly failed: (contract: xdr.ContractId | null, failure: HostError) => void
  readonly events: () => xdr.ContractEvent[]
  readonly diagnostics: () => xdr.DiagnosticEvent[]
}

const event = (
  type: xdr.ContractEventType,
  contractId: xdr.ContractId | null,
  topics: ReadonlyArray<xdr.ScVal>,
  data: xdr.ScVal,
): xdr.ContractEvent =>
  new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId,
    type,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics: [...topics], data })),
  })

const { contract: contractType, diagnostic: diagnosticType } = xdr.ContractEventType

/** Keeps every event in order and marks those of a failed frame as undone. */
export const eventLog = ({ note }: Journal): EventLog => {
  const entries: { readonly event: xdr.ContractEvent; isUndone: boolean }[] = []
  const append = (each: xdr.ContractEvent, isUndone = false): void => {
    const entry = { event: each, isUndone }
    entries.push(entry)
    note(() => {
      entry.isUndone = true
    })
  }
  const diagnose = (contract: xdr.ContractId | null, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal): void =>
    append(event(diagnosticType, contract, topics, data))

  return {
    emit: (contract, topics, data) => append(event(contractType, contract, topics, data)),
    called: (caller, contract, name, args) =>
      diagnose(
        caller,
        [symbol('fn_call'), xdr.ScVal.scvBytes(contract.value), symbol(name)],
        args.length === 1 && args[0] !== undefined ? args[0] : vec(...args),
      ),
    returned: (contract, name, value) => diagnose(contract, [symbol('fn_return'), symbol(name)], value),
    failed: (contract, { error, message }) =>
      append(
        event(diagnosticType, contract, [symbol('error'), xdr.ScVal.scvError(error)], xdr.ScVal.scvString(message)),
        true,
      ),
    events: () => entries.flatMap((each) => (each.event.type === contractType && !each.isUndone ? [each.event] : [])),
    diagnostics: () =>
      entries.map((each) => new xdr.DiagnosticEvent({ inSuccessfulContractCall: !each.isUndone, event: each.event })),
  }
}

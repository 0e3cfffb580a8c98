import { xdr } from '@stellar/stellar-sdk'
import type { HostError } from './host-error.ts'
import type { Journal } from './journal.ts'
import { symbol, vec } from './values/sc-values.ts'

/** What contracts announce, and what is told besides of how a call went. */
export interface EventLog {
  readonly announce: (contract: xdr.ContractId, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal) => void
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

/** Everything stays in the log in its order; what a failed frame had announced is marked as undone. */
export const eventLog = ({ note }: Journal): EventLog => {
  const told: { readonly event: xdr.ContractEvent; isUndone: boolean }[] = []
  const tell = (each: xdr.ContractEvent, isUndone = false): void => {
    const entry = { event: each, isUndone }
    told.push(entry)
    note(() => {
      entry.isUndone = true
    })
  }
  const diagnose = (contract: xdr.ContractId | null, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal): void =>
    tell(event(diagnosticType, contract, topics, data))

  return {
    announce: (contract, topics, data) => tell(event(contractType, contract, topics, data)),
    called: (caller, contract, name, args) =>
      diagnose(
        caller,
        [symbol('fn_call'), xdr.ScVal.scvBytes(contract.value), symbol(name)],
        args.length === 1 && args[0] !== undefined ? args[0] : vec(...args),
      ),
    returned: (contract, name, value) => diagnose(contract, [symbol('fn_return'), symbol(name)], value),
    failed: (contract, { error, message }) =>
      tell(
        event(diagnosticType, contract, [symbol('error'), xdr.ScVal.scvError(error)], xdr.ScVal.scvString(message)),
        true,
      ),
    events: () => told.flatMap((each) => (each.event.type === contractType && !each.isUndone ? [each.event] : [])),
    diagnostics: () =>
      told.map((each) => new xdr.DiagnosticEvent({ inSuccessfulContractCall: !each.isUndone, event: each.event })),
  }
}

import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { archivedIn, isArchiveError, restore } from './archive.ts'
import { authorization } from './auth/authorization.ts'
import { enforced } from './auth/enforced.ts'
import { recorded } from './auth/recorded.ts'
import { callContract } from './call.ts'
import { costOf } from './cost.ts'
import { createContract, uploadCode } from './deploy.ts'
import { eventLog } from './event-log.ts'
import { declaredFootprint, recordedFootprint } from './footprint.ts'
import type { Host } from './host.ts'
import { HostError, hostError } from './host-error.ts'
import type { Invocation, InvocationFailure, InvocationOutcome } from './invocation.ts'
import { journal } from './journal.ts'
import { formerMandateHashes, mandateWasmHash } from './mandate-wasm.ts'
import { meter } from './meter.ts'
import { storageOn, writeChanges } from './storage.ts'
import { requireWellFormed } from './values/well-formed.ts'

const knownExecutables: ReadonlySet<string> = new Set([mandateWasmHash, ...formerMandateHashes])

const hostFor = (invocation: Invocation): Host => {
  const { mode, draft, network, source } = invocation
  const { sequence, closeTime } = draft.ledger
  const undo = journal()
  const counting = meter()
  const footprint = mode._tag === 'enforce' ? declaredFootprint(mode.footprint) : recordedFootprint()
  const storage = storageOn(draft, footprint, undo, counting)
  const context = { storage, journal: undo, meter: counting, networkId: network.id, sequence, source }
  const policy =
    mode._tag === 'record' && mode.auth === undefined
      ? recorded(context, { isAddressBound: mode.isAddressBound ?? false, allowsNonRoot: mode.allowsNonRoot ?? false })
      : enforced(mode.auth ?? [], context)
  const host: Host = {
    ledger: { sequence, closeTime },
    networkId: network.id,
    executables: invocation.executables ?? knownExecutables,
    storage,
    journal: undo,
    log: eventLog(undo),
    meter: counting,
    authorization: authorization(policy),
    footprint,
    frames: [],
    call: (contract, name, args) => callContract(host, contract, name, args),
  }
  return host
}

const runCall = (host: Host, call: xdr.HostFunction): xdr.ScVal => {
  switch (call.type) {
    case 'hostFunctionTypeInvokeContract': {
      const { contractAddress, functionName, args } = call.invokeContract
      if (contractAddress.type !== 'scAddressTypeContract')
        throw hostError('value', 'unexpectedType', 'only contracts can be called')
      requireWellFormed(args)
      return host.call(contractAddress.contractId, functionName.toString(), args)
    }
    case 'hostFunctionTypeCreateContract':
      return createContract(host, new xdr.CreateContractArgsV2({ ...call.createContract, constructorArgs: [] }))
    case 'hostFunctionTypeCreateContractV2':
      return createContract(host, call.createContractV2)
    case 'hostFunctionTypeUploadContractWasm':
      return uploadCode(host, call.wasm)
  }
}

const resultCodeOf = (failure: HostError): InvocationFailure['resultCode'] => {
  if (isArchiveError(failure)) return 'entryArchived'
  return failure.error.type === 'sceBudget' ? 'resourceLimitExceeded' : 'trapped'
}

const failureOf = (failure: HostError): InvocationFailure => ({
  error: failure.error,
  contractError: failure.error.type === 'sceContract' ? failure.error.contractCode : null,
  resultCode: resultCodeOf(failure),
})

const run = (host: Host, { call, draft, mode }: Invocation): E.Either<InvocationFailure, xdr.ScVal> => {
  try {
    return E.right(
      host.journal.attempt(() => {
        if (mode._tag === 'enforce') restore(host.storage, draft, mode)
        return runCall(host, call)
      }),
    )
  } catch (caught) {
    if (!(caught instanceof HostError)) throw caught
    host.log.failed(null, caught)
    return E.left(failureOf(caught))
  }
}

/**
 * Runs a host function: calls a contract, creates one, or uploads code. Writes the draft on success, in simulations
 * too; a simulation's caller discards the draft.
 */
export const invoke = (invocation: Invocation): InvocationOutcome => {
  const { draft, mode } = invocation
  const host = hostFor(invocation)
  const result = run(host, invocation)
  const hasSucceeded = E.isRight(result)
  const changes = hasSucceeded ? host.storage.changes() : []
  const events = hasSucceeded ? host.log.events() : []
  const footprint = host.footprint.keys()
  const archived = mode._tag === 'enforce' ? mode.restored : archivedIn(footprint, draft)
  const output = E.isRight(result) ? [...events, result.right] : []
  const cost = costOf(host.meter.counts(), draft, { footprint, archived, changes, output })
  writeChanges(draft, changes)
  const auth = host.authorization.entries()
  return { result, events, diagnostics: host.log.diagnostics(), footprint, auth, archived, cost }
}

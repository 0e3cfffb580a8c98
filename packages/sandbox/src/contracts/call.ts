import { xdr } from '@stellar/stellar-sdk'
import { findInstance, instanceStorage } from './contract-entries.ts'
import type { Frame, Host } from './host.ts'
import { HostError, hostError } from './host-error.ts'
import { maxDepth } from './settings.ts'
import { runToken } from './token/token.ts'
import { contractAddress, isSameId } from './values/sc-values.ts'
import { runCode } from './wasm/run.ts'

const reservedPrefix = '__'

const runExecutable = (host: Host, frame: Frame): xdr.ScVal => {
  switch (frame.executable.type) {
    case 'contractExecutableWasm':
      return runCode(host, frame, frame.executable.wasmHash)
    case 'contractExecutableStellarAsset':
      return runToken(host, frame)
    case 'contractExecutableExternalRef':
      throw hostError('wasmVm', 'invalidAction', 'code by reference is not part of this ledger')
  }
}

/** A contract that returns an error of its own has failed; returning any other error breaks the host's rules. */
const answerOf = (value: xdr.ScVal): xdr.ScVal => {
  if (value.type !== 'scvError') return value
  if (value.error.type === 'sceContract') throw new HostError(value.error, 'the contract answered with an error')
  throw hostError('context', 'invalidAction', 'contracts answer with errors of their own only')
}

const runFrame = (host: Host, frame: Frame): xdr.ScVal => {
  try {
    const answer = answerOf(runExecutable(host, frame))
    frame.instance.save()
    return answer
  } catch (caught) {
    if (caught instanceof HostError) host.log.failed(frame.contract, caught)
    throw caught
  }
}

const check = ({ frames }: Host, contract: xdr.ContractId, name: string): void => {
  if (name.startsWith(reservedPrefix)) throw hostError('context', 'invalidAction', `${name} is reserved`)
  if (frames.some((frame) => isSameId(frame.contract, contract)))
    throw hostError('context', 'invalidAction', 'Contract re-entry is not allowed')
  if (frames.length >= maxDepth) throw hostError('context', 'exceededLimit', 'too many calls inside each other')
}

/**
 * Runs a contract's function in its own frame. If it fails, its storage changes, events and authorizations are undone.
 */
export const callContract = (
  host: Host,
  contract: xdr.ContractId,
  name: string,
  args: ReadonlyArray<xdr.ScVal>,
): xdr.ScVal => {
  check(host, contract, name)
  host.log.called(host.frames.at(-1)?.contract ?? null, contract, name, args)
  const instance = findInstance(host.storage, contract)
  const { executable } = instance
  const frame = { contract, name, args, executable, instance: instanceStorage(host.storage, contract, instance) }
  const contractAddressOf = contractAddress(contract)
  host.frames.push(frame)
  host.authorization.enter({
    contract: contractAddressOf,
    callWith: (given) =>
      xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({ contractAddress: contractAddressOf, functionName: name, args: [...given] }),
      ),
  })
  try {
    const answer = host.journal.attempt(() => runFrame(host, frame))
    host.log.returned(contract, name, answer)
    return answer
  } finally {
    host.authorization.leave()
    host.frames.pop()
  }
}

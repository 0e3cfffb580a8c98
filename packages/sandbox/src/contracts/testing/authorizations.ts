import { right } from '@quittance/domain/testing/outcomes'
import { authorizeEntry, type Keypair, xdr } from '@stellar/stellar-sdk'
import { testPassphrase } from '../../testing/fixture.ts'
import type { InvocationOutcome } from '../invocation.ts'
import { mandateWasmHash } from '../mandate-wasm.ts'
import { probe, probeHash, upload } from './probe.ts'
import { bob, contractFrom, createFrom, newWorld, operator, refusalOf, startSequence, type World } from './world.ts'

export const probed = contractFrom(2)
export const otherProbe = contractFrom(3)

/** A world with two probe contracts. */
export const probeWorld = (): World => {
  const world = newWorld({ executables: new Set([mandateWasmHash, probeHash]) })
  for (const call of [upload(probe), createFrom(probeHash, 2), createFrom(probeHash, 3)])
    right(world.run(operator, call).result)
  return world
}

type Entries = ReadonlyArray<xdr.SorobanAuthorizationEntry>

/** The entries that a simulation asks to be signed for a call by Bob, or by another source. */
export const recordedFor = (
  world: World,
  call: xdr.HostFunction,
  source = bob,
  isAddressBound = false,
): InvocationOutcome => {
  const outcome = world.simulate(source, call, { _tag: 'record', isAddressBound, allowsNonRoot: true })
  right(outcome.result)
  return outcome
}

export const signed = (entries: Entries, key: Keypair, until = startSequence + 100): Promise<Entries> =>
  Promise.all(entries.map((entry) => authorizeEntry(entry, key, until, testPassphrase)))

/** Runs a call in a ledger with these entries. */
export const enforced = (
  world: World,
  call: xdr.HostFunction,
  auth: Entries,
  { source = bob, footprint = recordedFor(world, call, source).footprint } = {},
): ReturnType<typeof refusalOf> =>
  refusalOf(world.run(source, call, { _tag: 'enforce', footprint, auth, restored: [] }))

/** Authorizes the call by the source account's credentials. */
export const bySource = (rootInvocation: xdr.SorobanAuthorizedInvocation): xdr.SorobanAuthorizationEntry =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation,
  })

/** A call with its sub-calls, to be authorized. */
export const invocationOf = (
  call: xdr.HostFunction,
  subInvocations: xdr.SorobanAuthorizedInvocation[] = [],
): xdr.SorobanAuthorizedInvocation => {
  if (call.type !== 'hostFunctionTypeInvokeContract') throw new Error('not a call')
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call.invokeContract),
    subInvocations,
  })
}

export const notAgreed = 'sceAuth scecInvalidAction'

import { right } from '@quittance/domain/testing/outcomes'
import { Asset, type Keypair, scValToNative, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { newAccount } from '../../ledger/accounts.ts'
import { issuedAsset } from '../../ledger/assets.ts'
import { authorizedFlag } from '../../ledger/trustlines.ts'
import { keyNumber, network } from '../../testing/fixture.ts'
import { contractIdOf } from '../deploy.ts'
import type { InvocationMode, InvocationOutcome } from '../invocation.ts'
import { invoke } from '../invoke.ts'
import { mandateWasmHash } from '../mandate-wasm.ts'
import { accountAddress, addressValue, contractAddress } from '../values/sc-values.ts'
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts'

export const alice = keyNumber(21)
export const bob = keyNumber(22)
export const operator = keyNumber(23)
export const issuer = keyNumber(24)
export const stranger = keyNumber(25)

export const startBalance = 1_000_000_000n
export const startSequence = 1_000_000
/** 2026-01-31T12:00:00Z. */
export const startTime = 1_769_860_800n

export const gold = new Asset('GOLD', issuer.publicKey()).toXdrObject()
export const goldName = `GOLD:${issuer.publicKey()}`
export const xlm = Asset.native().toXdrObject()

export const addressOf = (key: Keypair): xdr.ScAddress => accountAddress(key.xdrAccountId())
export const party = (key: Keypair): xdr.ScVal => addressValue(addressOf(key))
export const contractParty = (id: xdr.ContractId): xdr.ScVal => addressValue(contractAddress(id))

const tokenOf = (asset: xdr.Asset): xdr.ContractIdPreimage => xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset)
const saltedBy = (key: Keypair, salt: number): xdr.ContractIdPreimage =>
  xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address: addressOf(key), salt: new Uint8Array(32).fill(salt) }),
  )

export const goldToken = contractIdOf(network.id, tokenOf(gold))
export const coinToken = contractIdOf(network.id, tokenOf(xlm))
export const mandate = contractIdOf(network.id, saltedBy(operator, 1))

export const createToken = (asset: xdr.Asset): xdr.HostFunction =>
  xdr.HostFunction.hostFunctionTypeCreateContract(
    new xdr.CreateContractArgs({
      contractIdPreimage: tokenOf(asset),
      executable: xdr.ContractExecutable.contractExecutableStellarAsset(),
    }),
  )

/** Creates a contract from code; salt 1 is the mandate's. */
export const createFrom = (wasmHash: string, salt: number): xdr.HostFunction =>
  xdr.HostFunction.hostFunctionTypeCreateContractV2(
    new xdr.CreateContractArgsV2({
      contractIdPreimage: saltedBy(operator, salt),
      executable: xdr.ContractExecutable.contractExecutableWasm(wasmHash),
      constructorArgs: [],
    }),
  )

export const contractFrom = (salt: number): xdr.ContractId => contractIdOf(network.id, saltedBy(operator, salt))

export const callOf = (contract: xdr.ContractId, functionName: string, args: xdr.ScVal[]): xdr.HostFunction =>
  xdr.HostFunction.hostFunctionTypeInvokeContract(
    new xdr.InvokeContractArgs({ contractAddress: contractAddress(contract), functionName, args }),
  )

/** A ledger that keeps the changes of each successful call. */
export type World = {
  readonly ledger: MemoryLedger
  readonly moveTo: (sequence: number, time?: bigint) => void
  readonly run: (source: Keypair, call: xdr.HostFunction, mode?: InvocationMode) => InvocationOutcome
  /** Runs a call and discards its changes. */
  readonly simulate: World['run']
  readonly account: (key: Keypair) => xdr.AccountEntry | undefined
}

export const putLine = ({ put }: MemoryLedger, key: Keypair, flags = authorizedFlag, balance = startBalance): void => {
  const asset = issuedAsset(gold)
  if (asset === undefined) throw new Error('gold is not native')
  const line = { accountId: key.xdrAccountId(), asset, balance, limit: 10n * startBalance, flags }
  put(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...line, ext: xdr.TrustLineEntryExt.v0() })), null)
}

export const putAccount = ({ put }: MemoryLedger, key: Keypair, flags = 0): void =>
  put(
    xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...newAccount(key.xdrAccountId(), startBalance, 1), flags })),
    null,
  )

export type WorldOptions = { readonly executables?: ReadonlySet<string> }

/**
 * Alice and Bob hold coins and gold, the operator holds coins. Tokens and mandate are deployed; the stranger has no
 * account.
 */
export const newWorld = ({ executables }: WorldOptions = {}): World => {
  const ledger = memoryLedger()
  let now = { sequence: startSequence, time: startTime }
  const runOn = (keep: MemoryLedger['keep']): World['run'] => {
    return (source, call, mode = { _tag: 'record' }) => {
      const draft = ledger.draftAt(now.sequence, now.time)
      const invocation = { call, source: source.xdrAccountId(), draft, network, mode }
      const outcome = invoke(executables === undefined ? invocation : { ...invocation, executables })
      keep(draft)
      return outcome
    }
  }
  const run = runOn(ledger.keep)
  for (const key of [alice, bob, operator, issuer]) putAccount(ledger, key)
  for (const key of [alice, bob]) putLine(ledger, key)
  for (const call of [createToken(gold), createToken(xlm), createFrom(mandateWasmHash, 1)])
    right(run(operator, call).result)
  return {
    ledger,
    run,
    simulate: runOn(() => {}),
    moveTo: (sequence, time = now.time) => {
      now = { sequence, time }
    },
    account: (key) => {
      const accountId = key.xdrAccountId()
      const data = ledger.view.find(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('hex'))?.data
      return data?.type === 'account' ? data.account : undefined
    },
  }
}

/** The contract's error number, the network's name of another error, or undefined for a success. */
export const refusalOf = ({ result }: InvocationOutcome): number | string | undefined => {
  if (E.isRight(result)) return undefined
  const { error, contractError } = result.left
  return contractError ?? `${error.type} ${error.type === 'sceContract' ? '' : error.code.name}`
}

/** Events as readable values: topics and data. */
export const eventsOf = ({ events }: InvocationOutcome): ReadonlyArray<ReadonlyArray<unknown>> =>
  events.map(({ body }) => [...body.v0.topics, body.v0.data].map((value) => scValToNative(value)))

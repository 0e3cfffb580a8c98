import { Address, type Keypair, Operation, SorobanDataBuilder, type xdr } from '@stellar/stellar-sdk'
import { mandateWasm, maxTtl } from '../contracts/index.ts'
import { liveUntilIn } from '../contracts/lifetimes.ts'
import { findAccount } from '../ledger/accounts.ts'
import type { LedgerView } from '../ledger/draft.ts'
import type { Network } from '../network.ts'
import {
  assetContractsOf,
  formerMandatesOf,
  instanceKeyOf,
  mandateCodeKey,
  mandateContractOf,
  mandateSalt,
} from './contracts.ts'

/** A contract operation that is due, and the account that submits it. `data` names the entries of an extension. */
export type DueCall = {
  readonly source: Keypair
  readonly operation: xdr.Operation
  readonly data?: xdr.SorobanTransactionData
}

const isThere = (view: LedgerView, key: xdr.LedgerKey): boolean => view.find(key.toXdr('hex')) !== undefined

/** The contract keeper's initial balance in XLM: enough rent for decades. */
const keepersBalance = '1000000'

/** Creates the contract keeper's account where it is missing. */
export const keeperCreation = (view: LedgerView, { root, contractKeeper }: Network): ReadonlyArray<xdr.Operation> =>
  findAccount(view, contractKeeper.xdrAccountId()) !== undefined
    ? []
    : [
        Operation.createAccount({
          source: root.publicKey(),
          destination: contractKeeper.publicKey(),
          startingBalance: keepersBalance,
        }),
      ]

/** The next step towards the mandate contract: upload its code, then create it. */
const mandateDue = (view: LedgerView, network: Network): ReadonlyArray<DueCall> => {
  const { contractKeeper: source } = network
  if (!isThere(view, mandateCodeKey))
    return [{ source, operation: Operation.uploadContractWasm({ wasm: mandateWasm() }) }]
  if (isThere(view, instanceKeyOf(mandateContractOf(network)))) return []
  const address = new Address(source.publicKey())
  const operation = Operation.createCustomContract({ address, wasmHash: mandateSalt, salt: mandateSalt })
  return [{ source, operation }]
}

/** Deployment steps that fit into the next ledger, each from another account. */
export const contractsDue = (view: LedgerView, network: Network): ReadonlyArray<DueCall> => [
  ...mandateDue(view, network),
  ...assetContractsOf(network)
    .filter(({ id }) => !isThere(view, instanceKeyOf(id)))
    .map(({ asset, deployer: source }) => ({ source, operation: Operation.createStellarAssetContract({ asset }) })),
]

/** The entries of the network's contracts, as far as they are deployed. */
export const keptEntries = (view: LedgerView, network: Network): ReadonlyArray<xdr.LedgerKey> => {
  const instances = [mandateContractOf(network), ...assetContractsOf(network).map(({ id }) => id)].map(instanceKeyOf)
  const former = formerMandatesOf(network).flatMap(({ id, code }) => [instanceKeyOf(id), code])
  return [mandateCodeKey, ...instances, ...former].filter((key) => isThere(view, key))
}

/** How often to check lifetimes, in ledgers. */
const checkInterval = 1_000

/**
 * Extends the contracts' lives once less than half of the maximum is left. The sandbox pays for this itself, since
 * users of a contract should not pay for its code.
 */
export const extensionDue = (view: LedgerView, network: Network, sequence: number): ReadonlyArray<DueCall> => {
  if (sequence % checkInterval !== 0 || findAccount(view, network.contractKeeper.xdrAccountId()) === undefined)
    return []
  const keys = keptEntries(view, network)
  const isDue = keys.some((key) => (liveUntilIn(view, key.toXdr('hex')) ?? 0) - sequence < maxTtl / 2)
  if (!isDue) return []
  const data = new SorobanDataBuilder().setReadOnly([...keys]).build()
  const operation = Operation.extendFootprintTtl({ extendTo: maxTtl - 1 })
  return [{ source: network.contractKeeper, operation, data }]
}

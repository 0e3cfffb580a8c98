import type { AccountId, ContractId, LedgerSequence, Stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { BASE_FEE } from '../../fee-stats.ts'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { SignerUnavailable, SigningKey } from '../../signing/signing-key.ts'
import { signTransaction } from '../keys.ts'
import { sha256 } from '../transaction-hash.ts'
import type { ContractCall } from './calls.ts'
import { type PrepareRejection, prepareCall } from './contract-call.ts'
import { type ContractView, readCode, readContract } from './contract-view.ts'
import { createContractCall, deployedContractId, extendCall, uploadCall } from './deployment-calls.ts'
import { codeKey, instanceKey } from './entry-keys.ts'
import { type CameToNothing, sendUntilClosed } from './send-until-closed.ts'

/**
 * A contract that `deployer` puts on a network, paying and signing. `liveFor` is how many ledgers its code and instance
 * should live; while they have nine tenths of it left, they are not extended. `resourceFeeLimit` bounds what one step
 * may cost besides its bid.
 */
export type DeploymentOrder = {
  readonly wasm: Uint8Array
  readonly deployer: AccountId
  readonly signer: SigningKey
  readonly liveFor: number
  readonly resourceFeeLimit: Stroops
}

/** The ledger that took each step; null for a step that was not needed. */
export type Deployed = {
  readonly contract: ContractId
  readonly wasmHash: string
  readonly ledgers: Readonly<Record<DeploymentStep, LedgerSequence | null>>
}

export type DeploymentStep = 'upload' | 'create' | 'extend'

/** Steps before the failed one stand: run again, it continues from there. */
export type DeploymentFailure =
  | LedgerUnreachable
  | PrepareRejection
  | CameToNothing
  | SignerUnavailable
  | { readonly _tag: 'NoSuchAccount'; readonly account: AccountId }
  | { readonly _tag: 'TooDear'; readonly step: DeploymentStep; readonly resourceFee: Stroops }

const lifetimeMs = 120_000

/**
 * Puts a contract on a network, as far as it is not there: its code, the contract, and lifetimes. Each step waits until
 * a closed ledger holds it. `pause`: see `sendUntilClosed`. Errors: see `DeploymentFailure`.
 */
export const deployContract =
  (gateway: LedgerGateway, pause: T.Task<void>) =>
  (order: DeploymentOrder): TaskEither<DeploymentFailure, Deployed> =>
  async () => {
    const { wasm, deployer, liveFor } = order
    const hash = sha256(wasm)
    const wasmHash = hash.toString('hex')
    const contract = deployedContractId(deployer, hash, gateway.networkPassphrase)

    const code = await readCode(gateway, wasmHash)
    if (E.isLeft(code)) return code
    const upload =
      code.right === null ? await takeStep(gateway, pause, order, 'upload', uploadCall(deployer, wasm)) : E.right(null)
    if (E.isLeft(upload)) return upload

    const before = await readContract(gateway)(contract)()
    if (E.isLeft(before)) return before
    const create =
      before.right === null
        ? await takeStep(gateway, pause, order, 'create', createContractCall(deployer, hash))
        : E.right(null)
    if (E.isLeft(create)) return create

    const found = await readContract(gateway)(contract)()
    if (E.isLeft(found)) return found
    const lives = found.right !== null && ledgersLeft(found.right) >= liveFor * 0.9
    const keys = [instanceKey(contract), codeKey(hash)]
    const extend = lives
      ? E.right(null)
      : await takeStep(gateway, pause, order, 'extend', extendCall(deployer, keys, liveFor))
    if (E.isLeft(extend)) return extend

    return E.right({
      contract,
      wasmHash,
      ledgers: { upload: upload.right, create: create.right, extend: extend.right },
    })
  }

const ledgersLeft = ({ liveUntil, code, asOf }: ContractView): number =>
  Math.min(liveUntil, code?.liveUntil ?? 0) - asOf

/** Prepares, signs and sends one call. */
const takeStep = async (
  gateway: LedgerGateway,
  pause: T.Task<void>,
  { deployer, signer, resourceFeeLimit }: DeploymentOrder,
  step: DeploymentStep,
  call: ContractCall,
): Promise<E.Either<DeploymentFailure, LedgerSequence>> => {
  const { networkPassphrase } = gateway
  const view = await gateway.accountView(deployer, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'NoSuchAccount', account: deployer })
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  const { closedAt } = head.right
  const stats = await gateway.feeStats()()
  const prepared = await prepareCall(gateway)(
    {
      sourceAccount: deployer,
      nextAccountSequence: view.right.accountSequence + 1n,
      ledgerClosedAt: closedAt,
      lifetimeMs,
      notAfter: null,
      fee: E.isRight(stats) ? stats.right.contract.p95 : BASE_FEE,
      networkPassphrase,
    },
    call,
  )()
  if (E.isLeft(prepared)) return prepared
  const { resourceFee } = prepared.right
  if (resourceFee > resourceFeeLimit) return E.left({ _tag: 'TooDear', step, resourceFee })
  const signed = await signTransaction(prepared.right.envelopeXdr, networkPassphrase, signer)()
  if (E.isLeft(signed)) return signed
  return sendUntilClosed(gateway, pause, signed.right, prepared.right, closedAt)
}

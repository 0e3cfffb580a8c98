import type { AccountId, ContractId, LedgerSequence, Stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { BASE_FEE } from '../../fee-stats.ts'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { Signer, SignerUnavailable } from '../../signing/signer.ts'
import { signTransaction } from '../keys.ts'
import { sha256 } from '../transaction-hash.ts'
import type { ContractCall } from './calls.ts'
import { type PrepareRejection, prepareCall } from './contract-call.ts'
import { readCode, readContract } from './contract-view.ts'
import { createContractCall, deployedContractId, extendCall, uploadCall } from './deployment-calls.ts'
import { codeKey, instanceKey } from './entry-keys.ts'
import { type CameToNothing, sendUntilClosed } from './send-until-closed.ts'

/**
 * A contract to be put on a network by `deployer`, who pays and signs. `liveFor`: for how many ledgers its code and
 * instance are to live then, 0 for what they have; they are left alone while they have nine tenths of it. `resourceFeeLimit`: what one step may cost beside its bid.
 */
export type DeploymentOrder = {
  readonly wasm: Uint8Array
  readonly deployer: AccountId
  readonly signer: Signer
  readonly liveFor: number
  readonly resourceFeeLimit: Stroops
}

/** Which ledger took which step; null for one that was not needed. */
export type Deployed = {
  readonly contract: ContractId
  readonly wasmHash: string
  readonly ledgers: Readonly<Record<DeploymentStep, LedgerSequence | null>>
}

export type DeploymentStep = 'upload' | 'create' | 'extend'

/** Steps before the one that failed stand: run again, it goes on from there. */
export type DeploymentFailure =
  | LedgerUnreachable
  | PrepareRejection
  | CameToNothing
  | SignerUnavailable
  | { readonly _tag: 'NoSuchAccount'; readonly account: AccountId }
  | { readonly _tag: 'TooDear'; readonly step: DeploymentStep; readonly resourceFee: Stroops }

const lifetimeMs = 120_000

/**
 * Puts a contract on a network, as far as it is not there: its code, the contract, and lifetimes. Each step waits until a
 * closed ledger holds it. `pause`: see `sendUntilClosed`. Errors: see `DeploymentFailure`.
 */
export const deployContract =
  (gateway: LedgerGateway, pause: T.Task<void>) =>
  (order: DeploymentOrder): TE.TaskEither<DeploymentFailure, Deployed> => {
    const { wasm, deployer, signer, liveFor } = order
    const { networkPassphrase } = gateway
    const hash = sha256(wasm)
    const wasmHash = hash.toString('hex')
    const contract = deployedContractId(deployer, hash, networkPassphrase)

    const taken =
      (step: DeploymentStep, call: ContractCall): TE.TaskEither<DeploymentFailure, LedgerSequence> =>
      async () => {
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
        if (resourceFee > order.resourceFeeLimit) return E.left({ _tag: 'TooDear', step, resourceFee })
        const signed = await signTransaction(prepared.right.envelopeXdr, networkPassphrase, signer)()
        if (E.isLeft(signed)) return signed
        return sendUntilClosed(gateway, pause)(signed.right, prepared.right, closedAt)()
      }

    const unlessThere = <A>(
      step: DeploymentStep,
      look: TE.TaskEither<LedgerUnreachable, A | null>,
      isThere: (found: A) => boolean,
      call: () => ContractCall,
    ): TE.TaskEither<DeploymentFailure, LedgerSequence | null> =>
      pipe(
        look,
        TE.chainW((found) => (found !== null && isThere(found) ? TE.right(null) : taken(step, call()))),
      )

    const found = readContract(gateway)(contract)
    return pipe(
      TE.Do,
      TE.bind('upload', () =>
        unlessThere(
          'upload',
          readCode(gateway)(wasmHash),
          () => true,
          () => uploadCall(deployer, wasm),
        ),
      ),
      TE.bind('create', () =>
        unlessThere(
          'create',
          found,
          () => true,
          () => createContractCall(deployer, hash),
        ),
      ),
      TE.bind('extend', () =>
        unlessThere(
          'extend',
          found,
          ({ liveUntil, code, asOf }) => Math.min(liveUntil, code?.liveUntil ?? 0) - asOf >= liveFor * 0.9,
          () => extendCall(deployer, [instanceKey(contract), codeKey(hash)], liveFor),
        ),
      ),
      TE.map((ledgers) => ({ contract, wasmHash, ledgers })),
    )
  }

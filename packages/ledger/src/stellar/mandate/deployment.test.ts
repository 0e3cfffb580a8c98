import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ContractId, stroops } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import type { Faults } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { EntriesAt, LedgerGateway } from '../../gateway.ts'
import { named } from '../../named.ts'
import { localSigner } from '../../signing/local-signer.ts'
import { nobody, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../../testing/sandbox.ts'
import { sha256 } from '../transaction-hash.ts'
import { readCode, readContract } from './contract-view.ts'
import { type DeploymentOrder, deployContract } from './deployment.ts'
import { deployedContractId } from './deployment-calls.ts'
import { codeKey } from './entry-keys.ts'

const wasm = readFileSync(join(import.meta.dirname, '../../../../../contracts/mandate/quittance_mandate.wasm'))
const wasmHash = sha256(wasm).toString('hex')
const order: DeploymentOrder = {
  wasm,
  deployer: payer.accountId,
  signer: localSigner(new Uint8Array(32).fill(1)),
  liveFor: 200_000,
  resourceFeeLimit: stroops(10_000_000_000n),
}

let network: StartedSandbox
beforeEach(async () => {
  network = await startSandbox()
})
afterEach(() => network.stop())

/** A ledger closes with each look. */
const deployed = (changed: Partial<DeploymentOrder> = {}, gateway: LedgerGateway = network.gateway) =>
  deployContract(gateway, async () => {
    network.sandbox.close()
  })({ ...order, ...changed })()

describe('a deployment', () => {
  it('creates the contract, extends its life, and finds both when it runs again', async () => {
    const contract = deployedContractId(payer.accountId, sha256(wasm), sandboxPassphrase)
    expect(right(await readContract(network.gateway)(contract)())).toBeNull()
    const { ledgers, ...first } = right(await deployed())
    expect(first).toEqual({ contract, wasmHash })
    expect(ledgers).toEqual({ upload: null, create: expect.any(Number), extend: expect.any(Number) })
    const view = right(await readContract(network.gateway)(contract)())
    expect(view).toMatchObject({ wasmHash, code: { sha256: wasmHash } })
    expect(view?.liveUntil).toBeGreaterThanOrEqual((ledgers.extend ?? 0) + order.liveFor)
    const nothing = { upload: null, create: null, extend: null }
    expect(right(await deployed({ liveFor: 222_000 })).ledgers).toEqual(nothing)
    expect(right(await deployed({ liveFor: 223_000 })).ledgers).toEqual({ ...nothing, extend: expect.any(Number) })
  })
  it('uploads the code where it is not on the ledger', async () => {
    const isHidden = { yes: true }
    const hiding: LedgerGateway = {
      ...network.gateway,
      entries: (keys) =>
        isHidden.yes && keys.includes(codeKey(sha256(wasm)))
          ? TE.map((found: EntriesAt): EntriesAt => ({ ...found, entries: new Map() }))(network.gateway.entries([]))
          : network.gateway.entries(keys),
      submit: (envelope) => {
        isHidden.yes = false
        return network.gateway.submit(envelope)
      },
    }
    const { ledgers } = right(await deployed({}, hiding))
    expect(ledgers).toEqual({ upload: expect.any(Number), create: expect.any(Number), extend: expect.any(Number) })
    expect(right(await readCode(network.gateway, wasmHash))).toMatchObject({ sha256: wasmHash })
  })
  it('sends nothing above the limit, and reports the cost', async () => {
    const before = right(await network.gateway.accountView(payer.accountId, [])())
    const refused = await deployed({ resourceFeeLimit: stroops(1n) })
    expect(refused).toEqual(E.left({ _tag: 'TooDear', step: 'create', resourceFee: expect.any(BigInt) }))
    expect(right(await network.gateway.accountView(payer.accountId, [])())).toEqual(before)
  })
  it('needs an existing account', async () =>
    expect(await deployed({ deployer: nobody.accountId })).toEqual(
      E.left({ _tag: 'NoSuchAccount', account: nobody.accountId }),
    ))
  it('resends the same bytes while nobody knows whether they arrived', async () => {
    const sent: Array<string> = []
    const forgetful: LedgerGateway = {
      ...network.gateway,
      submit: (envelope) => {
        sent.push(envelope)
        return sent.length < 3 ? TE.left({ _tag: 'OutcomeUnknown', cause: 'a test' }) : network.gateway.submit(envelope)
      },
    }
    const { ledgers } = right(await deployed({ liveFor: 0 }, forgetful))
    expect(ledgers).toEqual({ upload: null, create: expect.any(Number), extend: null })
    expect([sent.length, new Set(sent).size]).toEqual([3, 1])
  })
  it.each<readonly [string, Faults]>([
    ['forgets without a word what it has taken', { drop: { times: 3 } }],
    [
      'drops and bans what bids too little for its ledgers',
      { fee_surge: { base_fee: 1_000, accepts_less: true, for_ledgers: 6 } },
    ],
  ])('reaches a network whose node %s', async (_, faults) => {
    right(network.sandbox.faults.set(faults))
    const { ledgers } = right(await deployed({ liveFor: 0 }, network.gateway))
    expect(ledgers).toEqual({ upload: null, create: expect.any(Number), extend: null })
  })
  it('ends once no ledger can take a step any more, and reports the refusal', async () => {
    const refusal = { _tag: 'FeeTooLow' } as const
    const refusing: LedgerGateway = { ...network.gateway, submit: () => TE.left(refusal) }
    const ended = await deployContract(refusing, async () => {
      network.waitMs(50_000)
      network.sandbox.close()
    })(order)()
    expect(ended).toEqual(E.left({ _tag: 'NeverIncluded', because: refusal }))
  })
})

describe('a contract', () => {
  it('is shown with the code that it runs', async () => {
    const contract = named(ContractId, network.sandbox.mandateContract)
    const view = right(await readContract(network.gateway)(contract)())
    expect(view).toMatchObject({ wasmHash, code: { sha256: wasmHash } })
    expect(view?.liveUntil).toBeGreaterThan(view?.asOf ?? 0)
  })
})

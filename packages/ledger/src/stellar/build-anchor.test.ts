import { createHash } from 'node:crypto'
import { stroops } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { localSigner } from '../signing/local-signer.ts'
import { sequence } from '../testing/ledgers.ts'
import { payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { buildAnchor } from './build-anchor.ts'
import { signEnvelope } from './keys.ts'

const checkpoint = `log.example\n3\n${'A'.repeat(43)}=\n`
const [ownSigner, channelSigner] = [localSigner(new Uint8Array(32).fill(1)), localSigner(new Uint8Array(32).fill(2))]

describe('a transaction that puts the hash of a checkpoint on the ledger', () => {
  let network: StartedSandbox
  beforeAll(async () => {
    network = await startSandbox()
  })
  afterAll(() => network.stop())

  const viewOf = async (account: typeof payer.accountId) => {
    const view = right(await network.gateway.accountView(account, [network.usdc])())
    if (view === null) throw new Error(`no account ${account}`)
    return view
  }

  const send = async (channel: typeof payer, signers: ReadonlyArray<typeof ownSigner>) => {
    const { gateway, sandbox } = network
    const { envelopeXdr } = buildAnchor({
      account: payer.accountId,
      checkpoint,
      sourceAccount: channel.accountId,
      nextAccountSequence: (await viewOf(channel.accountId)).accountSequence + 1n,
      ledgerClosedAt: right(await gateway.latestLedger()()).closedAt,
      lifetimeMs: 60_000,
      fee: stroops(100n),
      networkPassphrase: sandboxPassphrase,
    })
    right(await gateway.submit(right(await signEnvelope(envelopeXdr, signers, sandboxPassphrase)()))())
    const closed = sequence(sandbox.close().sequence)
    const [ledger] = [...right(await gateway.readLedgers(closed, 1, null)()).ledgers]
    if (ledger === undefined) throw new Error('no ledger closed')
    return {
      own: ledger.ownTransactions((account) => (account === payer.accountId ? [account] : [])),
      moved: ledger.movementsOf({ has: (account) => account === payer.accountId }),
    }
  }

  it('carries SHA-256 of the text, moves nothing but its fee, and takes one number', async () => {
    const before = await viewOf(payer.accountId)
    const { own } = await send(payer, [ownSigner])
    expect(own).toMatchObject([
      {
        outcome: { _tag: 'Succeeded' },
        memo: { _tag: 'hash', value: createHash('sha256').update(checkpoint).digest('hex') },
        payments: [],
        rotations: [],
        isCall: false,
        isSetUp: false,
      },
    ])
    const after = await viewOf(payer.accountId)
    expect(after).toMatchObject({
      accountSequence: before.accountSequence + 1n,
      nativeBalance: before.nativeBalance - 100n,
      trustlines: before.trustlines,
    })
  })

  it('leaves the account as it is, where a channel lends its number and pays', async () => {
    const before = await viewOf(payer.accountId)
    const { moved } = await send(payee, [channelSigner, ownSigner])
    expect(moved).toEqual([])
    expect(await viewOf(payer.accountId)).toMatchObject({
      accountSequence: before.accountSequence,
      nativeBalance: before.nativeBalance,
      trustlines: before.trustlines,
    })
  })
})

import { AccountId, type AssetId, stroops, TransactionHash } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Keypair } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Holding } from '../gateway.ts'
import { named } from '../named.ts'
import { startNodes } from '../testing/ledger-nodes.ts'
import { sequence } from '../testing/ledgers.ts'
import { nobody, payee, payer, startSandbox } from '../testing/sandbox.ts'
import { NATIVE } from './assets.ts'
import { inBatches } from './balances.ts'
import type { HeldAt } from './nodes/ledger-node.ts'

const seeded = (number: number): AccountId => {
  const seed = new Uint8Array(32)
  new DataView(seed.buffer).setUint32(0, number)
  return named(AccountId, Keypair.fromRawEd25519Seed(seed).publicKey())
}

/** So many holdings; nobody looks at whose they are. */
const many = (count: number): ReadonlyArray<Holding> => {
  const account = seeded(1)
  return Array.from({ length: count }, () => ({ account, assetId: NATIVE }))
}

const heldAt = (holdings: ReadonlyArray<Holding>): HeldAt => ({
  balances: holdings.map((holding) => ({ ...holding, held: stroops(1n), asOf: sequence(7) })),
  asOf: sequence(7),
})

describe('the balances of many holdings', () => {
  it('come in the given order, and are null where there is no account or trustline', async () => {
    const { gateway, usdc, sandbox, stop } = await startSandbox()
    const asked: ReadonlyArray<readonly [AccountId, AssetId]> = [
      [payee.accountId, usdc],
      [nobody.accountId, NATIVE],
      [payer.accountId, usdc],
      [payer.accountId, NATIVE],
      [nobody.accountId, usdc],
    ]
    const found = right(await gateway.balances(asked.map(([account, assetId]) => ({ account, assetId })))())
    await stop()
    const asOf = sandbox.clock().ledger
    const amounts = [0n, null, 100_000_000_000n, 100_000_000_000n, null]
    expect(found).toEqual(
      asked.map(([account, assetId], place) => ({ account, assetId, held: amounts[place], asOf: sequence(asOf) })),
    )
  })

  it('of 100,000 accounts take 500 requests of 200, at most four at a time', async () => {
    let running = 0
    let most = 0
    const sizes: Array<number> = []
    const found = await inBatches((holdings) => async () => {
      running += 1
      most = Math.max(most, running)
      sizes.push(holdings.length)
      await Promise.resolve()
      running -= 1
      return E.right(heldAt(holdings))
    })(many(100_000))()
    expect(right(found)).toHaveLength(100_000)
    expect([sizes.length, new Set(sizes), most]).toEqual([500, new Set([200]), 4])
  })

  it('are requested no further once a request has failed', async () => {
    const failure = { _tag: 'LedgerUnreachable' as const, cause: 'a test' }
    let asked = 0
    const found = await inBatches(() => async () => {
      asked += 1
      return E.left(failure)
    })(many(2_000))()
    expect([found, asked]).toEqual([E.left(failure), 4])
  })

  it('keep their order, whichever response comes first', async () => {
    const holdings = [...many(200), ...Array.from({ length: 3 }, (_, n) => ({ account: seeded(n), assetId: NATIVE }))]
    const first = Promise.withResolvers<void>()
    const found = inBatches((batch) => async () => {
      if (batch.length === 200) await first.promise
      else first.resolve()
      return E.right(heldAt(batch))
    })(holdings)()
    expect(right(await found).map(({ account }) => account)).toEqual(holdings.map(({ account }) => account))
  })
})

describe('balances from several nodes', () => {
  const until = (newest: number) =>
    Array.from({ length: newest }, (_, index) => ({ sequence: index + 1, metadataXdr: '' }))

  it('come from a node at the highest ledger seen, in as few requests as for one node', async () => {
    const { gateway, asked, shown, stop } = await startNodes([until(19), until(20)], 300)
    await gateway.latestLedger()()
    expect(right(await gateway.balances(many(450))()).map(({ asOf }) => asOf)).toEqual(Array(450).fill(19))
    expect(asked('getLedgerEntries')).toEqual([3, 0])
    await gateway.lookUp(named(TransactionHash, '0'.repeat(64)))()
    expect(right(await gateway.balances(many(1))())).toEqual([
      { account: seeded(1), assetId: NATIVE, held: null, asOf: sequence(20) },
    ])
    const [, second] = shown
    if (second === undefined) throw new Error('two nodes')
    second.mood = { status: 500, text: 'down' }
    expect(await gateway.balances(many(1))()).toMatchObject({ left: { _tag: 'LedgerUnreachable' } })
    await stop()
  })
})

import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { done, present, right } from '../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { openJustArrived } from './just-arrived.ts'

describe('what has just arrived', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  const head = async () => (await done(front.network.gateway.latestLedger())).sequence
  const viewNow = async (gateway: LedgerGateway) =>
    present(await done(gateway.accountView(front.account, [front.network.usdc.assetId])))
  const comes = (amount: number) =>
    front.other.pay({ to: front.account, asset: front.network.usdc.assetId, parts: [units(amount)], memo: 'hello' })
  /** The network's gateway, and the ledgers that were asked of it. */
  const counted = () => {
    const asked: Array<number> = []
    const gateway: LedgerGateway = {
      ...front.network.gateway,
      readLedgers: (from, limit, after) => {
        asked.push(from)
        return front.network.gateway.readLedgers(from, limit, after)
      },
    }
    return { gateway, asked }
  }

  it('is what came to the account in the asset after the ingested ledger, whatever left meanwhile', async () => {
    const justArrived = openJustArrived()
    const { usdc, xlm, gateway } = front.network
    comes(7)
    const ingested = await head()
    comes(3)
    front.other.pay({ to: front.account, asset: xlm.assetId, parts: [units(5)], memo: 'hello' })
    comes(4)
    front.payer.pay({ to: front.other.account, asset: usdc.assetId, parts: [units(9)], memo: 'hello' })
    const since = async (ledger: number) =>
      right(await justArrived(gateway, ledger, front.account, await viewNow(gateway)))
    expect((await since(ingested))(usdc.assetId)).toBe(units(7))
    expect((await since(ingested))(xlm.assetId)).toBe(units(5))
    expect((await since(ingested + 1))(usdc.assetId)).toBe(units(4))
    expect((await since(ingested - 1))(usdc.assetId)).toBe(units(14))
    expect((await since(await head()))(usdc.assetId)).toBe(0n)
  })

  it('is read once of each ledger, for all accounts', async () => {
    const justArrived = openJustArrived()
    const { gateway, asked } = counted()
    const { assetId } = front.network.usdc
    const ingested = await head()
    const look = async (account = front.account) =>
      right(await justArrived(gateway, ingested, account, await viewNow(gateway)))(assetId)
    expect(await look()).toBe(0n)
    expect(asked).toEqual([])
    comes(1)
    expect([await look(), await look(), await look(front.payer.account)]).toEqual([units(1), units(1), 0n])
    comes(2)
    expect(await look()).toBe(units(3))
    expect([...new Set(asked)]).toEqual([ingested + 1, ingested + 2])
  })

  it('is unknown if ledgers cannot be read, or if many are missing', async () => {
    const justArrived = openJustArrived()
    const { gateway } = front.network
    const ingested = await head()
    comes(1)
    const view = await viewNow(gateway)
    const later = { ...view, changedIn: present(view.changedIn) }
    expect(E.isLeft(await justArrived(gateway, ingested - 60, front.account, later))).toBe(true)
    const silent: LedgerGateway = {
      ...gateway,
      readLedgers: () => async () => E.left({ _tag: 'LedgerUnreachable', cause: 'a test' }),
    }
    expect(E.isLeft(await justArrived(silent, ingested, front.account, view))).toBe(true)
    expect(right(await justArrived(gateway, ingested, front.account, null))(front.network.usdc.assetId)).toBe(0n)
  })
})

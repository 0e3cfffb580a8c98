import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'
import { otherNetworks } from './other-networks.ts'

/** A node of a network of this passphrase, behind a real socket. */
const nodeOf = async (passphrase: string) => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const node = await listen(openSandbox({ database, wallClock: Date.now, passphrase }))
  const close = async (): Promise<void> => {
    await node.close()
    database.close()
  }
  return { url: node.url, host: new URL(node.url).host, close }
}

describe('the network check of configured nodes', () => {
  let ours: Awaited<ReturnType<typeof nodeOf>>
  let other: Awaited<ReturnType<typeof nodeOf>>
  beforeAll(async () => {
    ours = await nodeOf('Our Network')
    other = await nodeOf('Another Network')
  })
  afterAll(async () => {
    await ours.close()
    await other.close()
  })
  const problems = async (
    variables: Readonly<Record<string, string>>,
    ...environments: ['testnet' | 'mainnet'] | []
  ) => {
    const config = configFrom({
      ...(variables.QUITTANCE_TESTNET_RPC_URLS === undefined ? {} : { QUITTANCE_TESTNET_PASSPHRASE: 'Our Network' }),
      ...variables,
    })
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    return otherNetworks(config.right, ...(environments.length === 0 ? [] : [environments]))
  }
  const isOther = () => ({
    variable: 'QUITTANCE_TESTNET_RPC_URLS',
    expected: `nodes of the network "Our Network" (QUITTANCE_TESTNET_PASSPHRASE); ${other.host} is of "Another Network"`,
  })

  it('accepts nodes of the configured network', async () =>
    expect(await problems({ QUITTANCE_TESTNET_RPC_URLS: ours.url })).toEqual([]))

  it('rejects one node of another network among several', async () =>
    expect(await problems({ QUITTANCE_TESTNET_RPC_URLS: `${ours.url},${other.url}` })).toEqual([isOther()]))

  it('compares nodes with the public network when no passphrase is configured', async () => {
    const [problem] = await problems({ QUITTANCE_MAINNET_RPC_URLS: ours.url })
    expect(problem).toEqual({
      variable: 'QUITTANCE_MAINNET_RPC_URLS',
      expected: `nodes of the network "Public Global Stellar Network ; September 2015" (QUITTANCE_MAINNET_PASSPHRASE); ${ours.host} is of "Our Network"`,
    })
  })

  it('ignores silent nodes, which are checked again before they are used', async () =>
    expect(await problems({ QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:1' })).toEqual([]))

  it('checks one environment alone when the other is not used', async () => {
    const both = { QUITTANCE_TESTNET_RPC_URLS: ours.url, QUITTANCE_MAINNET_RPC_URLS: other.url }
    expect([await problems(both, 'testnet'), (await problems(both)).length]).toEqual([[], 1])
  })
})

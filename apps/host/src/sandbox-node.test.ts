import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { eventually } from '@quittance/http/testing/eventually'
import { listen, openSandbox } from '@quittance/sandbox'
import { defaultPassphrase } from '@quittance/sandbox/testing/internals'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'
import { configuredLedger } from './configured-ledger.ts'
import { writeSandboxFacts } from './sandbox-facts.ts'
import { type SandboxNode, sandboxNode } from './sandbox-node.ts'

const facts = (pid: number, rpcUrl: string) => ({
  base_url: 'http://127.0.0.1:1',
  api_key: 'sk_test_x',
  merchant_id: 'mer_x',
  dashboard_url: null,
  rpc_url: rpcUrl,
  friendbot_url: `${rpcUrl}/friendbot`,
  network_passphrase: defaultPassphrase,
  assets: [],
  mandate_contract: null,
  pid,
})
const wallClock = () => Date.now() - 3_600_000

/** A loopback address on which nothing listens any more. */
const addressOfNobody = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server had no port')
  return `http://127.0.0.1:${address.port}`
}

describe('the sandbox node of a data directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-node-'))
  const database = openDatabase(join(directory, 'sandbox.db'), { durability: 'full' })
  const factsFile = join(directory, 'sandbox.json')
  const opened: Array<SandboxNode> = []
  const nodeWithFacts = async (pid: number, rpcUrl: string): Promise<SandboxNode> => {
    writeSandboxFacts(factsFile, facts(pid, rpcUrl))
    const node = await sandboxNode(database, factsFile)
    opened.push(node)
    return node
  }
  afterAll(async () => {
    for (const node of opened) await node.close()
    database.close()
    rmSync(directory, { recursive: true })
  })

  it('uses the sandbox node of the process that serves the data directory', async () => {
    const serving = await sandboxNode(database, factsFile)
    opened.push(serving)
    const { isOwn, rpcUrl } = await nodeWithFacts(process.ppid, serving.rpcUrl)
    expect({ isOwn: serving.isOwn, second: { isOwn, rpcUrl } }).toEqual({
      isOwn: true,
      second: { isOwn: false, rpcUrl: serving.rpcUrl },
    })
  })

  it('opens a sandbox node of its own when the one before is gone', async () => {
    const { isOwn } = await nodeWithFacts(process.ppid, await addressOfNobody())
    expect(isOwn).toBe(true)
  })

  it('opens a sandbox node of its own when another sandbox answers at the address of the one before', async () => {
    const other = await listen(openSandbox({ database: openDatabase(':memory:', { durability: 'full' }), wallClock }))
    const { isOwn, rpcUrl } = await nodeWithFacts(process.ppid, other.url)
    expect({ isOwn, isElsewhere: rpcUrl !== other.url }).toEqual({ isOwn: true, isElsewhere: true })
    await other.close()
  })

  it('serves the node at the same address, and closes ledgers, once the process that served it is gone', async () => {
    const first = await nodeWithFacts(process.ppid, await addressOfNobody())
    const second = await nodeWithFacts(process.ppid, first.rpcUrl)
    expect({ isOwn: second.isOwn, rpcUrl: second.rpcUrl }).toEqual({ isOwn: false, rpcUrl: first.rpcUrl })
    const stop = new AbortController()
    const running = second.run(stop.signal)
    const { ledger } = second.sandbox.clock()
    await first.close()
    await running
    await eventually(
      async () => second.sandbox.clock().ledger,
      (now) => now > ledger,
    )
    expect(await (await fetch(`${first.rpcUrl}/friendbot`)).status).toBe(400)
    second.sandbox.stop()
  })

  it('gives the wait for the node up when the process ends', async () => {
    const first = await nodeWithFacts(process.ppid, await addressOfNobody())
    const second = await nodeWithFacts(process.ppid, first.rpcUrl)
    const stop = new AbortController()
    const running = second.run(stop.signal)
    stop.abort()
    await running
    await second.close()
  })

  it('returns to the previous address of the sandbox node if that is free', async () => {
    const address = await addressOfNobody()
    const free = await nodeWithFacts(process.pid, address)
    expect({ isOwn: free.isOwn, rpcUrl: free.rpcUrl }).toEqual({ isOwn: true, rpcUrl: address })
  })

  describe('as the ledger of a command that opens nothing else', () => {
    const ledgerWithFacts = async (pid: number, rpcUrl: string) => {
      writeSandboxFacts(factsFile, facts(pid, rpcUrl))
      const config = configFrom({ QUITTANCE_DATA_DIR: directory })
      if (E.isLeft(config)) throw new Error('the settings are wrong')
      return configuredLedger(config.right, 'testnet')
    }

    it.each([
      ['its own process id, as in a container', process.pid],
      ['a process id of another container', 2 ** 22 + 1],
    ])('is the node of the data directory, which is recognised by its ledger, with %s in the facts', async (_, pid) => {
      const serving = await nodeWithFacts(pid, await addressOfNobody())
      const ledger = await ledgerWithFacts(pid, serving.rpcUrl)
      expect(await ledger?.latestLedger()()).toMatchObject({ right: { sequence: serving.sandbox.clock().ledger } })
    })

    it('is nobody, when the process id in the facts belongs to another process by now', async () => {
      expect((await ledgerWithFacts(process.ppid, await addressOfNobody())) === null).toBe(true)
    })

    it('is nobody, when another sandbox answers at the address in the facts', async () => {
      const other = await listen(openSandbox({ database: openDatabase(':memory:', { durability: 'full' }), wallClock }))
      const ledger = await ledgerWithFacts(process.ppid, other.url)
      await other.close()
      expect(ledger === null).toBe(true)
    })
  })
})

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { defaultPassphrase } from '@quittance/sandbox/testing/internals'
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

  it.each([
    { rule: 'has the number of one that served it and is gone', pid: process.ppid },
    { rule: 'has itself the number of the one that served it before', pid: process.pid },
  ])('opens a sandbox node of its own when another process $rule', async ({ pid }) => {
    const { isOwn } = await nodeWithFacts(pid, await addressOfNobody())
    expect(isOwn).toBe(true)
  })

  it('returns to the previous address of the sandbox node if that is free', async () => {
    const address = await addressOfNobody()
    const first = await nodeWithFacts(process.pid, address)
    const second = await nodeWithFacts(process.pid, address)
    expect([first.rpcUrl, second.rpcUrl === address, second.isOwn]).toEqual([address, false, true])
  })
})

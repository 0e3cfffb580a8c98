import { createServer } from 'node:http'
import type { RawLedger } from '@quittance/ledger/testing/ledger-nodes'

/** The ledgers that the node falsifies, and how; a test changes it. */
export type Lie = { of: number | null; readonly told: (ledger: RawLedger) => RawLedger }

/** A node on a free local port that falsifies one ledger. */
export const startLyingNode = async (honestUrl: string, lie: Lie) => {
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(honestUrl, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const said = JSON.parse(await answer.text())
    const ledgers: ReadonlyArray<RawLedger> | undefined = said.result?.ledgers
    if (ledgers !== undefined)
      said.result.ledgers = ledgers.map((ledger) => (ledger.sequence === lie.of ? lie.told(ledger) : ledger))
    response.writeHead(200, headers).end(JSON.stringify(said))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }
  return { url: `http://127.0.0.1:${address.port}`, stop }
}

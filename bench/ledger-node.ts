import { createServer } from 'node:http'
import { chainOf, closeTimeOf, firstSequence, passphrase } from './ledgers.ts'

// A Stellar RPC node in its own process: `node ledger-node.ts <ledgers> <transactions per ledger>`. Prints its port.
const [count = 0, transactions = 0] = process.argv.slice(2).map(Number)
const ledgers = chainOf(count, transactions)
const latestLedger = firstSequence + count - 1

const health = {
  status: 'healthy',
  oldestLedger: firstSequence,
  oldestLedgerCloseTime: String(closeTimeOf(firstSequence)),
  latestLedger,
  latestLedgerCloseTime: String(closeTimeOf(latestLedger)),
}

type Call = { id: number; method: string; params?: { startLedger: number; pagination: { limit: number } } }

const answer = ({ method, params }: Call): unknown => {
  if (method === 'getNetwork') return { passphrase }
  if (method !== 'getLedgers' || params === undefined) return health
  const start = params.startLedger - firstSequence
  return {
    ledgers: ledgers
      .slice(start, start + params.pagination.limit)
      .map((metadataXdr, index) => ({ sequence: params.startLedger + index, metadataXdr })),
  }
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const call: Call = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: answer(call) }))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPeer } from './peer.ts'

/**
 * `npm run peer -- [directory] [port]`: a protocol peer that stores its events in a directory (default: ./data/peer),
 * prints its connection string and stops on SIGTERM or SIGINT.
 */
const [directory = 'data/peer', port = '0'] = process.argv.slice(2)
mkdirSync(directory, { recursive: true })
const peer = await startPeer({ path: join(directory, 'peer.db'), port: Number(port) })
process.stdout.write(`${peer.connectionString}\n`)

const stop = async (): Promise<void> => {
  await peer.stop()
  process.exit(0)
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())

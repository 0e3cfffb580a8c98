import { configFrom, openPlatform } from '@quittance/host'
import {
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  proveConsistency,
  type ReadTiles,
  tilePath,
  verifyConsistency,
  verifyNote,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { tileAt } from './transparency.ts'

const right = <A>(found: E.Either<unknown, A>): A => {
  if (E.isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right
}

describe('what everybody may see of the log', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const shown = async (path: string) => {
    const response = await fetch(`${service.url}${path}`)
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
  }
  /** Signs a checkpoint as the command line does, beside the service. */
  const sign = async (): Promise<string> => {
    const config = right(configFrom({ QUITTANCE_DATA_DIR: service.dataDir }))
    const platform = right(await openPlatform(config))
    try {
      return right(await platform.billing.transparency.sign())
    } finally {
      await platform.close()
    }
  }
  const readTiles: ReadTiles = (tiles) =>
    Promise.all(
      tiles.map(async (tile) => {
        const { status, body } = await shown(`/transparency/${tilePath(tile)}`)
        return status === 200 ? body : null
      }),
    )
  const checkpointIn = (note: string) => right(parseCheckpoint(right(parseNote(note)).text))

  it('is nothing before the first checkpoint', async () => {
    const paths = ['/transparency/checkpoint', '/.well-known/transparency-keys', '/transparency/tile/0/000']
    const statuses = []
    for (const path of paths) statuses.push((await shown(path)).status)
    expect(statuses).toEqual([404, 404, 404])
  })

  it('is the checkpoint, the keys that verify it, and the tiles that prove that it continues an older one', async () => {
    const first = await sign()
    await openSale(service)
    const second = await sign()
    const { status, headers, body } = await shown('/transparency/checkpoint')
    expect([status, headers.get('access-control-allow-origin'), headers.get('content-type'), body.toString()]).toEqual([
      200,
      '*',
      'text/plain; charset=utf-8',
      second,
    ])
    const keys = (await shown('/.well-known/transparency-keys')).body.toString().trimEnd().split('\n')
    const verified = right(
      verifyNote(
        right(parseNote(second)),
        keys.map((key) => right(parseVerifierKey(key))),
      ),
    )
    expect(verified).toHaveLength(1)
    const [older, newer] = [checkpointIn(first), checkpointIn(second)]
    expect(newer.size).toBeGreaterThan(older.size)
    const proof = right(await proveConsistency(older.size, newer.size, readTiles))
    expect(verifyConsistency(older, newer, proof)).toBe(true)
  })

  it.each([
    '0/x000/000',
    '0/0',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/255',
    '64/000',
    '00/000',
    '0/999',
    '0/../000',
    '',
  ])('has no tile %s', async (path) => {
    expect((await shown(`/transparency/tile/${path}`)).status).toBe(404)
  })
})

it('every path of a tile is read back, and no other one', () => {
  for (const index of [0n, 7n, 999n, 1_000n, 1_234_067n])
    for (const width of [1, 112, 255, 256])
      for (const level of [0, 1, 7]) {
        const tile = { level, index, width }
        expect(tileAt(tilePath(tile).slice('tile/'.length))).toEqual(tile)
      }
})

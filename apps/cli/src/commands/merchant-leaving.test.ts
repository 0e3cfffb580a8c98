import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'
import { printed, processMs, refusalOf, runInside } from '../testing/run-cli.ts'

const passphrase = 'A Network That Plays A Real One'

describe('a merchant that leaves by the command line', () => {
  let node: Awaited<ReturnType<typeof listen>>
  const folder = mkdtempSync(join(tmpdir(), 'quittance-leaving-'))
  beforeAll(async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    node = await listen(openSandbox({ database, wallClock: Date.now, passphrase }))
  })
  afterAll(async () => {
    await node.close()
    rmSync(folder, { recursive: true })
  })
  const at = (name: string, key: string) => {
    const settings = {
      QUITTANCE_DATA_DIR: join(folder, name),
      QUITTANCE_MASTER_KEY: key.repeat(64),
      QUITTANCE_TESTNET_RPC_URLS: node.url,
      QUITTANCE_TESTNET_PASSPHRASE: passphrase,
    }
    return {
      json: async (...words: ReadonlyArray<string>) => printed(await runInside(settings, ...words, '--json')),
      refusal: async (...words: ReadonlyArray<string>) => refusalOf(await runInside(settings, ...words, '--json')),
    }
  }

  it(
    'is exported once for one destination, inspected and imported there, and arrives suspended',
    async () => {
      const [source, destination] = [at('a', 'a'), at('b', 'b')]
      const { merchant_id } = (await source.json('merchant', 'create', '--name', 'Acme')) as { merchant_id: string }
      const { destination: to } = (await destination.json('merchant', 'import', '--prepare')) as { destination: string }
      const file = join(folder, 'acme.export')
      const leave = [
        'merchant',
        'export',
        '--merchant',
        merchant_id,
        '--reason',
        'moves',
        '--file',
        file,
        '--to',
      ] as const
      expect(await source.refusal(...leave, `${to}x`)).toEqual([1, 'destination_unknown'])
      // Another process has the vault open, as a service does.
      const other = openDatabase(join(folder, 'a', 'vault.db'), { durability: 'full' })
      other.prepare('SELECT count(*) FROM vault').get()
      expect(await source.refusal(...leave, to)).toEqual([1, 'target_in_use'])
      other.close()
      const left = await source.json(...leave, to)
      expect(left).toMatchObject({ merchant_id, name: 'Acme', left_now: true, keys_to_replace: [] })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(await source.refusal('merchant', 'reinstate', '--merchant', merchant_id, '--reason', 'x')).toEqual([
        1,
        'merchant_has_left',
      ])
      expect(await source.refusal('merchant', 'inspect', '--file', file)).toEqual([1, 'file_for_another'])
      const { digest } = (await destination.json('merchant', 'inspect', '--file', file)) as { digest: string }
      expect(left).toMatchObject({ digest })
      const arrive = ['merchant', 'import', '--file', file, '--digest'] as const
      expect(await destination.refusal(...arrive, 'other')).toEqual([1, 'other_export'])
      expect(await destination.json(...arrive, digest)).toMatchObject({ merchant_id, imported_now: true })
      expect(await destination.json(...arrive, digest)).toMatchObject({ merchant_id, imported_now: false })
      expect(await destination.json('merchant', 'list')).toEqual([{ merchant_id, name: 'Acme' }])
      expect(await destination.json('freezes')).toMatchObject([{ scope: 'everything', merchant_id }])
      expect(await destination.refusal('merchant', 'reinstate', '--merchant', merchant_id, '--reason', 'x')).toEqual([
        1,
        'keys_not_rotated',
      ])
      for (const each of [source, destination]) expect(await each.json('verify')).toMatchObject({ ok: true })
      expect(existsSync(`${file}.part`)).toBe(false)
    },
    processMs,
  )
})
